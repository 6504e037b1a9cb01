from typing import Any

import django.db.models.deletion
import django.db.models.functions
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def name_scans(apps: Any, schema_editor: Any) -> None:
    """Until now a scan had the name and the sender of its file, even if another book had it first."""
    for scan in apps.get_model("archive", "Scan").objects.select_related("original").iterator(200):
        scan.name, scan.signed, scan.sent = scan.original.name, scan.original.signed, scan.original.made
        scan.save(update_fields=["name", "signed", "sent"])


class Migration(migrations.Migration):
    dependencies = [("archive", "0012_paragraphs_of_a_leaf")]

    operations = [
        migrations.AddField(
            model_name="book",
            name="subjects",
            field=models.JSONField(db_default=[], default=list),
        ),
        migrations.AddField(
            model_name="scan",
            name="name",
            field=models.CharField(db_default="", default="", max_length=200),
        ),
        migrations.AddField(
            model_name="scan",
            name="signed",
            field=models.CharField(db_default="", default="", max_length=80),
        ),
        migrations.AddField(
            model_name="scan",
            name="sent",
            field=models.DateTimeField(
                db_default=django.db.models.functions.Now(), default=django.utils.timezone.now
            ),
        ),
        migrations.AddField(
            model_name="book",
            name="state",
            field=models.CharField(db_default="public", db_index=True, default="public", max_length=10),
        ),
        migrations.AddField(
            model_name="book",
            name="public_since",
            field=models.DateTimeField(null=True),
        ),
        migrations.CreateModel(
            name="StateChange",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "book",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="state_changes",
                        to="archive.book",
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[("public", "published"), ("withdrawn", "withdrawn")], max_length=10
                    ),
                ),
                (
                    "author",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="state_changes",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("signed", models.CharField(max_length=80)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("reason", models.TextField()),
            ],
            options={"ordering": ["book", "-pk"]},
        ),
        migrations.AddField(
            model_name="proposal",
            name="kind",
            field=models.CharField(db_default="edit", default="edit", max_length=10),
        ),
        migrations.CreateModel(
            name="Remark",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="remarks",
                        to="archive.proposal",
                    ),
                ),
                (
                    "person",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="remarks",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                ("signed", models.CharField(max_length=80)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("words", models.TextField()),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AddField(model_name="scan", name="credits", field=models.JSONField(db_default={}, default=dict)),
        migrations.AddField(model_name="pageimage", name="credits", field=models.JSONField(db_default={}, default=dict)),
        migrations.AddField(
            model_name="book", name="cover_leaf", field=models.PositiveSmallIntegerField(null=True)
        ),
        migrations.RunPython(name_scans, migrations.RunPython.noop),
    ]

from typing import Any

import django.utils.timezone
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
            field=models.JSONField(default=list),
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
            field=models.DateTimeField(default=django.utils.timezone.now),
        ),
        migrations.RunPython(name_scans, migrations.RunPython.noop),
    ]

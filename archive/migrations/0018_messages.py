import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

KINDS = [("book", "rulebook"), ("page", "page"), ("passage", "passage"), ("note", "note")]


def key() -> models.Field:
    return models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")


class Migration(migrations.Migration):
    dependencies = [("archive", "0017_search_vocabulary"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="ReaderMessage",
            fields=[
                ("id", key()),
                ("kind", models.CharField(choices=KINDS, max_length=10)),
                ("name", models.CharField(blank=True, max_length=120)),
                ("words", models.TextField()),
                ("checksum", models.CharField(max_length=64)),
                ("sender", models.CharField(blank=True, max_length=80)),
                ("email", models.CharField(blank=True, max_length=254)),
                ("token_hash", models.CharField(max_length=64, unique=True)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("answer", models.TextField(blank=True)),
                ("answered", models.DateTimeField(db_index=True, null=True)),
                ("signed", models.CharField(blank=True, max_length=80)),
                ("forgotten", models.DateTimeField(null=True)),
                (
                    "answered_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="answered_messages",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "book",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="reader_messages",
                        to="archive.book",
                    ),
                ),
                (
                    "proposal",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="reader_messages",
                        to="archive.proposal",
                    ),
                ),
            ],
            options={"ordering": ["made", "pk"]},
        ),
        migrations.CreateModel(
            name="MessagePhotograph",
            fields=[
                ("id", key()),
                ("jpeg", models.BinaryField()),
                ("checksum", models.CharField(max_length=64)),
                (
                    "message",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="photograph",
                        to="archive.readermessage",
                    ),
                ),
            ],
        ),
    ]

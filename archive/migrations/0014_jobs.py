import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
ACTS = [("steps", "Turn, crop and tone"), ("publish", "Publish"), ("read", "Read with Tesseract")]


def of(model: str, name: str, on_delete: object = django.db.models.deletion.CASCADE) -> models.Field:
    return models.ForeignKey(on_delete=on_delete, related_name=name, to=model)


class Migration(migrations.Migration):
    dependencies = [("archive", "0013_drafts"), migrations.swappable_dependency(settings.AUTH_USER_MODEL)]

    operations = [
        migrations.CreateModel(
            name="Job",
            fields=[
                ("id", ID),
                ("book", of("archive.book", "jobs")),
                ("act", models.CharField(choices=ACTS, max_length=10)),
                ("options", models.JSONField(default=dict)),
                ("person", of(settings.AUTH_USER_MODEL, "jobs", django.db.models.deletion.PROTECT)),
                ("signed", models.CharField(max_length=80)),
                ("made", models.DateTimeField(default=django.utils.timezone.now)),
                ("stopped", models.BooleanField(default=False)),
            ],
            options={"ordering": ["-pk"]},
        ),
        migrations.CreateModel(
            name="JobPage",
            fields=[
                ("id", ID.clone()),
                ("job", of("archive.job", "pages")),
                ("scan", of("archive.scan", "job_pages")),
                ("order", models.PositiveSmallIntegerField()),
                ("state", models.CharField(db_index=True, default="waiting", max_length=10)),
                ("words", models.TextField(blank=True)),
                ("finished", models.DateTimeField(null=True)),
            ],
            options={"ordering": ["job", "order"]},
        ),
    ]

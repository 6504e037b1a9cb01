import django.db.models.deletion
from django.db import migrations, models

ACTS = [
    ("steps", "Turn, crop and tone"),
    ("publish", "Publish"),
    ("read", "Read with Tesseract"),
    ("unpack", "Take in the pages of a document"),
    ("iiif", "Bring over from another institution"),
]


class Migration(migrations.Migration):
    """Jobs that make scans: their pages have no scan before."""

    dependencies = [("archive", "0015_sources")]

    operations = [
        migrations.AlterField("job", "act", models.CharField(choices=ACTS, max_length=10)),
        migrations.AlterField(
            "jobpage",
            "scan",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="job_pages",
                to="archive.scan",
            ),
        ),
        migrations.AddField("jobpage", "given", models.JSONField(default=dict, db_default={})),
    ]

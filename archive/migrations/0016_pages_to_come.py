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
    """Jobs that make scans: their pages have no scan before. Languages that pages are read in."""

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
        migrations.AddField(
            "book", "reading", models.CharField(max_length=40, default="", db_default="")
        ),
        migrations.AddField(
            "scan", "reading", models.CharField(max_length=40, default="", db_default="")
        ),
        migrations.AddField("jobpage", "given", models.JSONField(default=dict, db_default={})),
    ]

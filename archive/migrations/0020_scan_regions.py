from django.db import migrations, models


class Migration(migrations.Migration):
    """Why no frame was proposed for a scan; columns and headings as a curator drew them."""

    dependencies = [("archive", "0019_declared_games")]

    operations = [
        migrations.AddField("scan", "doubt", models.CharField(blank=True, max_length=10, default="", db_default="")),
        migrations.AddField("scan", "regions", models.JSONField(default=list, db_default=[])),
    ]

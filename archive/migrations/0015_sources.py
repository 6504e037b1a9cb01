from django.db import migrations, models


class Migration(migrations.Migration):
    """Sources of a book's notes, cited by key; words of the source text on typeset pages."""

    dependencies = [("archive", "0014_jobs")]

    operations = [
        migrations.AddField("book", "sources", models.JSONField(default=list, db_default=[])),
        migrations.AddField("note", "sources", models.JSONField(default=list, db_default=[])),
        migrations.AddField("pageimage", "printed", models.JSONField(default=list, db_default=[])),
    ]

"""Phones: which one an entry comes from, when it was tapped, its answers before the last; what a draft amends."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0007_entry_step")]

    operations = [
        migrations.AddField("entry", "phone", models.CharField(max_length=16, null=True)),
        migrations.AddField("entry", "tapped_at", models.DateTimeField(null=True)),
        migrations.AddField("entry", "answers", models.JSONField(null=True)),
        migrations.AddField("draft", "amends", models.CharField(max_length=100, null=True)),
    ]

"""Draft taps: their ids, so that one that is sent twice counts once."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0012_trial_tables")]

    operations = [migrations.AddField("draft", "taps", models.JSONField(null=True))]

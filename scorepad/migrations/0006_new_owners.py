"""New owners: what a handover gives, and to which phone. Requests under the rule before end here."""

from typing import Any

from django.db import migrations, models


def end_requests(apps: Any, schema_editor: Any) -> None:
    apps.get_model("scorepad", "Handover").objects.all().delete()


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0005_table_seal")]

    operations = [
        migrations.RunPython(end_requests, migrations.RunPython.noop),
        migrations.AddField("link", "given_at", models.DateTimeField(null=True)),
        migrations.AddField("joincode", "given_at", models.DateTimeField(null=True)),
        migrations.AddField("handover", "granted_at", models.DateTimeField(null=True)),
        migrations.AddField("handover", "seen_at", models.DateTimeField(null=True)),
        migrations.AddField("handover", "claim_hash", models.CharField(max_length=64, null=True)),
    ]

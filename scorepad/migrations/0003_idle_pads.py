from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0002_entries_are_only_added")]

    operations = [
        # Guesses are counted in the turnstile's table now. The old table stays for one version, so that the code
        # before this one can run beside it; nothing reads it any more.
        migrations.SeparateDatabaseAndState(state_operations=[migrations.DeleteModel(name="Guesses")]),
        migrations.AddField("pad", "touched_at", models.DateTimeField(db_index=True, null=True)),
        migrations.AddField("pad", "notice_at", models.DateTimeField(db_index=True, null=True)),
    ]

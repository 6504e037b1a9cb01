"""Failed sign-ins are counted by the rate limiter."""

from django.db import migrations


class Migration(migrations.Migration):
    dependencies = [("people", "0002_sealed_secrets")]

    operations = [
        # The empty table stays for one version, so that the code before this one can run beside it.
        migrations.SeparateDatabaseAndState(
            database_operations=[migrations.RunSQL("DELETE FROM people_attempt", migrations.RunSQL.noop)],
            state_operations=[migrations.DeleteModel(name="Attempt")],
        ),
    ]

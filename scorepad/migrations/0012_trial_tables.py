from django.db import migrations, models


class Migration(migrations.Migration):
    """Pads that try a game while it is declared, and are gone soon."""

    dependencies = [("scorepad", "0011_declarations")]

    operations = [
        migrations.AddField("pad", "trial_until", models.DateTimeField(null=True, db_index=True)),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0006_new_owners")]

    operations = [
        migrations.AddField("entry", "step", models.PositiveIntegerField(null=True)),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0003_idle_pads")]

    operations = [
        migrations.AddField("pad", "last_seal", models.CharField(max_length=64, null=True)),
    ]

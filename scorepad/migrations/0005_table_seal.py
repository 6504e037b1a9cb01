from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0004_last_seal")]

    operations = [
        migrations.AddField("pad", "table_seal", models.CharField(max_length=64, null=True)),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("archive", "0008_search_in_postgres")]

    operations = [
        migrations.AddField(
            model_name="revision",
            name="moved",
            field=models.JSONField(null=True),
        ),
    ]

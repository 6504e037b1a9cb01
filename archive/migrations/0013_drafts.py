from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("archive", "0012_paragraphs_of_a_leaf")]

    operations = [
        migrations.AddField(
            model_name="book",
            name="subjects",
            field=models.JSONField(default=list),
        ),
    ]

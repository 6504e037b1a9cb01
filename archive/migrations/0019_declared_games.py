from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("archive", "0018_messages")]

    operations = [
        migrations.AddField("book", "declaration", models.TextField(default="", db_default="")),
        migrations.AddField(
            "book", "declared_key", models.CharField(max_length=40, default="", db_default="", db_index=True)
        ),
    ]

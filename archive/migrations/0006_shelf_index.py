from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('archive', '0005_retired'),
    ]

    operations = [
        migrations.AddIndex(
            model_name='book',
            index=models.Index(fields=['year', 'slug'], name='book_on_the_shelf'),
        ),
    ]

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('archive', '0002_search'),
    ]

    operations = [
        migrations.AddField(
            model_name='pageimage',
            name='made_from',
            field=models.CharField(blank=True, max_length=64),
        ),
    ]

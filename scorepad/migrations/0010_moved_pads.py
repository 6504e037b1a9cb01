from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scorepad', '0009_clubs'),
    ]

    operations = [
        migrations.AddField(
            model_name='pad',
            name='moved_from',
            field=models.CharField(max_length=64, null=True),
        ),
        migrations.AddConstraint(
            model_name='pad',
            constraint=models.UniqueConstraint(condition=models.Q(('moved_from__isnull', False)), fields=('moved_from',), name='pad_moved_once'),
        ),
    ]

"""Passkeys and their questions, recovery codes, shapes of names, and when a second step was removed."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('people', '0003_attempts_are_counted_by_the_limiter'),
    ]

    operations = [
        migrations.CreateModel(
            name='Challenge',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('question_hash', models.CharField(max_length=64, unique=True)),
                ('session', models.CharField(max_length=40)),
                ('purpose', models.CharField(max_length=12)),
                ('expires', models.DateTimeField(db_index=True)),
            ],
        ),
        migrations.AddField(
            model_name='person',
            name='handle',
            field=models.CharField(max_length=64, null=True, unique=True),
        ),
        migrations.AddField(
            model_name='person',
            name='skeleton',
            field=models.CharField(max_length=255, null=True, unique=True),
        ),
        migrations.AddField(
            model_name='person',
            name='step_removed',
            field=models.DateTimeField(null=True),
        ),
        migrations.AddField(
            model_name='person',
            name='step_removed_by',
            field=models.ForeignKey(null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL),
        ),
        migrations.CreateModel(
            name='Passkey',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('credential', models.CharField(max_length=1400, unique=True)),
                ('public_key', models.TextField()),
                ('sign_count', models.BigIntegerField(default=0)),
                ('host', models.CharField(max_length=255)),
                ('made', models.DateTimeField(default=django.utils.timezone.now)),
                ('used', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='passkeys', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['made'],
            },
        ),
        migrations.CreateModel(
            name='RecoveryCode',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField()),
                ('code_hash', models.CharField(max_length=128)),
                ('used', models.DateTimeField(null=True)),
                ('person', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='recovery_codes', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['place'],
                'constraints': [models.UniqueConstraint(fields=('person', 'place'), name='people_recovery_code_place_once')],
            },
        ),
    ]

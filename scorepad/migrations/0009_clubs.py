"""Clubs: their pads, names and links, and who asks to become an owner."""

import django.db.models.deletion
import django.utils.timezone
import scorepad.models
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('scorepad', '0008_phones'),
    ]

    operations = [
        migrations.CreateModel(
            name='Club',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=scorepad.models.new_code, max_length=16, unique=True)),
                ('name', models.CharField(max_length=60)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('touched_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('kept_at', models.DateTimeField(db_index=True, null=True)),
                ('revision', models.PositiveIntegerField(default=0)),
            ],
        ),
        migrations.CreateModel(
            name='ClubLink',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(choices=[('keep', 'keep'), ('play', 'play'), ('watch', 'watch')], max_length=5)),
                ('nonce', models.CharField(max_length=32)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('revoked_at', models.DateTimeField(db_index=True, null=True)),
                ('given_at', models.DateTimeField(null=True)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='links', to='scorepad.club')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ClubHandover',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('seat', models.PositiveSmallIntegerField(null=True)),
                ('device', models.CharField(blank=True, max_length=40)),
                ('asked_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('declined', models.BooleanField(default=False)),
                ('granted_at', models.DateTimeField(null=True)),
                ('seen_at', models.DateTimeField(null=True)),
                ('claim_hash', models.CharField(max_length=64, null=True)),
                ('club', models.OneToOneField(on_delete=django.db.models.deletion.CASCADE, related_name='handover', to='scorepad.club')),
                ('link', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, to='scorepad.clublink')),
            ],
            options={
                'abstract': False,
            },
        ),
        migrations.CreateModel(
            name='ClubName',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('spelling', models.CharField(max_length=200)),
                ('person', models.CharField(max_length=40)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='names', to='scorepad.club')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'spelling'), name='club_spelling_once')],
            },
        ),
        migrations.CreateModel(
            name='ClubPad',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('added_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('club', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='club_pads', to='scorepad.club')),
                ('pad', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='club_pads', to='scorepad.pad')),
            ],
            options={
                'constraints': [models.UniqueConstraint(fields=('club', 'pad'), name='club_pad_once')],
            },
        ),
    ]

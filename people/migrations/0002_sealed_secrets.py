"""Secrets of the second step that were kept in the clear are sealed."""

from django.db import migrations, models

from people.totp import seal, unseal


def seal_all(apps, schema_editor):
    for person in apps.get_model("people", "Person").objects.exclude(totp_secret=""):
        person.totp_secret = seal(unseal(person.totp_secret))
        person.save(update_fields=["totp_secret"])


def unseal_all(apps, schema_editor):
    for person in apps.get_model("people", "Person").objects.exclude(totp_secret=""):
        person.totp_secret = unseal(person.totp_secret)
        person.save(update_fields=["totp_secret"])


class Migration(migrations.Migration):
    dependencies = [("people", "0001_people")]

    operations = [
        migrations.AlterField("person", "totp_secret", models.CharField(blank=True, max_length=255)),
        migrations.RunPython(seal_all, unseal_all),
    ]

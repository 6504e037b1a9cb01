"""Shapes of the names there are. Of names that look alike the first has its shape, the others stay without."""

from django.db import migrations

from people import lookalikes


def fill(apps, schema_editor):
    people = apps.get_model("people", "Person").objects
    taken = set(people.exclude(skeleton=None).values_list("skeleton", flat=True))
    for person in people.filter(skeleton=None).order_by("joined", "pk"):
        shape = lookalikes.column(person.name)
        if shape not in taken:
            taken.add(shape)
            people.filter(pk=person.pk).update(skeleton=shape)


class Migration(migrations.Migration):
    dependencies = [("people", "0004_second_steps")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]

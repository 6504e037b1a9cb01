"""A book that has a history cannot be deleted, and each revision is sealed with the one before it."""

import hashlib
import json
from datetime import UTC

import django.db.models.deletion
from django.db import migrations, models


def seal(before, revision, slug):
    told = [before, slug, revision.number, revision.parent, revision.signed]
    told += [revision.made.astimezone(UTC).isoformat(), revision.reason, revision.files, revision.fingerprint]
    told += [revision.restores, revision.moved]
    return hashlib.sha256(json.dumps(told, sort_keys=True, separators=(",", ":")).encode()).hexdigest()


def seal_all(apps, schema_editor):
    Book, Revision = apps.get_model("archive", "Book"), apps.get_model("archive", "Revision")
    for pk, slug in Book.objects.values_list("pk", "slug").iterator():
        before = ""
        for revision in Revision.objects.filter(book=pk).order_by("number"):
            before = seal(before, revision, slug)
            Revision.objects.filter(pk=revision.pk).update(seal=before)


def of_book(name):
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name=name, to="archive.book"
    )


class Migration(migrations.Migration):
    dependencies = [("archive", "0009_leaves_that_moved")]

    operations = [
        migrations.AddField("revision", "seal", models.CharField(db_default="", default="", max_length=64)),
        migrations.AlterField("revision", "book", of_book("revisions")),
        migrations.AlterField("proposal", "book", of_book("proposals")),
        migrations.AlterField("leafcheck", "book", of_book("leaf_checks")),
        migrations.AlterField("slip", "book", of_book("slips")),
        migrations.AddIndex("revision", models.Index(fields=["made"], name="revisions_in_time")),
        migrations.RunPython(seal_all, migrations.RunPython.noop),
    ]

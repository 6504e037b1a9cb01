"""The fingerprint of a leaf counts its paragraphs on the leaf itself. Where that makes another one of the same
text, whatever was said of the text or found on its scans is said of the new one."""

import hashlib
import json

from django.db import migrations


def before(lines):
    first = lines[0][3] if lines else 0
    return _named([number, style, paragraph - first, *rest] for _, number, style, paragraph, *rest in lines)


def after(lines):
    counted = {}
    return _named(
        [number, style, counted.setdefault(paragraph, len(counted)), *rest]
        for _, number, style, paragraph, *rest in lines
    )


def _named(text):
    return hashlib.sha256(json.dumps(list(text)).encode()).hexdigest()


def count_anew(apps, schema_editor):
    model = {name: apps.get_model("archive", name) for name in ("Leaf", "LeafCheck", "PageImage", "Scan")}
    for leaf in model["Leaf"].objects.iterator(100):
        old, new = before(leaf.lines), after(leaf.lines)
        if old == new or leaf.fingerprint != old:
            continue
        model["Leaf"].objects.filter(pk=leaf.pk).update(fingerprint=new)
        model["LeafCheck"].objects.filter(book=leaf.book_id, fingerprint=old).update(fingerprint=new)
        model["PageImage"].objects.filter(leaf=leaf, made_from=old).update(made_from=new)
        model["Scan"].objects.filter(image__leaf=leaf, sought=old).update(sought=new)


class Migration(migrations.Migration):
    dependencies = [("archive", "0011_first_reading")]
    operations = [migrations.RunPython(count_anew, migrations.RunPython.noop, elidable=True)]

from django.db import migrations


def make_index(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute(
            "CREATE VIRTUAL TABLE archive_search USING fts5("
            "scope, book UNINDEXED, kind UNINDEXED, key UNINDEXED, anchor UNINDEXED, title, text, "
            "tokenize = 'porter unicode61 remove_diacritics 2')"
        )


def drop_index(apps, schema_editor):
    if schema_editor.connection.vendor == "sqlite":
        schema_editor.execute("DROP TABLE archive_search")


class Migration(migrations.Migration):
    """What SQLite searches by. PostgreSQL has an index of its own kind."""

    dependencies = [("archive", "0001_books")]

    operations = [migrations.RunPython(make_index, drop_index)]

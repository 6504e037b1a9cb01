from django.db import migrations

TABLE = """
    CREATE TABLE archive_search (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      scope bigint NOT NULL, book text NOT NULL, kind text NOT NULL, key text NOT NULL, anchor text NOT NULL,
      title text NOT NULL, text text NOT NULL, lexemes tsvector NOT NULL
    )
"""


def make_index(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute(TABLE)
        schema_editor.execute("CREATE INDEX archive_search_scope ON archive_search (scope)")
        # fastupdate would leave new words in a list that every search has to read through.
        schema_editor.execute(
            "CREATE INDEX archive_search_lexemes ON archive_search USING gin (lexemes) WITH (fastupdate = off)"
        )


def drop_index(apps, schema_editor):
    if schema_editor.connection.vendor == "postgresql":
        schema_editor.execute("DROP TABLE archive_search")


class Migration(migrations.Migration):
    """What PostgreSQL searches by. SQLite has an index of its own kind."""

    dependencies = [("archive", "0007_scans")]

    operations = [migrations.RunPython(make_index, drop_index)]

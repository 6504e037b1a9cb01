from django.db import migrations

TABLES = (
    "CREATE TABLE archive_search_word (word varchar(40) PRIMARY KEY, stem varchar(256) NOT NULL,"
    " found bigint NOT NULL)",
    "CREATE INDEX archive_search_word_stem ON archive_search_word (stem)",
    # Taken away words are looked for; without this every one would be.
    "CREATE INDEX archive_search_word_gone ON archive_search_word (found) WHERE found <= 0",
    "CREATE TABLE archive_search_trigram (trigram varchar(3) NOT NULL, letters smallint NOT NULL,"
    " word varchar(40) NOT NULL, PRIMARY KEY (trigram, letters, word))",
    "CREATE INDEX archive_search_trigram_word ON archive_search_trigram (word)",
    # The form of what is indexed: a site makes its index anew when a version indexes more or otherwise.
    "CREATE TABLE archive_search_form (form integer NOT NULL)",
)


def make_tables(apps, schema_editor):
    for table in TABLES:
        schema_editor.execute(table)


def drop_tables(apps, schema_editor):
    for table in ("archive_search_form", "archive_search_trigram", "archive_search_word"):
        schema_editor.execute(f"DROP TABLE {table}")


class Migration(migrations.Migration):
    """The words of the archive, for searches with a word that was misspelt. The tables are the same on both
    databases; a process of an older version does not know them."""

    dependencies = [("archive", "0016_pages_to_come")]

    operations = [migrations.RunPython(make_tables, drop_tables)]

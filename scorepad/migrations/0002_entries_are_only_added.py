"""The database itself refuses to change an entry, to remove a single one, or to leave a gap in the numbers.

The one exception is the deletion of a whole pad: `scorepad.pads.delete` sets `removed_at` on the pad first, in the
same transaction, and the entries of such a pad may go.
"""

from django.db import migrations

SQLITE = (
    """
    CREATE TRIGGER scorepad_entry_unchanged BEFORE UPDATE ON scorepad_entry
    BEGIN SELECT RAISE(ABORT, 'An entry is never changed.'); END
    """,
    """
    CREATE TRIGGER scorepad_entry_kept BEFORE DELETE ON scorepad_entry
    WHEN EXISTS (SELECT 1 FROM scorepad_pad WHERE id = OLD.pad_id AND removed_at IS NULL)
    BEGIN SELECT RAISE(ABORT, 'An entry is never removed.'); END
    """,
    # This one also stops INSERT OR REPLACE, which removes rows without asking the trigger above.
    """
    CREATE TRIGGER scorepad_entry_next BEFORE INSERT ON scorepad_entry
    WHEN NEW.number <> 1 + COALESCE((SELECT MAX(number) FROM scorepad_entry WHERE pad_id = NEW.pad_id), 0)
      OR EXISTS (SELECT 1 FROM scorepad_entry WHERE pad_id = NEW.pad_id AND entry_id = NEW.entry_id)
      OR EXISTS (SELECT 1 FROM scorepad_entry WHERE id = NEW.id)
    BEGIN SELECT RAISE(ABORT, 'Entries are numbered without gaps, each once.'); END
    """,
)

POSTGRESQL = (
    """
    CREATE FUNCTION scorepad_entry_unchanged() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN RAISE EXCEPTION 'An entry is never changed.' USING ERRCODE = 'restrict_violation'; END $$
    """,
    """
    CREATE FUNCTION scorepad_entry_kept() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF EXISTS (SELECT 1 FROM scorepad_pad WHERE id = OLD.pad_id AND removed_at IS NULL) THEN
        RAISE EXCEPTION 'An entry is never removed.' USING ERRCODE = 'restrict_violation';
      END IF;
      RETURN OLD;
    END $$
    """,
    """
    CREATE FUNCTION scorepad_entry_next() RETURNS trigger LANGUAGE plpgsql AS $$
    BEGIN
      IF NEW.number <> 1 + COALESCE((SELECT MAX(number) FROM scorepad_entry WHERE pad_id = NEW.pad_id), 0) THEN
        RAISE EXCEPTION 'Entries are numbered without gaps, each once.' USING ERRCODE = 'unique_violation';
      END IF;
      RETURN NEW;
    END $$
    """,
    "CREATE TRIGGER scorepad_entry_unchanged BEFORE UPDATE ON scorepad_entry"
    " FOR EACH ROW EXECUTE FUNCTION scorepad_entry_unchanged()",
    "CREATE TRIGGER scorepad_entry_kept BEFORE DELETE ON scorepad_entry"
    " FOR EACH ROW EXECUTE FUNCTION scorepad_entry_kept()",
    "CREATE TRIGGER scorepad_entry_next BEFORE INSERT ON scorepad_entry"
    " FOR EACH ROW EXECUTE FUNCTION scorepad_entry_next()",
)

NAMES = ("scorepad_entry_unchanged", "scorepad_entry_kept", "scorepad_entry_next")


def add(apps, schema_editor):
    for statement in POSTGRESQL if schema_editor.connection.vendor == "postgresql" else SQLITE:
        schema_editor.execute(statement)


def remove(apps, schema_editor):
    for name in NAMES:
        if schema_editor.connection.vendor == "postgresql":
            schema_editor.execute(f"DROP FUNCTION {name} CASCADE")
        else:
            schema_editor.execute(f"DROP TRIGGER {name}")


class Migration(migrations.Migration):
    dependencies = [("scorepad", "0001_initial")]
    operations = [migrations.RunPython(add, remove)]

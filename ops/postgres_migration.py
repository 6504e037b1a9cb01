"""Migration from SQLite to PostgreSQL: the rows of a snapshot are copied into an empty database.

Row by row, each as it was: with its number, its times and its seals, so that it can be verified there.
"""

from collections.abc import Iterator
from pathlib import Path

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import Error, connection, connections, models, transaction
from django.db.utils import ConnectionHandler

from archive import search
from ops.database_snapshots import SnapshotError

SOURCE = "snapshot"
APP_LABELS = ("turnstile", "people", "archive", "scorepad")
"""Labels of the apps whose rows are copied. Django's own tables are made anew by its migrations."""


def copy_from_sqlite(snapshot: Path) -> None:
    """Fill the empty database of this site with the rows of this file, which is of the same version."""
    source = {"ENGINE": "django.db.backends.sqlite3", "NAME": str(snapshot)}
    connections.settings[SOURCE] = ConnectionHandler({"default": source}).settings["default"]
    try:
        call_command("migrate", interactive=False, verbosity=0)
        # In one transaction: what refers to a later row is checked against it at the end.
        with transaction.atomic():
            for model in copied_models():
                for row in model._base_manager.using(SOURCE).order_by("pk").iterator():
                    row.save_base(raw=True, using="default", force_insert=True)
            _reset_sequences()
            search.index().rebuild()
    except Error as fault:
        raise SnapshotError(f"The rows could not be copied: {fault} Create the database again.") from fault
    finally:
        connections[SOURCE].close()
        del connections[SOURCE], connections.settings[SOURCE]


def copied_models() -> Iterator[type[models.Model]]:
    for app in APP_LABELS:
        yield from apps.get_app_config(app).get_models(include_auto_created=True)


def _reset_sequences() -> None:
    """Number new rows after those that came with their numbers."""
    with connection.cursor() as cursor:
        for words in connection.ops.sequence_reset_sql(no_style(), list(copied_models())):
            cursor.execute(words)

"""The rows of a SQLite snapshot carried into PostgreSQL: a site that outgrew its one machine.

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
from archive.models import Book
from config import environment
from ops.snapshots import SnapshotError

FROM = "snapshot"
OURS = ("turnstile", "people", "archive", "scorepad")
"""Whose rows are carried. What Django keeps for itself it makes anew where it migrates."""


def carry(snapshot: Path) -> None:
    """Fill the empty database of this site with the rows of this file, which is of the same version."""
    given = ConnectionHandler({"default": environment.sqlite(str(snapshot))}).settings["default"]
    connections.settings[FROM] = given
    try:
        call_command("migrate", interactive=False, verbosity=0)
        # Of one moment and one mind: what refers to a later row is held against it at the end.
        with transaction.atomic():
            for model in carried():
                for row in model._base_manager.using(FROM).order_by("pk").iterator():
                    row.save_base(raw=True, using="default", force_insert=True)
            _number_on()
            for book in Book.objects.order_by("pk"):
                search.index().add(book)
    except Error as fault:
        raise SnapshotError(f"The rows could not be carried over: {fault} Make the database anew.") from fault
    finally:
        connections[FROM].close()
        del connections[FROM], connections.settings[FROM]


def carried() -> Iterator[type[models.Model]]:
    for app in OURS:
        yield from apps.get_app_config(app).get_models(include_auto_created=True)


def _number_on() -> None:
    """New rows are numbered after those that came with their numbers."""
    with connection.cursor() as cursor:
        for words in connection.ops.sequence_reset_sql(no_style(), list(carried())):
            cursor.execute(words)

"""A scan held by whoever changes it. It is read again first: of two curators who press a key in the same
second, the second one hears what the first has done."""

from __future__ import annotations

from archive.models import Book, Leaf
from archive.models.scans import Scan
from archive.publication.errors import EditError


class Changed(EditError):
    """Somebody else was quicker, so nothing was done; the page shows the scan as it now is."""


class Removed(EditError):
    """Somebody else has taken it away, so there is no page of it any more."""

    def __init__(self) -> None:
        super().__init__("This scan has been removed meanwhile. Send the picture again if it is wanted.")


def hold(scan: Scan) -> None:
    """The scan as it now stands, until the end of the transaction. Whoever changes a scan holds its book."""
    Book.objects.select_for_update().only("pk").get(pk=scan.book_id)
    try:
        scan.refresh_from_db()
    except Scan.DoesNotExist:
        raise Removed from None


def check_leaf(leaf: Leaf | None) -> None:
    """Changed if the leaf that was chosen went or moved meanwhile."""
    if leaf is not None and not Leaf.objects.filter(pk=leaf.pk, number=leaf.number).exists():
        raise Changed("The leaves of this book have been moved meanwhile. Choose the leaf once more.")

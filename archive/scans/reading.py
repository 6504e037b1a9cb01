"""A first text for a leaf that has none, read from its scan."""

from __future__ import annotations

from archive.curation.saving import EditRefused
from archive.history_models import Proposal
from archive.scan_models import Scan
from people.models import Person


def is_offered(scan: Scan) -> bool:
    return False


def propose_text(scan: Scan, person: Person) -> Proposal:
    raise EditRefused("No reader is installed here; write the lines by hand.")

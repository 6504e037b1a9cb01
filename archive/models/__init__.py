"""The rows of the archive, in three files; import them from here."""

from archive.models.books import (
    Book,
    BookQuerySet,
    BriefLine,
    Leaf,
    LeafQuerySet,
    Note,
    PageImage,
    Passage,
    PassageName,
    Variant,
)
from archive.models.history import FileText, LeafCheck, Proposal, Revision, Slip
from archive.models.scans import Original, Placing, Scan
from archive.models.word_models import FirstReading

__all__ = [
    "Book",
    "BookQuerySet",
    "BriefLine",
    "FileText",
    "FirstReading",
    "Leaf",
    "LeafCheck",
    "LeafQuerySet",
    "Note",
    "Original",
    "PageImage",
    "Passage",
    "PassageName",
    "Placing",
    "Proposal",
    "Revision",
    "Scan",
    "Slip",
    "Variant",
]

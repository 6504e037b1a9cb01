"""The tables of the archive; import them from here.

books    rows drawn from the files of a book: leaves, passages, notes, variants, rules in brief; page images
game_drafts  declared games that somebody is still writing
jobs     work on many scans at once
reader_messages  what readers tell the curators
history  revisions, proposals, checks of leaves
scans    uploaded originals, scans, proposed ones, and when they were put up or taken down
"""

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
from archive.models.game_drafts import GameDraft
from archive.models.history import FileText, LeafCheck, Proposal, Remark, Revision, Slip, StateChange
from archive.models.jobs import Job, JobPage
from archive.models.reader_messages import MessagePhotograph, ReaderMessage
from archive.models.scans import FirstReading, Original, Placing, ProposedScan, Scan

__all__ = [
    "Book",
    "BookQuerySet",
    "BriefLine",
    "FileText",
    "FirstReading",
    "GameDraft",
    "Job",
    "JobPage",
    "Leaf",
    "LeafCheck",
    "LeafQuerySet",
    "MessagePhotograph",
    "Note",
    "Original",
    "PageImage",
    "Passage",
    "PassageName",
    "Placing",
    "Proposal",
    "ProposedScan",
    "ReaderMessage",
    "Remark",
    "Revision",
    "Scan",
    "Slip",
    "StateChange",
    "Variant",
]

"""The list of the pages of a book: image, scan, proofreading, missing words; and how far the whole is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from archive.curation import proofreading
from archive.curation.forms.leaf_text import doubts_in
from archive.curation.proofreading import LeafProofreading
from archive.images.pictures import Picture, page_image
from archive.models import Book, Leaf
from archive.models.history import Proposal
from archive.models.scans import Scan


@dataclass(frozen=True)
class ListedPage:
    """A page of the list. `missing` counts words without a place on its scan; None where it has no scan."""

    proofreading: LeafProofreading
    picture: Picture | None
    missing: int | None
    doubts: int
    first_text: Proposal | None

    @property
    def leaf(self) -> Leaf:
        return self.proofreading.leaf

    @property
    def has_scan(self) -> bool:
        return self.missing is not None


@dataclass(frozen=True)
class Progress:
    """How far a whole book is: pages of each kind, and words without a place."""

    pages: int
    with_scan: int
    with_text: int
    proofread: int
    validated: int
    problematic: int
    missing: int
    doubts: int


def pages_of(book: Book, text: str, first_texts: Mapping[int, Proposal]) -> list[ListedPage]:
    doubts = Counter(leaf for leaf, _ in doubts_in(text))
    images = {leaf.pk: leaf for leaf in Leaf.objects.filter(book=book).defer("lines").with_images()}
    shown = Scan.objects.filter(book=book, image__withdrawn=False)
    missing = {leaf: len(words) for leaf, words in shown.values_list("image__leaf", "missing")}
    return [
        ListedPage(
            one,
            page_image(images[one.leaf.pk], book.short_title),
            missing.get(one.leaf.pk),
            doubts[one.leaf.number],
            first_texts.get(one.leaf.number),
        )
        for one in proofreading.states_of(book)
    ]


def progress_of(pages: Sequence[ListedPage]) -> Progress:
    states = [page.proofreading.state for page in pages]
    validated = states.count(proofreading.VALIDATED)
    return Progress(
        pages=len(pages),
        with_scan=sum(page.has_scan for page in pages),
        with_text=len(pages) - states.count(proofreading.WITHOUT_TEXT),
        proofread=states.count(proofreading.PROOFREAD) + validated,
        validated=validated,
        problematic=states.count(proofreading.PROBLEMATIC),
        missing=sum(page.missing or 0 for page in pages),
        doubts=sum(page.doubts for page in pages),
    )

"""Books and games of the home page: the books by their years, the games with their number of seats."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.db.models import Count, Exists, F, Max, Min, OuterRef, Q

import engine
from archive.curation.proofreading import PROOFREAD, VALIDATED
from archive.images.pictures import Picture, picture_of
from archive.models import Book, Leaf, LeafCheck, PageImage, Passage
from engine.rules import listed
from scorepad import declarations

MAX_DATED = 9
MAX_BOOKS = 10
"""Two rows of covers, the last for a book without a year; the search finds the others of a larger archive."""

MIN_LEAD_LENGTH = 60
DECLARED_SHOWN_MOST = 4
"""So many declared games stand beside ours; more have a list of their own, with a search."""
NUMBERS = ("", "One", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten")


@dataclass(frozen=True)
class ShelfBook:
    slug: str
    short_title: str
    maker: str
    place: str
    year: int | None
    blurb: str
    rights_label: str
    cover: list[Mapping[str, str]]
    cover_leaf: int | None
    pages: int
    proofread: int
    picture: Picture | None = None
    """The scan that is its cover, if it has one; else the cover is typeset from its lines."""

    @property
    def has_pages(self) -> bool:
        return self.pages > 0

    @property
    def imprint(self) -> str:
        stated = [part for part in (self.maker, self.place) if part and part != "Not known"]
        return ", ".join(stated).rstrip(".") + "."

    @property
    def lead(self) -> str:
        """The blurb's beginning: whole sentences, until something has been said."""
        sentences = self.blurb.split(". ")
        enough = next(
            (n for n in range(1, len(sentences)) if len(". ".join(sentences[:n])) >= MIN_LEAD_LENGTH), 0
        )
        return ". ".join(sentences[:enough]) + "." if enough else self.blurb


@dataclass(frozen=True)
class GameStart:
    """A game for which a pad can be started."""

    key: str
    title: str
    year: int | None
    seats: str
    by: str = ""
    """Who declared it from its rulebook; empty for a game of the engine."""


class GameStarts(NamedTuple):
    """The games to start on the home page, and how many more the page for a new pad lists."""

    shown: list[GameStart]
    more: int


def books() -> list[ShelfBook]:
    """The oldest first, the undated last; never more than fit two rows, so that the page does not grow."""
    shelved = Book.objects.public().values(
        *(ShelfBook.__dataclass_fields__.keys() - {"pages", "proofread", "picture"})
    )
    rows = list(shelved.filter(year__isnull=False).order_by("year", "slug")[:MAX_DATED])
    rows += shelved.filter(year=None).order_by("slug")[: MAX_BOOKS - len(rows)]
    # Asked of these books alone: as a part of the first query PostgreSQL reads every leaf of every book.
    counted = _pages([row["slug"] for row in rows])
    pictures = _pictures([row["slug"] for row in rows if row["cover_leaf"]])
    return [
        ShelfBook(
            **row,
            pages=counted.get(row["slug"], (0, 0))[0],
            proofread=counted.get(row["slug"], (0, 0))[1],
            picture=pictures.get(row["slug"]),
        )
        for row in rows
    ]


def _pictures(slugs: list[str]) -> dict[str, Picture]:
    """The scans that are the covers of these books, by slug."""
    if not slugs:
        return {}
    scans = PageImage.objects.filter(
        kind=PageImage.SCAN,
        withdrawn=False,
        leaf__book__slug__in=slugs,
        leaf__number=F("leaf__book__cover_leaf"),
    )
    shown = scans.defer("words").select_related("leaf__book").order_by("pk")
    return {image.leaf.book.slug: picture_of(image, "") for image in shown}


def heading() -> str:
    """The first words of the page: "Four old rulebooks and the facts of a modern game"."""
    facts = Q(year=None) & Q(~Exists(Leaf.objects.filter(book=OuterRef("pk"))))
    counted = Book.objects.public().aggregate(all=Count("pk"), facts=Count("pk", filter=facts))
    modern = counted["facts"]
    old, games = counted["all"] - modern, "a modern game" if modern == 1 else f"{number(modern)} modern games"
    rulebooks = f"{number(old)} old rulebook{'s' if old > 1 else ''}" if old else ""
    told = " and ".join(part for part in (rulebooks, f"the facts of {games}" if modern else "") if part)
    return f"{told[:1].upper()}{told[1:]}" if told else "Old rulebooks"


def number(count: int) -> str:
    return NUMBERS[count].lower() if count < len(NUMBERS) else f"{count:,}"


def _pages(slugs: list[str]) -> dict[str, tuple[int, int]]:
    """The number of pages of these books by slug, and of those that are proofread."""
    leaves = Leaf.objects.filter(book__slug__in=slugs).order_by().values("book__slug")
    checks = LeafCheck.objects.filter(book__slug__in=slugs).order_by()
    # Grouped once: to ask for the last check of each page goes through all checks of its book every time.
    last = checks.values("book", "leaf").annotate(last=Max("pk")).values("last")
    # A check of another text than the present one no longer counts.
    checked = Leaf.objects.filter(
        book=OuterRef("book"), number=OuterRef("leaf"), fingerprint=OuterRef("fingerprint")
    )
    proofread = checks.filter(Exists(checked), pk__in=last, state__in=(PROOFREAD, VALIDATED))
    done = dict(proofread.values("book__slug").annotate(n=Count("pk")).values_list("book__slug", "n"))
    pages = leaves.annotate(n=Count("pk")).values_list("book__slug", "n")
    return {slug: (count, done.get(slug, 0)) for slug, count in pages}


@dataclass(frozen=True)
class BookHistory:
    """How a rulebook came to be as it is here: its first and its latest revision, its proofread pages."""

    slug: str
    short_title: str
    year: int | None
    first: datetime
    latest: datetime
    revisions: int
    pages: int
    proofread: int


def histories() -> list[BookHistory]:
    """The history of each public rulebook that is on the shelf, the oldest rulebook first."""
    shelved = {book.slug: book for book in books()}
    rows = Book.objects.filter(slug__in=shelved).order_by(F("year").asc(nulls_last=True), "slug")
    told = rows.annotate(
        first=Min("revisions__made"), latest=Max("revisions__made"), count=Count("revisions")
    ).values_list("slug", "short_title", "year", "first", "latest", "count")
    return [
        BookHistory(slug, title, year, first, latest, count, shelved[slug].pages, shelved[slug].proofread)
        for slug, title, year, first, latest, count in told
    ]


def games() -> GameStarts:
    """The games for which a pad can be started: ours, and those of other rulebooks while they are few."""
    declared = declarations.offered()
    has_room = len(declared) <= DECLARED_SHOWN_MOST
    registered = (*engine.GAMES.values(), *(declared if has_room else ()))
    scored_by = Book.objects.public().filter(slug__in={game.book for game in registered})
    years = dict(scored_by.values_list("slug", "year"))
    shown = [
        GameStart(
            declarations.key_of(game.key), game.title, years.get(game.book), seats(*game.seats), game.by
        )
        for game in registered
    ]
    return GameStarts(shown, 0 if has_room else len(declared))


def seats(least: int, most: int) -> str:
    return f"{least} seats" if least == most else f"{least} to {most} seats"


def rights(shelf: Iterable[ShelfBook]) -> list[tuple[str, str]]:
    """Years by their statement of rights, for the foot of the page: ("1916 and 1926", "No …")."""
    years: dict[str, list[str]] = {}
    for book in shelf:
        if book.year:
            years.setdefault(book.rights_label, []).append(str(book.year))
    return [(listed(group), label) for label, group in years.items()]


def sentence(book: str, anchor: str) -> str:
    """A sentence of a leaflet, to show how leaflets speak; "" while the book is not loaded."""
    passages = Passage.objects.named(book, anchor).filter(book__state=Book.PUBLIC)
    return passages.values_list("reading", flat=True).first() or ""


def has_scans(shelf: Iterable[ShelfBook]) -> bool:
    """Tell if any of these books has a scan; until then all its pages are typeset, and say so."""
    slugs = [book.slug for book in shelf]
    return PageImage.objects.filter(kind=PageImage.SCAN, withdrawn=False, leaf__book__slug__in=slugs).exists()

"""Books as documents. A book's own files are kept word for word and are the truth; every other row is drawn
from them when a book is published, so that pages and searches need not read the files again.

Page images are the exception: they are made or uploaded beside the text and hold on to their leaf.
"""

from __future__ import annotations

import hashlib
from typing import Any

from django.db import models
from django.urls import reverse

import engine
from archive.edition import Line
from archive.edition.line_json import unpack_lines
from archive.edition.text import Layer
from archive.rights_statements import IMAGE_RIGHTS

Json = Any
CREDIT_LABELS = {
    "credit": "Image by",
    "holder": "Held by",
    "captured": "Captured",
    "rights": "Rights",
    "source": "From",
}
NO_LINES = hashlib.sha256(b"[]").hexdigest()
"""The fingerprint of a leaf without text."""


class BookQuerySet(models.QuerySet["Book"]):
    def on_time_line(self) -> BookQuerySet:
        """The oldest first, the undated last."""
        return self.order_by(models.F("year").asc(nulls_last=True), "slug")

    def public(self) -> BookQuerySet:
        """Without drafts and without what was withdrawn."""
        return self.filter(state=Book.PUBLIC)

    def catalogued(self) -> BookQuerySet:
        """The catalogue alone, without the texts."""
        return self.defer("files", "loose", "declaration")

    def for_reading(self) -> BookQuerySet:
        """With what its reading page shows, and without the files, which it does not."""
        leaves = models.Prefetch("leaves", Leaf.objects.with_images())
        return self.defer("files").prefetch_related(leaves, "passages", "notes", "variants")


class Book(models.Model):
    """A leaflet. `files` is its edition as written by the editors; `fingerprint` names that state of it.
    `state` says who sees it; `public_since` is when a book that began as a draft was first published."""

    DRAFT, PUBLIC, WITHDRAWN = "draft", "public", "withdrawn"

    state = models.CharField(max_length=10, default=PUBLIC, db_default=PUBLIC, db_index=True)
    public_since = models.DateTimeField(null=True)
    reading = models.CharField(max_length=40, default="", db_default="")
    """The language that its pages are read in, as Tesseract names it; empty for that of the catalogue."""
    slug = models.SlugField(unique=True)
    title = models.CharField(max_length=300)
    short_title = models.CharField(max_length=120)
    maker = models.CharField(max_length=300)
    place = models.CharField(max_length=200)
    year = models.PositiveSmallIntegerField(null=True)
    date = models.CharField(max_length=200)
    copyright = models.TextField()
    language = models.CharField(max_length=35)
    players = models.CharField(max_length=300)
    pieces = models.TextField()
    games = models.JSONField(default=list)
    blurb = models.TextField()
    provenance = models.TextField()
    holding = models.TextField()
    unknown = models.JSONField(default=list)
    rights_address = models.CharField(max_length=300)
    rights_label = models.CharField(max_length=120)
    rights_reasons = models.TextField()
    cover = models.JSONField(default=list)
    cover_leaf = models.PositiveSmallIntegerField(null=True)
    subjects = models.JSONField(default=list, db_default=[])
    sections = models.JSONField(default=list)
    sources = models.JSONField(default=list, db_default=[])
    loose = models.JSONField(default=list)
    files = models.JSONField(default=dict)
    declaration = models.TextField(default="", db_default="")
    """The game that it declares, as in its files; empty for most."""
    declared_key = models.CharField(max_length=40, default="", db_default="", db_index=True)
    fingerprint = models.CharField(max_length=64)
    loaded_fingerprint = models.CharField(max_length=64, blank=True)
    published = models.DateTimeField()

    objects = BookQuerySet.as_manager()

    class Meta:
        ordering = ["slug"]
        indexes = [models.Index(fields=["year", "slug"], name="book_on_the_shelf")]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("book", args=[self.slug])

    @property
    def is_public(self) -> bool:
        return self.state == self.PUBLIC

    @property
    def headline(self) -> str:
        """Title, maker and place in one line, without what is not known."""
        stop = "" if self.title.endswith((".", "?", "!")) else "."
        return f"{self.title}{stop} {self.imprint}".rstrip()

    @property
    def imprint(self) -> str:
        """Maker and place as far as they are known; empty if neither is."""
        return ", ".join(part for part in (self.maker, self.place) if part and part != "Not known")

    @property
    def was_edited(self) -> bool:
        """True if the text has changed here since it was last loaded from a folder."""
        return self.fingerprint != self.loaded_fingerprint

    @property
    def loose_lines(self) -> tuple[Line, ...]:
        """Lines that belong to no leaf: a slip laid on the copy, or our own statements."""
        return unpack_lines(self.loose)


class LeafQuerySet(models.QuerySet["Leaf"]):
    def with_images(self) -> LeafQuerySet:
        return self.prefetch_related("images")


class Leaf(models.Model):
    """A page in its true place; `number` counts from 1, `label` is what is printed on it."""

    book = models.ForeignKey(Book, models.CASCADE, related_name="leaves")
    number = models.PositiveSmallIntegerField()
    label = models.CharField(max_length=60, blank=True)
    title = models.CharField(max_length=200)
    break_certainty = models.CharField(max_length=10)
    source_lines = models.CharField(max_length=60)
    lines = models.JSONField(default=list)
    fingerprint = models.CharField(max_length=64)

    objects = LeafQuerySet.as_manager()

    class Meta:
        ordering = ["book", "number"]
        constraints = [models.UniqueConstraint(fields=["book", "number"], name="one_leaf_of_a_number")]

    def __str__(self) -> str:
        return f"{self.book_id}, leaf {self.number}"

    @property
    def text_lines(self) -> tuple[Line, ...]:
        return unpack_lines(self.lines)

    @property
    def told(self) -> str:
        """What is on it, where that says more than its number."""
        return "" if self.title == f"Page {self.number}" else self.title

    @property
    def image(self) -> PageImage | None:
        """The best image of this page: a scan if there is one, the newest first; else the facsimile."""
        shown = (image for image in self.images.all() if not image.withdrawn)
        return max(shown, key=lambda image: (image.kind == "scan", image.pk), default=None)


class PageImage(models.Model):
    """One image of a leaf, as served. `identifier` names it in image addresses; `checksum` is of its file.

    `words` holds the place of every word, in pixels of the full image, in reading order:
    {"text": "points", "line": 7, "passage": "score-capture", "x": 310, "y": 902, "w": 118, "h": 41}
    where `line` is the line's number on its leaf. On a scan they are words of the source text. A typeset page
    has those of the reading text, and `printed` has where those of the source text would stand. `made_from`
    names the text and typesetter of a typeset page.
    A scan that was withdrawn is not shown on its leaf any more; its own address still answers.
    """

    FACSIMILE, SCAN = "facsimile", "scan"

    leaf = models.ForeignKey(Leaf, models.PROTECT, related_name="images")
    kind = models.CharField(max_length=10, choices=[(FACSIMILE, "facsimile"), (SCAN, "scan")])
    identifier = models.CharField(max_length=120, unique=True)
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    checksum = models.CharField(max_length=64)
    words = models.JSONField(default=list)
    printed = models.JSONField(default=list, db_default=[])
    made_from = models.CharField(max_length=64, blank=True)
    credits = models.JSONField(default=dict, db_default={})
    """Of a scan: who made it, who holds the copy, when, and under which rights, as far as it was said."""
    withdrawn = models.BooleanField(default=False, db_default=False)
    made = models.DateTimeField(auto_now=True)

    class Meta:
        ordering = ["leaf", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["leaf"], condition=models.Q(kind="facsimile"), name="one_facsimile_of_a_leaf"
            )
        ]

    def __str__(self) -> str:
        return self.identifier

    @property
    def is_facsimile(self) -> bool:
        return self.kind == self.FACSIMILE

    @property
    def credit_lines(self) -> list[tuple[str, str]]:
        """What is said with the image, each with its label."""
        told = {**self.credits, "rights": IMAGE_RIGHTS.get(self.credits.get("rights", ""), "")}
        return [(label, told[name]) for name, label in CREDIT_LABELS.items() if told.get(name)]

    @property
    def layer(self) -> Layer:
        """The layer of the text whose words these are."""
        return "reading" if self.printed else "printed"


class PassageQuerySet(models.QuerySet["Passage"]):
    def named(self, book: str, anchor: str) -> PassageQuerySet:
        """The passage of this name, old and further names included; at most one."""
        return self.filter(book__slug=book, names__name=anchor)

    def cited(self, cites: list[str] | tuple[str, ...], within: Book | None = None) -> dict[str, Passage]:
        """Passages by the citations `book/anchor` that lead to them; what leads nowhere is left out. Only
        public books are cited, and the one that is shown itself."""
        wanted = [cite.partition("/") for cite in cites]
        books, anchors = {book for book, _, _ in wanted}, {anchor for _, _, anchor in wanted}
        seen = models.Q(book__state=Book.PUBLIC) | models.Q(book=within)
        names = PassageName.objects.filter(seen, book__slug__in=books, name__in=anchors).select_related(
            "passage__book"
        )
        found = {f"{name.passage.book.slug}/{name.name}": name.passage for name in names}
        return {cite: found[cite] for cite in cites if cite in found}


class Passage(models.Model):
    """A citable piece of text in both layers. `anchor` is its name; PassageName has its other names too."""

    book = models.ForeignKey(Book, models.CASCADE, related_name="passages")
    order = models.PositiveSmallIntegerField()
    anchor = models.CharField(max_length=80)
    anchors = models.JSONField(default=list)
    aliases = models.JSONField(default=list)
    kind = models.CharField(max_length=10)
    section = models.CharField(max_length=200, blank=True)
    printed = models.TextField(blank=True)
    reading = models.TextField(blank=True)
    leaves = models.JSONField(default=list)

    objects = PassageQuerySet.as_manager()

    class Meta:
        ordering = ["book", "order"]
        constraints = [models.UniqueConstraint(fields=["book", "anchor"], name="one_passage_of_an_anchor")]

    def __str__(self) -> str:
        return self.anchor

    def get_absolute_url(self) -> str:
        return reverse("passage", args=[self.book.slug, self.anchor])

    @property
    def citation(self) -> str:
        return f"{self.book.slug}/{self.anchor}"

    @property
    def is_ours(self) -> bool:
        """True if the words are the editors' own, and nothing printed."""
        return self.kind == "ours"


class PassageName(models.Model):
    """A name that leads to a passage. Names are never taken away once published, so that citations hold."""

    book = models.ForeignKey(Book, models.CASCADE, related_name="passage_names")
    passage = models.ForeignKey(Passage, models.CASCADE, related_name="names")
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["book", "name"], name="one_passage_of_a_name")]

    def __str__(self) -> str:
        return self.name


class NoteQuerySet(models.QuerySet["Note"]):
    def open_questions(self) -> NoteQuerySet:
        """Ambiguities and silences with readings to choose from, in the order of the text."""
        return self.filter(kind__in=["ambiguity", "silence"]).exclude(readings=[])


class Note(models.Model):
    """An annotation. `number` is its place in the book's own count; a note without a passage is on the book.
    `place` is where its sign stands first: leaf, line, run and letter."""

    book = models.ForeignKey(Book, models.CASCADE, related_name="notes")
    passage = models.ForeignKey(Passage, models.CASCADE, related_name="notes", null=True)
    number = models.PositiveSmallIntegerField()
    slug = models.CharField(max_length=80)
    kind = models.CharField(max_length=12)
    title = models.CharField(max_length=300)
    body = models.TextField()
    html = models.TextField()
    signed = models.CharField(max_length=120)
    dated = models.DateField()
    quote = models.TextField(blank=True)
    prefix = models.TextField(blank=True)
    suffix = models.TextField(blank=True)
    layer = models.CharField(max_length=10)
    region = models.CharField(max_length=60, blank=True)
    authority = models.CharField(max_length=10, blank=True)
    certainty = models.CharField(max_length=10, blank=True)
    option = models.CharField(max_length=60, blank=True)
    default = models.CharField(max_length=60, blank=True)
    readings = models.JSONField(default=list)
    sources = models.JSONField(default=list, db_default=[])
    place = models.JSONField(null=True)

    objects = NoteQuerySet.as_manager()

    class Meta:
        ordering = ["book", "number"]
        constraints = [models.UniqueConstraint(fields=["book", "slug"], name="one_note_of_a_slug")]

    def __str__(self) -> str:
        return self.slug


class VariantQuerySet(models.QuerySet["Variant"]):
    def offered(self) -> VariantQuerySet:
        """Without those that were retired; their pages stay, and pads that play them keep them. Those of
        drafts are not offered yet, those of withdrawn books no more."""
        return self.filter(retired="", book__state=Book.PUBLIC)

    def of_game(self, game: str) -> VariantQuerySet:
        return self.offered().filter(game=game)


class Variant(models.Model):
    """A named set of options with its reasons. `options` holds what differs from the engine's defaults."""

    book = models.ForeignKey(Book, models.CASCADE, related_name="variants")
    order = models.PositiveSmallIntegerField()
    slug = models.SlugField(unique=True, max_length=80)
    game = models.CharField(max_length=60, db_index=True)
    title = models.CharField(max_length=200)
    reasons = models.TextField()
    html = models.TextField()
    cites = models.JSONField(default=list)
    options = models.JSONField(default=dict)
    pad = models.JSONField(default=dict)
    who = models.CharField(max_length=200, blank=True)
    since = models.CharField(max_length=60, blank=True)
    retired = models.CharField(max_length=10, blank=True)

    objects = VariantQuerySet.as_manager()

    class Meta:
        ordering = ["game", "order"]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return reverse("variant", args=[self.slug])

    @property
    def differences(self) -> list[str]:
        """The options that differ from the defaults, in the engine's words."""
        game = engine.GAMES.get(self.game)
        options = {option.key: option for option in game.options} if game else {}
        chosen = [(options[key], value) for key, value in self.options.items() if key in options]
        words = [
            option.readings.get(str(value)) or f"{option.question.partition('?')[0]}? {value}"
            for option, value in chosen
        ]
        pads = [f"On the pad, {key}: {', '.join(map(str, values))}" for key, values in self.pad.items()]
        return words + pads


class BriefLine(models.Model):
    """One line of the rules in brief of a game, with the passages it rests on."""

    book = models.ForeignKey(Book, models.CASCADE, related_name="brief_lines")
    game = models.CharField(max_length=60, db_index=True)
    title = models.CharField(max_length=200)
    order = models.PositiveSmallIntegerField()
    text = models.TextField()
    cites = models.JSONField(default=list)

    class Meta:
        ordering = ["game", "order"]

    def __str__(self) -> str:
        return f"{self.game} {self.order}"

"""Scans: uploaded originals, the pages cut from them, the log of what was put up or taken down, the
words first read on a page, and pictures that are proposed as scans.

An original is never changed. A scan is a way of looking at one: its steps can be chosen anew at any time."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models.functions import Now
from django.urls import reverse
from django.utils import timezone

from archive.models.books import NO_LINES, Book, Leaf, PageImage
from archive.scans.geometry import Steps, page_size, steps_from

THUMBNAIL_SIDE = 320
"""The longer side of a thumbnail in the list of scans."""


class Original(models.Model):
    """A file as it came, kept under its own SHA-256. Width and height are those of the upright picture."""

    digest = models.CharField(max_length=64, unique=True)
    name = models.CharField(max_length=200)
    kind = models.CharField(max_length=10)
    size = models.PositiveBigIntegerField()
    width = models.PositiveIntegerField()
    height = models.PositiveIntegerField()
    frames = models.PositiveSmallIntegerField(default=1)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="originals")
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

    @property
    def file_name(self) -> str:
        """Its name in the storage of originals."""
        return f"scans/{self.digest[:2]}/{self.digest}.{self.kind}"

    def copy_name(self, frame: int) -> str:
        """A smaller copy, in our own making, from which previews are drawn."""
        return f"scans/{self.digest[:2]}/{self.digest}.{frame}.copy.jpg"

    @property
    def file_names(self) -> list[str]:
        """All that is kept of it."""
        return [self.file_name, *(self.copy_name(frame) for frame in range(self.frames))]

    @property
    def is_needed(self) -> bool:
        """True while it is a scan, or waits to become one."""
        return self.scans.exists() or self.proposed_scans.filter(proposal__state="waiting").exists()


class ScanQuerySet(models.QuerySet["Scan"]):
    def of_book(self, book: Book) -> ScanQuerySet:
        return self.filter(book=book).select_related("original", "leaf", "image", "book")

    def for_page(self) -> ScanQuerySet:
        """With all that the page of one scan shows."""
        return self.select_related("original", "leaf", "image__leaf", "book")


class Scan(models.Model):
    """One page of an original. `part` is the whole picture or one half of a spread; `steps` says how it is
    turned, straightened, cut and toned; `image` is what was last made of it. `missing` lists the words of the
    leaf that were not found on it, `sought` names the text they were sought for, or says how it stands:
    empty or AFRESH is to be done, LEFT_ALONE until it is asked for again."""

    WHOLE, LEFT, RIGHT = "whole", "left", "right"
    AFRESH, GIVEN_UP, TOO_MUCH = "afresh", "given up", "too much"
    LEFT_ALONE = (GIVEN_UP, TOO_MUCH)

    book = models.ForeignKey(Book, models.CASCADE, related_name="scans")
    original = models.ForeignKey(Original, models.PROTECT, related_name="scans")
    frame = models.PositiveSmallIntegerField(default=0)
    part = models.CharField(max_length=5, default=WHOLE)
    order = models.PositiveIntegerField()
    leaf = models.ForeignKey(Leaf, models.SET_NULL, null=True, related_name="scans")
    steps = models.JSONField(default=dict)
    image = models.ForeignKey(PageImage, models.SET_NULL, null=True, related_name="scans")
    name = models.CharField(max_length=200, default="", db_default="")
    """The name of the file as it was sent for this book: the same file may be in another book too."""
    signed = models.CharField(max_length=80, default="", db_default="")
    sent = models.DateTimeField(default=timezone.now, db_default=Now())
    credits = models.JSONField(default=dict, db_default={})
    """As in PageImage.credits, for the image that is made of it."""
    reading = models.CharField(max_length=40, default="", db_default="")
    """The language that it is read in, where it is another than that of its book."""
    doubt = models.CharField(max_length=10, blank=True, default="", db_default="")
    """Why the whole picture was proposed and no frame: a key of scans.detection.FRAME_DOUBTS."""
    regions = models.JSONField(default=list, db_default=[])
    """The columns and headings of the page in the order in which they are read, as a curator drew them: left,
    top, width and height of each, in per cent. Without any they are found by the search for words."""
    missing = models.JSONField(default=list)
    sought = models.CharField(max_length=64, blank=True)

    objects = ScanQuerySet.as_manager()

    class Meta:
        ordering = ["book", "order", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["book", "original", "frame", "part"], name="one_scan_of_a_part")
        ]

    def __str__(self) -> str:
        return f"{self.name}, {self.part}"

    def get_absolute_url(self) -> str:
        return reverse("scan", args=[self.book.slug, self.pk])

    @property
    def chosen_steps(self) -> Steps:
        return steps_from(self.steps)

    @property
    def thumbnail_size(self) -> tuple[int, int]:
        """Width and height of its thumbnail, so that nothing shifts while it loads."""
        return page_size(self.original.width, self.original.height, self.chosen_steps, THUMBNAIL_SIDE)

    @property
    def missing_lines(self) -> list[tuple[int, str]]:
        """The words that were not found, by the number of their line."""
        lines: dict[int, list[str]] = {}
        for word in self.missing:
            lines.setdefault(word["line"], []).append(word["text"])
        return [(line, " ".join(words)) for line, words in sorted(lines.items())]

    @property
    def is_shown(self) -> bool:
        return self.image is not None and not self.image.withdrawn

    @property
    def is_being_searched(self) -> bool:
        """True if its words are being searched for, or should be."""
        return self.is_shown and self.sought in ("", self.AFRESH)

    @property
    def wants_text(self) -> bool:
        """Published, on a leaf without a text: a first transcript is offered."""
        return self.image is not None and self.is_shown and self.image.leaf.fingerprint == NO_LINES

    @property
    def title(self) -> str:
        page = f", page {self.frame + 1}" if self.original.frames > 1 else ""
        half = "" if self.part == self.WHOLE else f", {self.part} half"
        return f"{self.name}{page}{half}"


class Placing(models.Model):
    """One line of the log of page images: a scan was put up on its leaf, or taken down. Never changed."""

    UP, DOWN = "up", "down"

    book = models.ForeignKey(Book, models.CASCADE, related_name="placings")
    leaf = models.PositiveSmallIntegerField()
    act = models.CharField(max_length=4, choices=[(UP, "put up"), (DOWN, "taken down")])
    identifier = models.CharField(max_length=120)
    checksum = models.CharField(max_length=64)
    original = models.CharField(max_length=64)
    steps = models.JSONField(default=dict)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="placings")
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)
    reason = models.TextField()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"leaf {self.leaf}: {self.identifier} {self.get_act_display()}"

    @property
    def words(self) -> str:
        return steps_from(self.steps).words


class FirstReading(models.Model):
    """Words read on a scan of a leaf that had no text: `words` as in PageImage.words, with the numbers the
    lines have in the text that was proposed. They light the lines while that text is mended, and when it is
    published they become the places of its words."""

    image = models.OneToOneField(PageImage, models.CASCADE, related_name="first_reading")
    by = models.CharField(max_length=40)
    words = models.JSONField(default=list)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.image_id}, by {self.by}"


class ProposedScan(models.Model):
    """A picture that somebody proposes as the scan of a leaf. Only its author and curators see it. Once it is
    accepted it is a scan like any other; of one that was refused or withdrawn the picture is deleted."""

    proposal = models.OneToOneField("archive.Proposal", models.CASCADE, related_name="proposed_scan")
    book = models.ForeignKey(Book, models.CASCADE, related_name="proposed_scans")
    leaf = models.ForeignKey(Leaf, models.SET_NULL, null=True, related_name="proposed_scans")
    original = models.ForeignKey(Original, models.SET_NULL, null=True, related_name="proposed_scans")
    name = models.CharField(max_length=200)
    credits = models.JSONField(default=dict)
    """As in Scan.credits."""

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name

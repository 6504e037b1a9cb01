"""History: what was published when, by whom and why. Rows here are added and never changed, except that a
proposal is decided once and a slipped note is marked as repaired. A book or person with a history cannot be
deleted."""

from __future__ import annotations

from datetime import datetime

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from archive.models.books import Book


class FileText(models.Model):
    """The text of a file of some revision, named by its SHA-256; kept once however often it occurs."""

    digest = models.CharField(max_length=64, primary_key=True)
    text = models.TextField()

    def __str__(self) -> str:
        return self.digest[:12]


class Revision(models.Model):
    """One published state of a whole book: `files` has the digest of each of its files by name. `restores` is
    the number of the revision it brings back, if it does; `moved` says of each leaf where it stood in the
    parent, 0 if it is new, and is null where none has moved."""

    book = models.ForeignKey(Book, models.PROTECT, related_name="revisions")
    number = models.PositiveIntegerField()
    parent = models.PositiveIntegerField(null=True)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="revisions")
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)
    reason = models.TextField()
    files = models.JSONField()
    fingerprint = models.CharField(max_length=64)
    restores = models.PositiveIntegerField(null=True)
    moved = models.JSONField(null=True)
    seal = models.CharField(max_length=64, default="", db_default="")
    """A hash over this row and the seal before it: altering one revision breaks all that follow."""

    class Meta:
        ordering = ["book", "-number"]
        constraints = [models.UniqueConstraint(fields=["book", "number"], name="one_revision_of_a_number")]
        indexes = [models.Index(fields=["made"], name="revisions_in_time")]

    def __str__(self) -> str:
        return f"revision {self.number}"

    def get_absolute_url(self) -> str:
        return reverse("revision", args=[self.book.slug, self.number])


class StateChange(models.Model):
    """One line of the log of what a book is to others: published, withdrawn. Added, and never changed."""

    book = models.ForeignKey(Book, models.PROTECT, related_name="state_changes")
    state = models.CharField(
        max_length=10, choices=[(Book.PUBLIC, "published"), (Book.WITHDRAWN, "withdrawn")]
    )
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="state_changes"
    )
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)
    reason = models.TextField()

    class Meta:
        ordering = ["book", "-pk"]

    def __str__(self) -> str:
        return f"{self.book_id}: {self.state}"


class Proposal(models.Model):
    """A change that waits for a curator. `files` has only what it changes, as against revision `parent`. The
    proposal of a new book has its draft already, and changes nothing in it; one that was made of a reader's
    message changes nothing yet; that of a scan has its picture in ProposedScan."""

    EDIT, BOOK, MESSAGE, SCAN = "edit", "book", "message", "scan"
    WAITING, ACCEPTED, REFUSED, WITHDRAWN = "waiting", "accepted", "refused", "withdrawn"
    STATES = (WAITING, ACCEPTED, REFUSED, WITHDRAWN)

    kind = models.CharField(max_length=10, default=EDIT, db_default=EDIT)
    book = models.ForeignKey(Book, models.PROTECT, related_name="proposals")
    parent = models.PositiveIntegerField()
    author = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="proposals")
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)
    reason = models.TextField()
    place = models.CharField(max_length=200)
    address = models.CharField(max_length=300)
    files = models.JSONField()
    state = models.CharField(max_length=10, choices=[(s, s) for s in STATES], default=WAITING, db_index=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="decisions"
    )
    decided = models.DateTimeField(null=True)
    words = models.TextField(blank=True)
    revision = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["made"]

    def __str__(self) -> str:
        return f"{self.place}, by {self.signed}"

    @property
    def editor(self) -> str:
        """The address of the form that shows what is proposed."""
        return f"{self.address}{'&' if '?' in self.address else '?'}proposal={self.pk}"

    @property
    def last_said(self) -> Remark | None:
        return max(self.remarks.all(), key=lambda remark: remark.pk, default=None)

    @property
    def waits_for_author(self) -> bool:
        """True once a curator has asked something and its author has not answered."""
        return self.last_said is not None and self.last_said.person_id != self.author_id

    @property
    def waits_since(self) -> datetime:
        return self.last_said.made if self.last_said else self.made


class Remark(models.Model):
    """Something said about a proposal, by its author or by a curator. Added, and never changed."""

    proposal = models.ForeignKey(Proposal, models.CASCADE, related_name="remarks")
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="remarks")
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)
    words = models.TextField()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.signed}: {self.words[:40]}"


class LeafCheck(models.Model):
    """The result of checking a leaf against its page, in the text named by `fingerprint`."""

    book = models.ForeignKey(Book, models.PROTECT, related_name="leaf_checks")
    leaf = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=16)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="leaf_checks")
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)
    fingerprint = models.CharField(max_length=64)

    class Meta:
        ordering = ["book", "leaf", "pk"]

    def __str__(self) -> str:
        return f"leaf {self.leaf}: {self.state}"


class Slip(models.Model):
    """A note whose words are no longer in the text. It stands at its whole passage until it is repaired;
    its words are still found in revision `made_for`."""

    book = models.ForeignKey(Book, models.PROTECT, related_name="slips")
    note = models.CharField(max_length=80)
    made_for = models.PositiveIntegerField()
    slipped_in = models.PositiveIntegerField()
    layer = models.CharField(max_length=10)
    prefix = models.TextField(blank=True)
    quote = models.TextField()
    suffix = models.TextField(blank=True)
    repaired = models.PositiveIntegerField(null=True)

    class Meta:
        ordering = ["book", "note"]

    def __str__(self) -> str:
        return self.note

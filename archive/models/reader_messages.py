"""Messages of readers: what somebody without an account has told the curators about a place of a book, and
the answer. A name, a mail address and a photograph are kept for some time after the answer and no longer."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from archive.models.books import Book
from archive.models.history import Proposal


class ReaderMessage(models.Model):
    """One message. `kind` and `name` say what it is about: page 3, the passage of this anchor, the note of
    this id, or the whole rulebook. Only a hash of its private link is kept."""

    BOOK, PAGE, PASSAGE, NOTE = "book", "page", "passage", "note"
    KINDS = ((BOOK, "rulebook"), (PAGE, "page"), (PASSAGE, "passage"), (NOTE, "note"))

    book = models.ForeignKey(Book, models.CASCADE, related_name="reader_messages")
    kind = models.CharField(max_length=10, choices=KINDS)
    name = models.CharField(max_length=120, blank=True)
    words = models.TextField()
    checksum = models.CharField(max_length=64)
    """SHA-256 of the words."""
    sender = models.CharField(max_length=80, blank=True)
    email = models.CharField(max_length=254, blank=True)
    token_hash = models.CharField(max_length=64, unique=True)
    made = models.DateTimeField(default=timezone.now)
    answer = models.TextField(blank=True)
    answered = models.DateTimeField(null=True, db_index=True)
    answered_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, null=True, related_name="answered_messages"
    )
    signed = models.CharField(max_length=80, blank=True)
    proposal = models.ForeignKey(Proposal, models.SET_NULL, null=True, related_name="reader_messages")
    """The proposal that a curator has made of it."""
    forgotten = models.DateTimeField(null=True)
    """When name, mail address and photograph were deleted."""

    class Meta:
        ordering = ["made", "pk"]

    def __str__(self) -> str:
        return f"message {self.pk}"

    def get_absolute_url(self) -> str:
        return reverse("reader-message", args=[self.pk])

    @property
    def from_whom(self) -> str:
        return self.sender or "A reader"

    @property
    def place(self) -> str:
        """What it is about, in words."""
        kind = self.get_kind_display()
        return f"The whole {kind}" if self.kind == self.BOOK else f"{kind.capitalize()} {self.name}"


class MessagePhotograph(models.Model):
    """A photograph that came with a message: a copy made of bare pixels, so that nothing the camera has noted
    is in it."""

    message = models.OneToOneField(ReaderMessage, models.CASCADE, related_name="photograph")
    jpeg = models.BinaryField()
    checksum = models.CharField(max_length=64)

    def __str__(self) -> str:
        return f"photograph of message {self.message_id}"

"""Table of the games that somebody is declaring and has not published yet."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from archive.models.books import Book


class GameDraft(models.Model):
    """A declared game of a book while one person writes it. It is nobody else's until it is published or
    proposed, and then it goes."""

    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="game_drafts")
    book = models.ForeignKey(Book, models.CASCADE, related_name="game_drafts")
    proposal = models.PositiveIntegerField(default=0)
    """The number of the proposal it amends; 0 if it amends none."""
    parent = models.PositiveIntegerField()
    """The revision it was begun over."""
    declaration = models.TextField()
    sheets = models.TextField(blank=True)
    trial = models.CharField(max_length=16, blank=True)
    """The code of the pad that tries it."""
    changed = models.DateTimeField(default=timezone.now, db_index=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["person", "book", "proposal"], name="game_draft_once"),
        ]

    def __str__(self) -> str:
        return f"{self.book_id} by {self.person_id}"

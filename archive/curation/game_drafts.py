"""Drafts of declared games: what one person writes about a book, until it is published or proposed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.http import HttpRequest
from django.utils import timezone

from archive.curation.edits import OpenBook, open_book
from archive.edition.declared_game import GAME, SHEETS
from archive.models import GameDraft
from archive.publication.errors import EditError
from engine.declared.golden import BYTES_MOST as SHEETS_BYTES_MOST
from engine.declared.schema import BYTES_MOST
from people.models import Person
from people.permissions import person_of

MAX_DRAFTS = 20
"""So many games one person may be writing at once."""
DRAFT_DAYS = 180
"""A draft that was not touched for so long is deleted."""


@dataclass(frozen=True)
class OpenGame:
    """The declared game of a book as this person left it, or as the book has it."""

    opened: OpenBook
    draft: GameDraft | None
    files: dict[str, str]

    @property
    def query(self) -> str:
        """What its addresses need to open the same again."""
        return f"?proposal={self.opened.proposal.pk}" if self.opened.proposal else ""

    @property
    def book_files(self) -> dict[str, str]:
        """All files of the book, with the game as it stands here."""
        return self.opened.files | self.files


def open_game(request: HttpRequest, slug: str) -> OpenGame:
    opened = open_book(request, slug)
    number = opened.proposal.pk if opened.proposal else 0
    drafts = GameDraft.objects.filter(person=person_of(request), book=opened.book, proposal=number)
    draft = drafts.first()
    if draft is None:
        return OpenGame(opened, None, {name: opened.files.get(name, "") for name in (GAME, SHEETS)})
    if "parent" not in request.POST:
        opened = open_book(request, slug, draft.parent)
    return OpenGame(opened, draft, {GAME: draft.declaration, SHEETS: draft.sheets})


def keep(person: Person, game: OpenGame, files: Mapping[str, str], parent: int | None = None) -> GameDraft:
    """Keep these files as the draft of this person; EditError if they are too long, or too many are kept."""
    written = game.files | dict(files)
    if len(written[GAME].encode()) > BYTES_MOST:
        raise EditError(f"game.toml would be longer than {BYTES_MOST:,} bytes. Take something out first.")
    if len(written[SHEETS]) > SHEETS_BYTES_MOST:
        raise EditError("The example sheets would be too long. Take one out first.")
    if game.draft is None and GameDraft.objects.filter(person=person).count() >= MAX_DRAFTS:
        raise EditError(f"You are writing {MAX_DRAFTS} games already. Publish or discard one of them first.")
    number = game.opened.proposal.pk if game.opened.proposal else 0
    draft, _ = GameDraft.objects.update_or_create(
        person=person,
        book=game.opened.book,
        proposal=number,
        defaults={
            "declaration": written[GAME],
            "sheets": written[SHEETS],
            "parent": game.opened.parent if parent is None else parent,
            "changed": timezone.now(),
        },
    )
    return draft


def drop(game: OpenGame) -> None:
    if game.draft is not None:
        game.draft.delete()


def delete_old() -> None:
    """Delete the drafts that nobody goes on with; done once a day."""
    GameDraft.objects.filter(changed__lt=timezone.now() - timedelta(days=DRAFT_DAYS)).delete()

"""Drafts of declared games: what one person writes about a book, until it is published or proposed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from archive.curation.edits import OpenBook, open_book
from archive.edition.declared_game import GAME, SHEETS
from archive.models import GameDraft
from archive.models.history import Proposal
from archive.publication import revisions
from archive.publication.errors import EditError
from engine.declared import digest_of
from engine.declared.golden import BYTES_MOST as SHEETS_BYTES_MOST
from engine.declared.schema import BYTES_MOST
from people.models import Person
from people.permissions import person_of

MAX_DRAFTS = 20
"""So many games one person may be writing at once."""
DRAFT_DAYS = 180
"""A draft that was not touched for so long is deleted."""
MEANWHILE = "The game was changed in another window meanwhile. Look at this again, and save once more."


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
    def takes_it_out(self) -> bool:
        """Whether the book has a game, and this draft has none."""
        return not self.files[GAME] and bool(self.opened.files.get(GAME))

    @property
    def seen(self) -> str:
        """The digest of the draft, by which a form says over which one it was written; of nothing if there is
        none, as what the book has is told by its revision."""
        return digest_of(json.dumps([self.draft.declaration, self.draft.sheets]) if self.draft else "")

    @property
    def book_files(self) -> dict[str, str]:
        """All files of the book, with the game as it stands here."""
        return self.opened.files | self.files


def open_game(request: HttpRequest, slug: str) -> OpenGame:
    opened = open_book(request, slug)
    draft = _draft_of(person_of(request), opened)
    if draft is None:
        return OpenGame(opened, None, {name: opened.files.get(name, "") for name in (GAME, SHEETS)})
    if "parent" not in request.POST:
        opened = open_book(request, slug, draft.parent)
    return OpenGame(opened, draft, {GAME: draft.declaration, SHEETS: draft.sheets})


def keep(person: Person, game: OpenGame, files: Mapping[str, str]) -> GameDraft:
    """Keep these files as the draft of this person; EditError if they are too long, if too many are kept, or
    if another window kept something since this one looked. The draft goes on resting on its revision."""
    written = game.files | dict(files)
    if len(written[GAME].encode()) > BYTES_MOST:
        raise EditError(f"game.toml would be longer than {BYTES_MOST:,} bytes. Take something out first.")
    if len(written[SHEETS]) > SHEETS_BYTES_MOST:
        raise EditError("The example sheets would be too long. Take one out first.")
    texts = {"declaration": written[GAME], "sheets": written[SHEETS], "changed": timezone.now()}
    with transaction.atomic():
        Person.objects.select_for_update().get(pk=person.pk)
        held = _draft_of(person, game.opened)
        before = (game.draft.declaration, game.draft.sheets) if game.draft else None
        if (held and (held.declaration, held.sheets)) != before:
            raise EditError(MEANWHILE)
        if held is None:
            _make_room(person)
            number = game.opened.proposal.pk if game.opened.proposal else 0
            held = GameDraft(person=person, book=game.opened.book, proposal=number, parent=game.opened.parent)
        for name, value in texts.items():
            setattr(held, name, value)
        held.save(update_fields=None if held.pk is None else [*texts])
    return held


def _draft_of(person: Person, opened: OpenBook) -> GameDraft | None:
    number = opened.proposal.pk if opened.proposal else 0
    return GameDraft.objects.filter(person=person, book=opened.book, proposal=number).first()


def _make_room(person: Person) -> None:
    """Drop drafts in which nothing is left to publish, where one more would be too many."""
    drafts = GameDraft.objects.filter(person=person)
    if drafts.count() < MAX_DRAFTS:
        return
    waiting = Proposal.objects.filter(state=Proposal.WAITING).values("pk")
    drafts.exclude(proposal=0).exclude(proposal__in=waiting).delete()
    for draft in drafts.filter(proposal=0).select_related("book"):
        texts = revisions.files_at(draft.book, draft.parent)
        if (draft.declaration, draft.sheets) == (texts.get(GAME, ""), texts.get(SHEETS, "")):
            draft.delete()
    if drafts.count() >= MAX_DRAFTS:
        says = f"You are writing {MAX_DRAFTS} games already; the desk lists them."
        raise EditError(f"{says} Publish or discard one of them first.")


def drop(game: OpenGame) -> None:
    if game.draft is not None:
        game.draft.delete()


def delete_old() -> None:
    """Delete the drafts that nobody goes on with; done once a day."""
    GameDraft.objects.filter(changed__lt=timezone.now() - timedelta(days=DRAFT_DAYS)).delete()

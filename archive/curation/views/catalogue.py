"""The catalogue of a book as a form: plain questions, a preview, and the same history as everything else."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

import engine
from archive.curation import proposals
from archive.curation.edits import MergeConflictError
from archive.curation.forms import catalogue as cataloguing
from archive.curation.forms import catalogue_fields, fields
from archive.curation.forms.catalogue import Card, CatalogueError
from archive.curation.opening import Opened, open_book
from archive.curation.views.errors import NOT_TAKEN, answer_to
from archive.edition.transcript import read_text
from archive.models.history import Proposal
from archive.publication import revisions
from people.permissions import person_of, requires

REASON_MOST = 500


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def catalogue(request: HttpRequest, slug: str) -> HttpResponse:
    opened = open_book(request, slug)
    if request.method != "POST":
        return _page(request, opened, cataloguing.card_of(cataloguing.catalogue_in(opened.files)))
    card, act = cataloguing.card_from(request.POST), request.POST.get("act", "")
    verb, _, place = act.partition(":")
    if verb in ("up", "down") and place.isdecimal() and len(place) < 4:
        return _page(request, opened, cataloguing.moved(card, int(place), -1 if verb == "up" else 1))
    return _take(request, opened, card, act == "preview")


def _take(request: HttpRequest, opened: Opened, card: Card, only_look: bool) -> HttpResponse:
    old, anchors = cataloguing.catalogue_in(opened.files), _anchors(opened)
    reason = fields.line(request.POST.get("reason", ""))[:REASON_MOST]
    address = reverse("catalogue", args=[opened.slug])
    try:
        written = cataloguing.catalogue_from(card, anchors, old)
        if only_look:
            return _page(request, opened, card, looked=True)
        changed = cataloguing.with_catalogue(opened.files, written)
        done = proposals.submit(person_of(request), opened, changed, reason, "Catalogue", address)
    except CatalogueError as bad:
        return _page(request, opened, card, 422, wrong=bad.faults)
    except MergeConflictError as clash:
        base = cataloguing.catalogue_in(revisions.files_at(opened.book, opened.parent))
        theirs = cataloguing.catalogue_in(revisions.texts_of(clash.head.files))
        mine = cataloguing.joined(cataloguing.card_of(base), card, cataloguing.card_of(theirs))
        status, said = answer_to(clash)
        return _page(request, opened, mine, status, **said)
    except NOT_TAKEN as fault:
        status, said = answer_to(fault)
        return _page(request, opened, card, status, **said)
    if isinstance(done, Proposal):
        return redirect("proposal", done.pk)
    return redirect(f"{address}?saved={done.revision.number}")


def _anchors(opened: Opened) -> list[str]:
    return [passage.anchor for passage in read_text(opened.files["text.txt"]).passages]


def _page(
    request: HttpRequest, opened: Opened, card: Card, status: int = 200, **context: Any
) -> HttpResponse:
    saved = request.GET.get("saved", "")
    context |= questions(card, context.get("wrong", {}))
    context |= {
        "book": opened.book,
        "opened": opened,
        "parent": context.get("parent", opened.parent),
        "anchors": _anchors(opened),
        "preview": preview_of(card, opened.slug),
        "saved": saved if saved.isdecimal() and len(saved) < 10 else "",
        "publishes": person_of(request).may("publish"),
        "reason": request.POST.get("reason", ""),
    }
    return render(request, "curation/catalogue.html", context, status=status)


def questions(card: Card, wrong: dict[str, str], fillable: tuple[str, ...] = ()) -> dict[str, Any]:
    """What the fields of a catalogue need, with what is wrong at each; those that are `fillable` may be left
    empty here, whatever the catalogue needs."""
    rights = dict(catalogue_fields.STATEMENTS)
    if card.rights and card.rights not in rights:
        rights[card.rights] = card.rights

    def asked(asks: tuple[catalogue_fields.Ask, ...]) -> list[dict[str, Any]]:
        return [
            {
                "ask": ask,
                "value": card.answers.get(ask.name, ""),
                "fault": wrong.get(ask.name),
                "needed": ask.otherwise is None and ask.name not in fillable,
            }
            for ask in asks
        ]

    return {
        "what": asked(catalogue_fields.WHAT),
        "table": asked(catalogue_fields.TABLE),
        "told": asked(catalogue_fields.TOLD),
        "why": asked((catalogue_fields.WHY,)),
        "card": card,
        "statements": rights.items(),
        "games": engine.GAMES.values(),
        "styles": cataloguing.COVER_STYLES,
        "wrong": wrong,
    }


def preview_of(card: Card, slug: str) -> dict[str, Any]:
    """The card and the cover as they will be shown, right or wrong."""
    answers = {
        name: card.answers.get(name) or ask.otherwise or "" for name, ask in catalogue_fields.ASKS.items()
    }
    return {
        "slug": slug,
        "answers": answers,
        "cover": [{"text": text, "style": style} for text, style in card.cover],
        "has_pages": True,
        "rights_label": catalogue_fields.STATEMENTS.get(card.rights, card.rights),
        "unknown": [line for line in card.answers.get("unknown", "").split("\n") if line.strip()],
        "games": [engine.GAMES[key].title for key in card.games],
    }

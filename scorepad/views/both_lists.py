"""Both lists where a phone without network and its table went on, and the phone's as a pad of its own."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

import engine
from scorepad import both_lists, ledger, replay_budget
from scorepad.access import links
from scorepad.access.permissions import PadAccess
from scorepad.forms import place_in
from scorepad.limits import limit
from scorepad.new_pads import creation_limit
from scorepad.views.decorators import pad_script


@pad_script(links.PLAY)
def compare(request: HttpRequest, access: PadAccess) -> HttpResponse:
    """Both lists with the totals each way; nothing is stored."""
    seen, entries = _sent(request)
    another = [name for name in _list(request, "another") if isinstance(name, str)]
    with replay_budget.spend(ledger.head(access.pad) + len(entries)):
        found = both_lists.compare(access.pad, seen, entries, another, access.who)
        response = render(request, "scorepad/_both_lists.html", {"pad": access.pad, "found": found})
    response.headers["Cache-Control"] = "private, no-store"
    return response


@pad_script(links.PLAY)
def own(request: HttpRequest, access: PadAccess) -> HttpResponse:
    """What the phone has entered, as a pad of its own. Asked for twice by one name, it is one pad."""
    seen, entries = _sent(request)
    with creation_limit(request), replay_budget.spend(ledger.head(access.pad) + len(entries)):
        told = both_lists.own_pad(access.pad, request.POST.get("name", ""), seen, entries, access.who)
    return JsonResponse(told, headers={"Cache-Control": "no-store"})


def _sent(request: HttpRequest) -> tuple[int, list[Any]]:
    """The head that the phone has seen, and its entries."""
    seen = place_in(request.POST.get("seen", ""), limit("ENTRIES_PER_PAD_MOST") + 1)
    if seen is None:
        raise engine.Refused("bad-request", "This phone did not say what it has seen. Load the pad again.")
    return seen, _list(request, "entries")


def _list(request: HttpRequest, name: str) -> list[Any]:
    sent = engine.read(request.POST.get(name, "[]").encode())
    most = limit("ENTRIES_PER_POST_MOST")
    if not isinstance(sent, list) or len(sent) > most:
        raise engine.Refused("bad-request", f"Send a list of at most {most}.")
    return sent

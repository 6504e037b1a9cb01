"""Correction page of an old entry: the same keys as when it was made, and what else would change first.

It corrects the entry, its whole deal or hand, or adds something that was forgotten beside it.
"""

from dataclasses import dataclass, field, replace
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

import engine
from scorepad import corrections, ledger, rounds, snapshots
from scorepad.access import links, permissions
from scorepad.access.permissions import PadAccess
from scorepad.layouts import questions
from scorepad.limits import limit
from scorepad.presentation.correction import FORGOTTEN, Asked, OldEntry, correction_context
from scorepad.presentation.pad import refusal_of
from scorepad.views.decorators import private, replayed


@require_http_methods(["GET", "HEAD", "POST"])
@private
@replayed
def correct(request: HttpRequest, code: str, entry_id: str) -> HttpResponse:
    """GET shows the entry with its keys; a tap shows what would change; `store` stores it."""
    access = permissions.required(request, code, links.PLAY)
    old = _old_entry(access, entry_id)
    form = _Form(old, request.POST if request.method == "POST" else request.GET)
    refused = None
    if request.method == "POST":
        try:
            if "store" in request.POST:
                return _store(request, access)
            form.read()
        except engine.Refused as error:
            refused = error
        except questions.PartError as error:
            refused = engine.Refused("bad-draft", str(error))
    context = {
        "access": access,
        "tap_id": ledger.new_id(),
        "refusal": refusal_of(refused) if refused else None,
        "correcting": True,
        **correction_context(old, form.asked),
    }
    name = "scorepad/_correct.html" if _wants_fragment(request) else "scorepad/correct.html"
    return render(request, name, context, status=422 if refused else 200)


def _old_entry(access: PadAccess, entry_id: str) -> OldEntry:
    state = snapshots.state_without_draft(access.pad)
    place = state.position.places.get(entry_id)
    if place is None:
        raise Http404("This entry is not in the log.")
    return OldEntry(access.pad, state, place, entry_id)


def _wants_fragment(request: HttpRequest) -> bool:
    return "X-Fragment" in request.headers


@dataclass
class _Form:
    """The form of the page as it comes back: anything may have been written into it."""

    old: OldEntry
    given: QueryDict
    asked: Asked = field(init=False)

    def __post_init__(self) -> None:
        scope = self._first("forgotten") if "forgotten" in self.given else self._first("scope")
        self.asked = Asked(
            scope=scope if scope in FORGOTTEN and self.old.spot(scope) else "",
            at=self._first("turn") or self.given.get("at", ""),
            by=self._first("by"),
            who=self._first("who"),
            strike=bool(self.given.get("strike")),
        )
        self.asked = replace(self.asked, partial=self.old.start(self.asked.scope))

    def _first(self, name: str) -> str:
        """The button that was pressed stands before the form's own fields."""
        return (self.given.getlist(name) or [""])[0]

    def read(self) -> None:
        """Read what was filled in before, and the tap; raises Refused, and keeps what could be read."""
        if "forgotten" in self.given:
            return
        made = self._json("made", {})
        if made != {}:
            self.asked = replace(self.asked, partial=corrections.check_partial(self.old.state, made))
        follows = [corrections.check_partial(self.old.state, entry) for entry in self._list("follows")]
        if "round" in self.given:
            change = rounds.read_change(self.old.round(self.asked.who), self._json("round", {}))
            self.asked = replace(self.asked, change=change)
        elif self.given.get("asking") and "enter" in self.given:
            entry = corrections.check_partial(self.old.state, self._json("enter", {}))
            self.asked = replace(self.asked, follows=(*follows, entry))
        else:
            self._tap(follows)

    def _tap(self, follows: list[dict[str, Any]]) -> None:
        state = self.old.state_at(self.asked)
        tapped = {name: str(value) for name, value in self.given.items()}
        after = corrections.apply_tap(state, dict(self.asked.partial), tapped)
        if after:
            after = corrections.check_partial(self.old.state, after)
        has_changed = after != self.asked.partial
        self.asked = replace(self.asked, partial=after, follows=() if has_changed else tuple(follows))
        if has_changed and self.old.asks_elsewhere(self.asked):
            self.asked = replace(self.asked, at="")

    def _json(self, name: str, empty: Any) -> Any:
        words = self._first(name)
        return engine.read(words.encode()) if words else empty

    def _list(self, name: str) -> list[Any]:
        found = self._json(name, [])
        if not isinstance(found, list) or len(found) > limit("ENTRIES_PER_POST_MOST"):
            raise engine.Refused("bad-entry", corrections.UNREADABLE)
        return found


def _store(request: HttpRequest, access: PadAccess) -> HttpResponse:
    sent, tap_id = engine.read(request.POST["store"].encode()), request.POST.get("tap") or ledger.new_id()
    if isinstance(sent, list) and 0 < len(sent) <= limit("ENTRIES_PER_POST_MOST"):
        _, outcomes = ledger.append_together(access.pad, sent, access.who)
    else:
        entry = {"id": tap_id, **sent} if isinstance(sent, dict) else sent
        _, outcomes = ledger.append(access.pad, [entry], access.who)
    errors = [outcome.error for outcome in outcomes if outcome.error is not None]
    if errors:
        raise next((error for error in errors if error.code != "together"), errors[0])
    address = f"/pads/{access.pad.code}/"
    # A script would follow a redirect itself, and get a page it has no use for.
    return (
        HttpResponse(status=201, headers={"Location": address})
        if _wants_fragment(request)
        else HttpResponseRedirect(address)
    )

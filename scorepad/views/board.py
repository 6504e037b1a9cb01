"""The board of a pad: a page for a television, and its fragment for live updates."""

import hashlib
import json

from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.utils.cache import get_conditional_response
from django.views.decorators.http import require_safe

import engine
from scorepad import ledger, replay_budget
from scorepad.access import permissions
from scorepad.access.permissions import PadAccess
from scorepad.presentation.board import draw_board
from scorepad.snapshots import Snapshot
from scorepad.views.decorators import private, replayed


@require_safe
@private
@replayed
def board(request: HttpRequest, code: str) -> HttpResponse:
    """By a link of any role; a script asks with X-Fragment for what has changed."""
    access = permissions.required(request, code)
    snapshot = Snapshot(access.pad, None, ledger.replay(access.pad))
    if "X-Fragment" not in request.headers:
        return _drawn(request, access, snapshot, "scorepad/board.html")
    tag = _tag(snapshot)
    known: HttpResponseBase | None = get_conditional_response(request, etag=tag)
    if isinstance(known, HttpResponse):
        return known
    response = _drawn(request, access, snapshot, "scorepad/_board.html")
    response.headers["ETag"] = tag
    return response


def _drawn(request: HttpRequest, access: PadAccess, snapshot: Snapshot, template: str) -> HttpResponse:
    with replay_budget.spend(snapshot.replay.head):
        context = {"pad": access.pad, "access": access, "board": draw_board(snapshot)}
        return render(request, template, context)


def _tag(snapshot: Snapshot) -> str:
    """A tag that changes with the log and the pad's own row: names, and whether it is stopped."""
    seen = [snapshot.replay.head, snapshot.pad.revision, engine.__version__]
    return f'"{hashlib.sha256(json.dumps(seen).encode()).hexdigest()[:20]}"'

"""Page of a finished pad by every other reading: what would have been otherwise."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from lab.rescored import Rescored, replays, rescored
from scorepad import ledger, replay_budget, snapshots
from scorepad.access import permissions
from scorepad.limits import limit
from scorepad.models import Pad
from scorepad.pad_state import PadState
from scorepad.views.decorators import private, replayed


@require_safe
@private
@replayed
def readings(request: HttpRequest, code: str) -> HttpResponse:
    access = permissions.required(request, code)
    now = snapshots.state_without_draft(access.pad)
    cost = len(now.standing) * replays(now.position.game, now.options)
    is_long = cost > limit("ENTRIES_RESCORED_MOST")
    context = {
        "pad": access.pad,
        "access": access,
        "title": now.position.game.title,
        "result": now.result,
        "is_long": is_long,
        "rows": _rescored(access.pad, now, cost) if now.result.ended and not is_long else [],
    }
    return render(request, "scorepad/readings.html", context)


def _rescored(pad: Pad, now: PadState, cost: int) -> list[Rescored]:
    """The log of a pad, replayed once for each reading that was not played."""
    with replay_budget.spend(cost):
        return rescored(ledger.sheet_head(pad), list(now.standing.values()))

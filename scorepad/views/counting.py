"""The chips counted at the table, in points or by value, and what the log says to it."""

from collections.abc import Mapping
from typing import Any

from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_POST

import engine
from scorepad import taps
from scorepad.access import links
from scorepad.chips import counts, denominations
from scorepad.forms import whole
from scorepad.layouts import describe_entry
from scorepad.models import Pad


@require_POST
def count_check(request: HttpRequest, code: str) -> HttpResponse:
    """The chips counted at the table, against the log."""
    holder = links.required(request, code, links.PLAY)
    try:
        checked = counts.check(holder.pad, _counted(holder.pad, request.POST), holder.who)
    except engine.Refused as refused:
        checked = {"says": refused.message, "since": [], "missing": {}}
    for found in checked["since"]:
        found["says"] = _entry_said(holder.pad, found["entry"])
    return render(request, "scorepad/checked.html", {"pad": holder.pad, "checked": checked})


def _counted(pad: Pad, given: QueryDict) -> dict[str, Any]:
    """What was typed for each player: points, or so many chips of each value, where empty is none."""
    if "by_value" not in given:
        typed = zip(pad.players, given.getlist("counted"), strict=False)
        return {name: whole(points) for name, points in typed}
    counted: dict[str, Any] = {}
    for seat, name in enumerate(pad.players):
        typed_chips = {
            str(value): given.get(f"chips-{seat}-{value}", "") for value in denominations.values(pad)
        }
        if any(typed_chips.values()):
            counted[name] = {value: whole(typed or "0") for value, typed in typed_chips.items()}
    return counted


def _entry_said(pad: Pad, entry: Mapping[str, Any]) -> str:
    """An entry named as people know it."""
    if entry["type"] == "amend":
        return f"{_entry_said(pad, entry['entry'])} (a correction)"
    if entry["type"] == "void":
        return "A hand struck out"
    return describe_entry(taps.state_of(pad, None), entry)

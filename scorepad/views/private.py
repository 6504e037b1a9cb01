"""Pages that belong to a table: whoever holds a link sees them, and no store between may keep them."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers

import engine
from scorepad import engine_versions, ledger
from scorepad.access import links
from scorepad.presentation.pad import refusal_of

Rest = ParamSpec("Rest")
Page = Callable[Concatenate[HttpRequest, Rest], HttpResponse]


def private(page: Page[Rest]) -> Page[Rest]:
    """Kept by this phone alone, and asked for again each time it is shown."""

    @wraps(page)
    def shown(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        response = page(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "X-Fragment"])
        return response

    return shown


def replayed(page: Page[Rest]) -> Page[Rest]:
    """A page drawn from the log: if this engine cannot replay it any more, that is what the page says."""

    @wraps(page)
    def shown(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            return page(request, *args, **kwargs)
        except engine.Refused as fault:
            return _unreadable(request, str(kwargs["code"]), fault)

    return shown


def _unreadable(request: HttpRequest, code: str, fault: engine.Refused) -> HttpResponse:
    pad = links.required(request, code).pad
    context = {
        "pad": pad,
        "fault": refusal_of(fault),
        "changes": engine_versions.scoring_changes(pad.engine),
        "title": ledger.game_of(pad).title,
    }
    return render(request, "scorepad/unreadable.html", context, status=409)

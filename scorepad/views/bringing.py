"""A tally sheet or a whole pad back into a pad, from a file or from pasted text."""

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render

import engine
from scorepad import imports
from scorepad.access import links
from scorepad.limits import limit
from scorepad.new_pads import creation_limit
from scorepad.presentation.pad import refusal_of


def bring(request: HttpRequest) -> HttpResponse:
    """GET shows the form, POST opens what it brings. The door before it has looked at both."""
    if request.method in ("GET", "HEAD"):
        return render(request, "scorepad/import.html")
    typed = request.POST.get("sheet", "")
    try:
        with creation_limit(request):
            opened = imports.bring_in(_read(request, typed))
    except engine.Refused as refused:
        context = {"refusal": refusal_of(refused), "sheet": typed}
        return render(request, "scorepad/import.html", context, status=422)
    response = HttpResponseRedirect(f"/pads/{opened.pad.code}/")
    links.remember(request, response, opened.pad, opened.keep_link_id)
    return response


def _read(request: HttpRequest, typed: str) -> dict[str, object]:
    file = request.FILES.get("file")
    if file is not None and (file.size or 0) > limit("IMPORT_BYTES_MOST"):
        raise engine.Refused("too-large", "This file is too large for a pad.")
    sent = engine.read(file.read() if file is not None else typed.encode("utf-8", "replace"))
    if not isinstance(sent, dict):
        raise engine.Refused("bad-sheet", "A tally sheet is a JSON object, and this is not one.")
    return sent

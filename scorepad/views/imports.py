"""Import of a tally sheet or of a whole pad, from a file, from pasted text or by a program."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render

import engine
from scorepad import imports, moves
from scorepad.limits import limit
from scorepad.new_pads import creation_limit
from scorepad.presentation.pad import refusal_of
from scorepad.views.decorators import Data, json_view, refusal
from scorepad.views.start import created_json, created_page


def import_page(request: HttpRequest) -> HttpResponse:
    """GET shows the form, POST opens what it brings. Its method and token are checked by `json_view`."""
    if request.method in ("GET", "HEAD"):
        return render(request, "scorepad/import.html")
    typed = request.POST.get("sheet", "")
    try:
        with creation_limit(request):
            new = imports.import_pad(_read(request, typed))
    except engine.Refused as refused:
        context = {"refusal": refusal_of(refused), "sheet": typed}
        return render(request, "scorepad/import.html", context, status=422)
    return created_page(request, new)


def _read(request: HttpRequest, typed: str) -> dict[str, object]:
    file = request.FILES.get("file")
    if file is not None and (file.size or 0) > limit("IMPORT_BYTES_MOST"):
        raise engine.Refused("too-large", "This file is too large for a pad.")
    sent = engine.read(file.read() if file is not None else typed.encode("utf-8", "replace"))
    if not isinstance(sent, dict):
        raise engine.Refused("bad-sheet", "A tally sheet is a JSON object, and this is not one.")
    return sent


@json_view(page=import_page, max_bytes="IMPORT_BYTES_MOST")
def import_json(request: HttpRequest, data: Data) -> HttpResponse:
    with creation_limit(request):
        return created_json(imports.import_pad(data))


def no_page(request: HttpRequest) -> HttpResponse:
    return refusal(405, "bad-method", "This address answers to POST.", Allow="POST")


@json_view(page=no_page, max_bytes="IMPORT_BYTES_MOST")
def move_json(request: HttpRequest, data: Data) -> HttpResponse:
    """A pad from a phone without network. The name it gives is its key: sent twice, it is one pad."""
    with creation_limit(request):
        told = moves.move(data)
    return JsonResponse(told, headers={"Cache-Control": "no-store"})

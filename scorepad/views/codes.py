"""Codes: a pad shown as QR codes, and a game that was read from them opened as a pad."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

import engine
from scorepad import game_codes, imports, ledger, replay_budget
from scorepad.access import permissions
from scorepad.new_pads import creation_limit
from scorepad.pad_results import result_of_position
from scorepad.presentation.pad import refusal_of
from scorepad.qr_codes import game_code
from scorepad.views.decorators import private, replayed
from scorepad.views.start import created_page


@require_safe
@private
@replayed
def shown(request: HttpRequest, code: str) -> HttpResponse:
    """The whole game as one code, or as several."""
    access = permissions.required(request, code)
    with replay_budget.spend(ledger.head(access.pad)):
        addresses = [request.build_absolute_uri(f"/q/{text}") for text in game_codes.texts(access.pad)]
    context = {
        "pad": access.pad,
        "title": ledger.game_of(access.pad).title,
        "entries": ledger.head(access.pad),
        "codes": [{"address": address, "qr": game_code(address)} for address in addresses],
    }
    return render(request, "scorepad/code.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
def opened(request: HttpRequest, text: str = "") -> HttpResponse:
    """A game that came by a code: GET shows it, POST opens it as a pad of one's own."""
    sent = request.POST.get("codes", "").split() if request.method == "POST" else [text] if text else []
    if not sent:
        return render(request, "scorepad/code_opened.html", {"codes": ""})
    try:
        sheet = game_codes.sheet(sent)
        if request.method == "POST":
            with creation_limit(request):
                return created_page(request, imports.import_pad(sheet))
        with replay_budget.spend(len(sheet["entries"])):
            position = engine.replay(sheet)
    except engine.Refused as refused:
        return _refused(request, sent, refused)
    context = {
        "codes": text,
        "title": position.game.title,
        "entries": len(position.entries),
        "result": result_of_position(position),
    }
    return render(request, "scorepad/code_opened.html", context)


def _refused(request: HttpRequest, sent: Sequence[str], refused: engine.Refused) -> HttpResponse:
    """The codes that came, to be completed. One of several is no fault."""
    is_part = refused.code == "code-missing"
    context = {"codes": "\n".join(sent), "refusal": refusal_of(refused), "is_part": is_part}
    return render(request, "scorepad/code_opened.html", context, status=200 if is_part else 422)

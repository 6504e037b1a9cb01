"""Codes: a pad shown as QR codes, and a game that was read from them opened as a pad."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

import engine
from scorepad import game_codes, imports, ledger, replay_budget
from scorepad.access import permissions
from scorepad.forms import place_in
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
    """The whole game as a code; of several, one at a time, as a camera takes them."""
    access = permissions.required(request, code)
    entries = ledger.head(access.pad)
    context = {"pad": access.pad, "title": ledger.game_of(access.pad).title, "entries": entries}
    try:
        with replay_budget.spend(entries):
            texts = game_codes.texts(access.pad)
    except engine.Refused as refused:
        return render(request, "scorepad/code.html", {**context, "refusal": refusal_of(refused)})
    number = place_in(request.GET.get("code", ""), len(texts) + 1) or 1
    address = game_address(request, texts[number - 1])
    context |= {"address": address, "qr": game_code(address), "number": number, "count": len(texts)}
    return render(request, "scorepad/code.html", context)


def game_address(request: HttpRequest, text: str) -> str:
    return request.build_absolute_uri(f"/q/{text}")


@require_http_methods(["GET", "HEAD", "POST"])
def opened(request: HttpRequest, text: str = "") -> HttpResponse:
    """A game that came by a code: GET shows it, POST opens it as a pad of one's own."""
    sent = request.POST.get("codes", "").split() if request.method == "POST" else [text] if text else []
    if not sent:
        return render(request, "scorepad/code_opened.html", {"codes": ""})
    try:
        # What it comes to is known when it is unpacked: what is long is paid for from the start.
        with replay_budget.spend(sum(map(len, sent))):
            sheet = game_codes.sheet(sent)
            position = engine.replay(sheet)
        if request.method == "POST":
            with creation_limit(request):
                return created_page(request, imports.import_pad(sheet))
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

"""Page of the trial pad: begin one for the draft of a declared game, keep its log as an example sheet."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

import engine
from archive.curation import game_drafts, game_sheets
from archive.curation.forms.fields import number_from
from archive.curation.forms.game_files import read_game
from archive.curation.game_drafts import OpenGame, open_game
from archive.edition.declared_game import SHEETS
from archive.publication.errors import EditError
from archive.text_input import clean_line
from engine.declared import Declaration
from home import trial_table
from people.permissions import person_of, requires
from ratelimit.limiter import RateLimitError
from scorepad.access.cookies import set_cookie
from scorepad.limits import limit
from scorepad.models import Pad
from scorepad.new_pads import creation_limit


@require_http_methods(["GET", "HEAD", "POST"])
@requires("propose")
def table(request: HttpRequest, slug: str) -> HttpResponse:
    game = open_game(request, slug)
    declaration = read_game(slug, game.book_files).declaration
    if declaration is None:
        return redirect(f"{reverse('edit-game', args=[slug])}{game.query}")
    pad = trial_table.open_table(game)
    if request.method != "POST":
        return _page(request, game, declaration, pad)
    try:
        if request.POST.get("act") == "keep":
            return _keep(request, game, declaration, pad)
        return _begin(request, game, declaration)
    except EditError as fault:
        return _page(request, game, declaration, pad, 422, **fault.context)
    except engine.Refused as refused:
        return _page(request, game, declaration, pad, 422, faults=[refused.message])
    except RateLimitError as fault:
        return _page(request, game, declaration, pad, fault.status, faults=[fault.says])


def _begin(request: HttpRequest, game: OpenGame, declaration: Declaration) -> HttpResponse:
    """Begin the pad, and come back here: the pad opens beside this page."""
    written = [clean_line(name) for name in request.POST.getlist("name")[: declaration.seats[1]]]
    options: dict[str, Any] = {}
    for option in declaration.options:
        chosen = clean_line(request.POST.get(f"option-{option.key}", ""))
        if chosen:
            number = None if option.readings else number_from(chosen, -999_999_999)
            options[option.key] = chosen if number is None else number
    with creation_limit(request):
        draft = game_drafts.keep(person_of(request), game, {})
        new = trial_table.begin(draft, declaration, [name for name in written if name], options)
    response = redirect(f"{reverse('trial-table', args=[game.opened.slug])}{game.query}")
    set_cookie(request, response, new.keep_link)
    return response


def _keep(request: HttpRequest, game: OpenGame, declaration: Declaration, pad: Pad | None) -> HttpResponse:
    name = clean_line(request.POST.get("sheet", ""))
    if pad is None:
        says = "The trial pad has expired, and its log with it. Start another and play it again."
        raise EditError(f"{says} You had written: “{name[:200]}”" if name else says)
    sheet = trial_table.sheet_of(pad, declaration)
    sheets = game_sheets.with_sheet(game.files[SHEETS], name, sheet, declaration)
    game_drafts.keep(person_of(request), game, {SHEETS: sheets})
    return redirect(f"{reverse('edit-game', args=[game.opened.slug])}{game.query}#examples")


def _page(
    request: HttpRequest,
    game: OpenGame,
    declaration: Declaration,
    pad: Pad | None,
    status: int = 200,
    **said: Any,
) -> HttpResponse:
    least, most = declaration.seats
    names = request.POST.getlist("name") or [*trial_table.NAMES[:least]]
    result, refused = None, ""
    if pad is not None:
        try:
            result = game_sheets.result_of(
                declaration, trial_table.sheet_of(pad, declaration), explained=True
            )
        except EditError as fault:
            refused = str(fault)
    context = {
        "book": game.opened.book,
        "query": game.query,
        "declaration": declaration,
        "pad": pad,
        "is_older": pad is not None and pad.game != declaration.name,
        "result": result,
        "refused": refused,
        "seats": [(at + 1, names[at] if at < len(names) else "", at < least) for at in range(most)],
        "options": [(option, request.POST.get(f"option-{option.key}", "")) for option in declaration.options],
        "hours": limit("TRIAL_TABLE_HOURS"),
        "sheet": request.POST.get("sheet", ""),
    }
    return render(request, "home/trial_table.html", context | said, status=status)

"""Help for a pad: what its signs mean, the rules in brief, and how to correct; shown over the pad."""

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine
from engine.declared import declaration_of, statements
from scorepad import archive_lookup, snapshots
from scorepad.access import permissions
from scorepad.layouts import PadState, layout_of
from scorepad.layouts.legend import Sign
from scorepad.presentation.pad import cite_addresses
from scorepad.views.decorators import private, replayed


@require_safe
@private
@replayed
def help_panel(request: HttpRequest, code: str) -> HttpResponse:
    access = permissions.required(request, code)
    state = snapshots.state_without_draft(access.pad)
    context = {"pad": access.pad, "access": access, **_help(state)}
    name = "scorepad/_help.html" if "X-Fragment" in request.headers else "scorepad/help.html"
    return render(request, name, context)


def _help(state: PadState) -> dict[str, Any]:
    layout = layout_of(state.game)
    brief = archive_lookup.brief_of_game(state.game) or _declared_rules(state.position.game)
    return {
        "title": state.position.game.title,
        "game": state.game,
        "layout": layout,
        "signs": [(sign, _passage(sign)) for sign in layout.legend(state)],
        "by": state.position.game.by,
        "brief": [(text, cite_addresses(cites)) for text, cites in brief],
    }


def _declared_rules(game: engine.Game) -> list[tuple[str, list[str]]]:
    """The rules of a declared game, read back; its options stand among the table's own."""
    if game.declaration is None:
        return []
    rules = statements(declaration_of(game.declaration))
    return [(rule.text, [*rule.cites]) for rule in rules if rule.path[0] != "option"]


def _passage(sign: Sign) -> str:
    return cite_addresses([sign.cite])[0]["address"] if sign.cite else ""

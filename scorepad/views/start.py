"""Start of a new pad: which game, which variant, who sits where. Two taps from a book page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse, QueryDict
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

import engine
from engine import Game, Option
from lab.panel import Panel, of_numbers, panels
from scorepad import archive_lookup, declarations, new_pads
from scorepad.access.cookies import set_cookie
from scorepad.chips import change, denominations
from scorepad.forms import place_in, player_names, whole
from scorepad.layouts import layout_of
from scorepad.new_pads import NewPad, creation_limit
from scorepad.presentation.pad import cite_addresses, refusal_of
from scorepad.views.decorators import Data, json_view

MAX_SEATS = 100
CHIP_VALUES = (5, 10, 25)
FIND_LENGTH_MOST = 100
LISTED_WITHOUT_SEARCH_MOST = 8


@dataclass(frozen=True)
class OptionField:
    """An option in the form: its readings, and the one chosen; empty is as the variant says."""

    option: Option
    chosen: str
    cites: list[dict[str, str]]
    panels: Mapping[str, Panel]

    @property
    def numbers(self) -> list[Panel]:
        return of_numbers(self.panels, self.option)

    @property
    def values(self) -> list[dict[str, Any]]:
        values = self.option.values or ()
        return [
            {
                "value": str(value),
                "words": self.option.readings.get(str(value), str(value)),
                "is_chosen": str(value) == self.chosen,
                "is_default": value == self.option.default,
                "panel": self.panels.get(f"{self.option.key}={value}"),
            }
            for value in values
        ]


@require_http_methods(["GET", "HEAD", "POST"])
def start(request: HttpRequest) -> HttpResponse:
    given = request.POST if request.method == "POST" else request.GET
    # One that was revised while the form was open is begun as it stands now.
    named = given.get("game", "")
    game = declarations.game_to_begin(named) or declarations.game_to_begin(declarations.key_of(named))
    if game is None:
        if given.get("game"):
            raise Http404("We do not know this game. Choose one of ours.")
        return render(request, "scorepad/games.html", _games(given.get("find", "")[:FIND_LENGTH_MOST]))
    if request.method == "POST" and "move" not in given and "seats" not in given:
        return _create(request, game, given)
    return _form(request, game, given)


def _games(find: str) -> dict[str, Any]:
    """Our games, and those of other rulebooks by title: all of them, or those that have these words."""
    offered = declarations.offered()
    words = find.casefold().split()
    found = [game for game in offered if all(word in _known_as(game) for word in words)]
    return {
        "games": [_told(game) for game in engine.GAMES.values()],
        "declared": [_told(game) for game in found],
        "find": find,
        "has_search": len(offered) > LISTED_WITHOUT_SEARCH_MOST,
        "has_declared": bool(offered),
    }


def _known_as(game: Game) -> str:
    return f"{game.title} {game.by} {game.book}".casefold()


def _told(game: Game) -> dict[str, Any]:
    least, most = game.seats
    return {
        "key": declarations.key_of(game.key),
        "title": game.title,
        "seats": f"{least}–{most}" if least < most else most,
        "kind": f"{game.seat_word}s",
        "by": game.by,
    }


def _create(request: HttpRequest, game: Game, given: QueryDict) -> HttpResponse:
    try:
        with creation_limit(request):
            new = new_pads.create(_fields(game, given))
    except engine.Refused as refused:
        return _form(request, game, given, refused)
    return created_page(request, new)


def created_page(request: HttpRequest, new: NewPad) -> HttpResponse:
    """The way to a new pad, with the keeper's cookie."""
    response = HttpResponseRedirect(f"/pads/{new.pad.code}/")
    set_cookie(request, response, new.keep_link)
    return response


def created_json(new: NewPad) -> JsonResponse:
    told = new.as_dict()
    return JsonResponse(told, status=201, headers={"Location": told["pad"], "Cache-Control": "no-store"})


@json_view(page=start)
def create(request: HttpRequest, data: Data) -> HttpResponse:
    with creation_limit(request):
        return created_json(new_pads.create(data))


def _fields(game: Game, given: QueryDict) -> dict[str, Any]:
    players = player_names(given)
    fields: dict[str, Any] = {"game": game.key, "players": players, "options": options_of(game, given)}
    if given.get("variant"):
        fields["variant"] = given["variant"]
    seat = _dealer_seat(given)
    if seat < len(given.getlist("name")):
        dealer = given.getlist("name")[seat].strip()
        if dealer:
            fields["dealer"] = dealer
    # Typed numbers mean counting out, also if the choice above them was forgotten.
    counts_out = given.get("chips") == "counted" or any(given.get(f"chips_{value}") for value in CHIP_VALUES)
    if game.stake and counts_out:
        fields["settings"] = {"chips": _counted_out(game, given)}
    elif game.stake:
        fields["options"][game.stake] = _shared_out(game, given)
        if given.get("chips") == "three":
            fields["settings"] = {"chips": list(CHIP_VALUES)}
    return fields


def _shared_out(game: Game, given: QueryDict) -> Any:
    """The stake that everyone begins with: nobody begins with nothing who has not chosen to."""
    if given.get("chips") == "none":
        return 0
    typed = given.get(game.stake or "") or ""
    if typed:
        number = whole(typed)
        return typed if number is None else number
    found = archive_lookup.variants_of_game(game.key)
    each = given.get("chips_each", "").strip()
    if not each or given.get("chips") == "three":
        return _stake(game, given, found)
    chips = whole(each)
    if chips is None or not 0 < chips <= denominations.MAX_NUMBER:
        raise engine.Refused(
            "bad-settings", f"Each player starts with 1 to {denominations.MAX_NUMBER} chips."
        )
    return chips * _chip_value(game, given, found)


def _chip_value(game: Game, given: QueryDict, found: list[dict[str, Any]]) -> int:
    """The worth of a chip where all are of one value: as typed, as the variant says, or as printed."""
    printed = int(next(option.default for option in game.options if option.key == "chip_value"))
    of_variant: int | None = _variant_options(given, found).get("chip_value")
    return whole(given.get("chip_value") or "") or of_variant or printed


def _variant_options(given: QueryDict, found: list[dict[str, Any]]) -> dict[str, Any]:
    chosen = [one["options"] for one in found if one["slug"] == given.get("variant")]
    return chosen[0] if chosen else {}


def _counted_out(game: Game, given: QueryDict) -> dict[str, int | None]:
    """The chips everyone starts with; where no number is typed, the stake is dealt out in them."""
    typed = {str(value): given.get(f"chips_{value}", "").strip() for value in CHIP_VALUES}
    if any(typed.values()):
        return {value: whole(number or "0") for value, number in typed.items()}
    stake = _stake(game, given, archive_lookup.variants_of_game(game.key))
    dealt = change.deal_out(stake, CHIP_VALUES)
    if dealt is None:
        says = f"Chips of 5, 10 and 25 cannot make {stake}. Choose another stake, or say how many of each."
        raise engine.Refused("bad-settings", says)
    return {str(value): number for value, number in dealt.items()}


def _stake(game: Game, given: QueryDict, found: list[dict[str, Any]]) -> int:
    """The stake typed, or the variant's, or one that makes a good evening."""
    key = game.stake or ""
    of_variant: int | None = _variant_options(given, found).get(key)
    return whole(given.get(key) or "") or of_variant or denominations.STAKE_OFFERED


def _dealer_seat(given: QueryDict) -> int:
    return place_in(given.get("dealer") or "", MAX_SEATS) or 0


def options_of(game: Game, given: Mapping[str, str]) -> dict[str, Any]:
    """Options that differ from the default, as the engine wants them; no number is sent as it was typed."""
    options: dict[str, Any] = {}
    for option in game.options:
        typed = given.get(option.key)
        if typed is None or typed == "":
            continue
        number = None if option.readings else whole(typed)
        value: Any = typed if number is None else number
        if value != option.default or given.get("variant"):
            options[option.key] = value
    return options


def _most_seats(game: Game, options: Mapping[str, Any]) -> int:
    return game.seats_for({**{option.key: option.default for option in game.options}, **options})[1]


def _chips(game: Game, given: QueryDict, found: list[dict[str, Any]]) -> dict[str, Any]:
    """What the form asks about chips: how many each, what they are worth, and what that comes to."""
    value, stake = _chip_value(game, given, found), _stake(game, given, found)
    return {
        "chip_value": value,
        "stake": stake,
        "chips_each": given.get("chips_each", ""),
        "each_offered": stake // value,
        "counted": _chips_offered(game, given, found),
    }


def _chips_of_variant(chosen: str, found: list[dict[str, Any]]) -> str:
    has_values = any(one["slug"] == chosen and (one["settings"] or {}).get("chips") for one in found)
    return "three" if has_values else "one"


def _chips_offered(game: Game, given: QueryDict, found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The three blanks for starting chips, each with what was typed and what we would deal."""
    offered = change.deal_out(_stake(game, given, found), CHIP_VALUES) or {}
    return [
        {"value": value, "typed": given.get(f"chips_{value}", ""), "offered": offered.get(value, 0)}
        for value in CHIP_VALUES
    ]


def _form(
    request: HttpRequest, game: Game, given: QueryDict, refused: engine.Refused | None = None
) -> HttpResponse:
    chosen = given.get("variant", "")
    found = archive_lookup.variants_of_game(game.key)
    # Only what was asked for is checked. The rest is sent empty, or it would override the variant chosen.
    simulated = panels(settings.FIXTURES / "lab", game.key)
    asked = [
        OptionField(option, given.get(option.key) or "", cite_addresses(option.cites), simulated)
        for option in game.options
    ]
    least, most = game.seats
    found = [{**one, "most": _most_seats(game, one["options"])} for one in found]
    boxes = {"sets": 2} if any(option.key == "sets" for option in game.options) else {}
    most_ever = _most_seats(game, boxes)
    names = given.getlist("name")
    context = {
        "game": game,
        "variants": found,
        "variant": chosen,
        "asked": asked,
        "changed": any(ask.chosen for ask in asked),
        "seats": [
            {
                "number": seat + 1,
                "name": names[seat] if seat < len(names) else "",
                "is_needed": seat < least,
                "is_spare": seat >= most,
            }
            for seat in range(most_ever)
        ],
        "least": least,
        "most": most,
        "most_ever": most_ever,
        "dealer": _dealer_seat(given),
        "first_word": layout_of(game.key).first_word,
        "has_sides": game.seat_word == "side",
        "has_chips": bool(game.stake),
        "chips": given.get("chips") or _chips_of_variant(chosen, found),
        **(_chips(game, given, found) if game.stake else {}),
        "refusal": refusal_of(refused) if refused else None,
        "fault_in_names": bool(refused and refused.code in ("bad-players", "unknown-player")),
    }
    return render(request, "scorepad/start.html", context, status=422 if refused else 200)

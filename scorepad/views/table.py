"""The table page of a pad: who joins and how, names, links, the next game. Actions has its forms."""

from collections.abc import Mapping
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

import engine
from ratelimit.configured_limits import in_minutes
from scorepad import declarations, ledger, pads
from scorepad.access import cookies, handover, join_codes, links, permissions
from scorepad.access.permissions import PadAccess
from scorepad.chips import denominations
from scorepad.limits import limit
from scorepad.models import Club, Pad
from scorepad.presentation.house_rules import house_rules
from scorepad.presentation.pad import refusal_of
from scorepad.qr_codes import qr_code

ROLE_WORDS = {
    links.KEEP: ("Owner's link", "May also rename, hand out new links, stop and delete."),
    links.PLAY: ("Player's link", "May enter and correct. For everyone at the table."),
    links.WATCH: ("Viewer's link", "Sees everything, enters nothing."),
}


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    return table_page(request, permissions.required(request, code))


def table_page(
    request: HttpRequest,
    access: PadAccess,
    refused: engine.Refused | None = None,
    join_code: str = "",
    join_role: str = "",
) -> HttpResponse:
    """The page, with the refusal of one of its forms or with a new join code."""
    if access.by_club:
        # Nothing here is theirs to hand on, to choose or to change.
        watched = {"pad": access.pad, "game": ledger.game_of(access.pad), "club": access.link.target}
        return render(request, "scorepad/table_by_club.html", watched)
    pad, own, game = access.pad, access.who.seat, ledger.game_of(access.pad)
    others = _other_games(pad)
    context = {
        "pad": pad,
        "access": access,
        "cards": sorted(link_cards(request, access.addresses()), key=lambda card: card["role"] != links.PLAY),
        "short": join_codes.in_groups(join_code),
        "short_watches": join_role == links.WATCH,
        "lives": in_minutes(limit("JOIN_CODE_MINUTES")),
        "seats": [
            {"number": seat, "name": name, "is_own": seat == own} for seat, name in enumerate(pad.players)
        ],
        "stopped": pads.stopped(pad),
        "ends": pads.ends_at(pad),
        "begun": ledger.head(pad) > 0,
        "next": pads.next_pad(pad) is not None,
        "other_games": others,
        "declared_fit": any(other["fits"] and other["is_declared"] for other in others),
        "clubs": _clubs(access),
        "evening": pad.evening,
        "game": game,
        "plays": house_rules(pad),
        "revised": _revised(game),
        "handover": handover.request_of(pad, cookies.claim_of(request, pad.code)),
        "handover_hours": limit("HANDOVER_HOURS"),
        "new_owner_until": links.new_owner_until(access.link) if access.is_new_owner else None,
        "is_plain_http": not request.is_secure(),
        "is_loopback": is_loopback(request.get_host()),
        "most": game.seats_for(pad.options)[1],
        "values": denominations.values(pad),
        "refusal": refusal_of(refused) if refused else None,
    }
    response = render(request, "scorepad/table.html", context, status=422 if refused else 200)
    response.headers["Cache-Control"] = "no-store"
    return response


def _other_games(pad: Pad) -> list[dict[str, Any]]:
    """The other games, ours and those that published books declare, and whether so many can play each."""
    found = []
    for game in (*engine.GAMES.values(), *declarations.offered()):
        key = declarations.key_of(game.key)
        if key == declarations.key_of(pad.game):
            continue
        least, most = game.seats
        found.append(
            {
                "key": key,
                "title": game.title,
                "fits": least <= len(pad.players) <= most,
                "seats": f"{least} to {most} {game.seat_word}s"
                if least < most
                else f"{most} {game.seat_word}s",
                "is_declared": game.declaration is not None,
            }
        )
    return found


def _revised(game: engine.Game) -> str:
    """The key to begin a declared game as it is now, if it was revised since."""
    return declarations.key_of(game.key) if declarations.revised(game) else ""


def _clubs(access: PadAccess) -> list[Club]:
    """The clubs that this pad is in, for its owner."""
    return list(Club.objects.filter(club_pads__pad=access.pad)) if access.may(links.KEEP) else []


def link_cards(
    request: HttpRequest, addresses: dict[str, str], in_words: Mapping[str, tuple[str, str]] = ROLE_WORDS
) -> list[dict[str, str]]:
    """The links that may be handed on, each with its QR code; the least role first."""
    cards = []
    for role, path in reversed(addresses.items()):
        address = request.build_absolute_uri(path)
        words, about = in_words[role]
        card = {"role": role, "words": words, "about": about, "address": address, "qr": qr_code(address)}
        cards.append(card)
    return cards


def is_loopback(host: str) -> bool:
    """Tell a name by which a machine reaches only itself; no other phone can open a link with it."""
    name = urlsplit(f"//{host}").hostname or ""
    if name == "localhost" or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False

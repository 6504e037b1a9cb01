"""The table around a pad: who joins and how, names, stopping, the next game. And the forms that do it."""

from collections.abc import Callable

from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.http import require_http_methods, require_safe

import engine
from ratelimit.limiter import RateLimitError
from ratelimit.limits import in_minutes
from scorepad import evenings, expiry, ledger, new_pads, pads
from scorepad.access import join_codes, links
from scorepad.access.links import PadAccess
from scorepad.chips import denominations
from scorepad.forms import place_in
from scorepad.ledger import Who
from scorepad.limits import limit
from scorepad.models import Pad
from scorepad.new_pads import creation_limit
from scorepad.presentation.house_rules import house_rules
from scorepad.presentation.pad import refusal_of
from scorepad.qr_codes import qr_code
from scorepad.views.api import evening_of
from scorepad.views.hosts import is_loopback
from scorepad.views.private import private

ROLE_WORDS = {
    links.KEEP: ("Keep", "May also rename, hand out new links, stop and delete."),
    links.PLAY: ("Play", "May enter and correct. For everyone at the table."),
    links.WATCH: ("Watch", "Sees everything, enters nothing."),
}


@require_safe
def table(request: HttpRequest, code: str) -> HttpResponse:
    return _table(request, links.required(request, code))


def _table(
    request: HttpRequest, holder: PadAccess, refused: engine.Refused | None = None, short: str = ""
) -> HttpResponse:
    pad = holder.pad
    cards = []
    for role, path in reversed(links.addresses(pad, holder.role).items()):
        address = request.build_absolute_uri(path)
        words, about = ROLE_WORDS[role]
        card = {"role": role, "words": words, "about": about, "address": address, "qr": qr_code(address)}
        cards.append(card)
    own = holder.who.seat
    context = {
        "pad": pad,
        "holder": holder,
        "cards": sorted(cards, key=lambda card: card["role"] != links.PLAY),
        "short": short,
        "lives": in_minutes(limit("JOIN_CODE_MINUTES")),
        "seats": [
            {"number": seat, "name": name, "is_own": seat == own} for seat, name in enumerate(pad.players)
        ],
        "stopped": pads.stopped(pad),
        "ends": pads.ends_at(pad),
        "begun": ledger.head(pad) > 0,
        "next": Pad.objects.filter(follows=pad).exists(),
        "evening": pad.evening,
        "game": ledger.game_of(pad),
        "plays": house_rules(pad),
        "asks_to_keep": join_codes.asked(pad) if holder.may(links.KEEP) else None,
        "is_plain_http": not request.is_secure(),
        "is_loopback": is_loopback(request.get_host()),
        "most": ledger.game_of(pad).seats_for(pad.options)[1],
        "values": denominations.values(pad),
        "refusal": refusal_of(refused) if refused else None,
    }
    response = render(request, "scorepad/table.html", context, status=422 if refused else 200)
    response.headers["Cache-Control"] = "no-store"
    return response


Form = Callable[[HttpRequest, PadAccess], HttpResponse | None]
View = Callable[[HttpRequest, str], HttpResponse]


def _form(role: str) -> Callable[[Form], View]:
    """A form of the keeper's sheet: does one thing, comes back to the sheet, and shows a refusal on it."""

    def wrap(work: Form) -> View:
        def view(request: HttpRequest, code: str) -> HttpResponse:
            holder = links.required(request, code, role)
            try:
                done = work(request, holder)
            except engine.Refused as refused:
                return _table(request, holder, refused)
            return done or HttpResponseRedirect(f"/pads/{code}/table/")

        return view

    return wrap


@_form(links.WATCH)
def seat(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    taken = place_in(request.POST.get("seat", ""), len(holder.pad.players))
    who = (
        Who(taken)
        if taken is not None
        else Who(device=request.POST.get("device", "").strip()[: links.DEVICE_LENGTH_MOST])
    )
    response = HttpResponseRedirect(f"/pads/{holder.pad.code}/")
    links.remember(request, response, holder.pad, holder.link_id, who)
    return response


@_form(links.KEEP)
def names(request: HttpRequest, holder: PadAccess) -> None:
    given = [name.strip() for name in request.POST.getlist("name") if name.strip()]
    pads.rename(holder.pad, given)


@_form(links.PLAY)
def stay(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    expiry.stay(holder.pad)
    return HttpResponseRedirect(f"/pads/{holder.pad.code}/")


@_form(links.KEEP)
def stop(request: HttpRequest, holder: PadAccess) -> None:
    pads.stop(holder.pad)


@_form(links.KEEP)
def reopen(request: HttpRequest, holder: PadAccess) -> None:
    pads.reopen(holder.pad)


@_form(links.KEEP)
def delete(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    pads.delete(holder.pad)
    response = HttpResponseRedirect("/")
    links.forget(response, holder.pad.code)
    return response


@_form(links.KEEP)
@transaction.atomic
def change_links(request: HttpRequest, holder: PadAccess) -> HttpResponse | None:
    verb = "rotate" if "rotate" in request.POST else "revoke"
    role = request.POST.get(verb, "")
    if role not in links.ROLES or (verb == "revoke" and role == links.KEEP):
        raise engine.Refused("bad-role", "Choose the play or the watch link.")
    links.hold_for(holder)
    if verb == "revoke":
        links.revoke(holder.pad, role)
        return None
    link, _ = links.rotate(holder.pad, role)
    response = HttpResponseRedirect(f"/pads/{holder.pad.code}/table/")
    if role == holder.role:
        links.remember(request, response, holder.pad, link.pk, holder.who)
    return response


@_form(links.WATCH)
def join_code(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    role = min(holder.role, links.PLAY, key=lambda one: links.RANK[one])
    code, _ = join_codes.new_code(holder, role)
    return _table(request, holder, short=code)


@_form(links.PLAY)
def rematch(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    """The same seats again, in one tap. Whoever is second finds the game that was begun first."""
    if not Pad.objects.filter(follows=holder.pad).exists():
        try:
            with creation_limit(request):
                new_pads.next_game(holder.pad)
        except engine.Refused as refused:
            if refused.code != "has-next":
                raise
    return HttpResponseRedirect(f"/pads/{holder.pad.code}/next/")


@_form(links.KEEP)
def again(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    given = [name.strip() for name in request.POST.getlist("name") if name.strip()]
    with creation_limit(request):
        new_pads.next_game(holder.pad, given, stopping=True)
    return HttpResponseRedirect(f"/pads/{holder.pad.code}/next/")


@_form(links.PLAY)
def keep(request: HttpRequest, holder: PadAccess) -> HttpResponse | None:
    if holder.may(links.KEEP):
        if "decline" in request.POST:
            join_codes.decline(holder.pad)
        return None
    taken = join_codes.take_over(holder)
    if taken is None:
        join_codes.ask_to_keep(holder)
        return None
    response = HttpResponseRedirect(f"/pads/{holder.pad.code}/table/")
    links.remember(request, response, holder.pad, taken[0].pk, holder.who)
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def join(request: HttpRequest) -> HttpResponse:
    """Type the short code; get the pad."""
    if request.method != "POST":
        return render(request, "scorepad/join.html", {"code": request.GET.get("code", "")})
    typed = request.POST.get("code", "")
    try:
        pad, _, link, _ = join_codes.trade(typed, links.request_address(request))
    except RateLimitError as fault:
        context = {"code": typed, "fault": fault.says}
        response = render(request, "scorepad/join.html", context, status=429)
        response.headers["Retry-After"] = str(fault.seconds)
        return response
    except engine.Refused as refused:
        return render(request, "scorepad/join.html", {"code": typed, "fault": refused.message}, status=422)
    arrived = HttpResponseRedirect(f"/pads/{pad.code}/table/#seat")
    links.remember(request, arrived, pad, link.pk)
    return arrived


@require_safe
@private
def evening_page(request: HttpRequest, code: str) -> HttpResponse:
    found = evening_of(request, code)
    if found is None:
        return render(request, "404.html", status=404)
    played = evenings.games(found)
    finished = sum(one.result is not None and one.result.status == "finished" for one in played)
    context = {
        "played": played,
        "finished": finished,
        "going_on": len(played) - finished,
        "standings": evenings.standings(played),
        "evening": found,
        "has_chips": any(one.chips for one in played),
    }
    return render(request, "scorepad/evening.html", context)

"""Actions on a pad: seat, names, links, join codes, count checks, stopping, the next game, deletion.

Each is one view that a program calls with JSON and the table page calls with a form.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.shortcuts import render

import engine
from ratelimit import client_address
from scorepad import evenings, expiry, forms, new_pads, pads, snapshots
from scorepad.access import cookies, handover, join_codes, links, permissions
from scorepad.access.links import AnyLink
from scorepad.access.permissions import PadAccess
from scorepad.chips import counts
from scorepad.clubs import club_pads
from scorepad.layouts import describe_entry
from scorepad.ledger import Who
from scorepad.models import Club, Pad
from scorepad.new_pads import creation_limit
from scorepad.views import decorators
from scorepad.views.decorators import Action, Data, Done, View, pad_write, refusal
from scorepad.views.table import table_page

NO_STORE = {"Cache-Control": "no-store"}


def action(
    role: str, form: Callable[[QueryDict, Pad], Data] = forms.no_fields
) -> Callable[[Action[PadAccess]], View]:
    """An action whose refusal is shown on the table page."""
    return decorators.action(role, form, refused=table_page)


def _changed(pad: Pad) -> Done:
    return Done(pads.summary(pad), page=f"/pads/{pad.code}/table/")


@action(links.WATCH, forms.seat)
def seat(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """Choose a seat for this phone, or a name for it, or that it only watches; the cookie remembers."""
    named = Who(watches=True) if data.get("watches") is True else data.get("who")
    who = named if isinstance(named, Who) else access.sender(named)
    return Done(
        {"seat": who.seat, "device": who.device, "role": access.role, "watches": who.watches},
        page=f"/pads/{access.pad.code}/",
        cookie=(access.link, who),
    )


@action(links.KEEP, forms.players)
def names(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    return _changed(pads.rename(access.pad, data.get("players"), data.get("dealer")))


@pad_write(links.KEEP)
def settings(request: HttpRequest, access: PadAccess, data: Data) -> HttpResponse:
    return JsonResponse(pads.summary(pads.change_settings(access.pad, data.get("settings"))))


@action(links.KEEP)
def stop(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    return _changed(pads.stop(access.pad))


@action(links.KEEP)
def reopen(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    return _changed(pads.reopen(access.pad))


@action(links.PLAY)
def stay(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """Keep a pad that was not used for long."""
    pad = expiry.stay(access.pad)
    return Done(pads.summary(pad), page=f"/pads/{pad.code}/")


@action(links.KEEP)
def delete(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    permissions.check_first_owner(access)
    pads.delete(access.pad)
    return Done({"deleted": access.pad.code}, page="/", forgets=True)


@action(links.KEEP, forms.link_change)
@transaction.atomic
def change_links(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """Rotate or revoke the links of one role, or of all but the keeper's with "all"."""
    verb = "rotate" if "rotate" in data else "revoke"
    role = str(data.get(verb))
    roles = (links.PLAY, links.WATCH) if role == "all" else (role,)
    if not all(one in links.ROLES for one in roles) or (verb == "revoke" and role == links.KEEP):
        says = 'Send {"rotate": role} or {"revoke": role}; revoking the owner’s link (keep) is deleting.'
        raise engine.Refused("bad-role", says)
    if links.KEEP in roles:
        permissions.check_first_owner(access)
    permissions.lock_for(access)
    shown: dict[str, str | None] = {}
    own_link: AnyLink | None = None
    for one in roles:
        if verb == "revoke":
            links.revoke(access.pad, one)
            shown[one] = None
            continue
        link, token = links.rotate(access.pad, one)
        shown[one] = links.address(access.pad, token)
        own_link = link if one == access.role else own_link
    cookie = (own_link, access.who) if own_link is not None else None
    return Done(shown, page=f"/pads/{access.pad.code}/table/", headers=NO_STORE, cookie=cookie)


@action(links.WATCH, forms.join_role)
def join_code(request: HttpRequest, access: PadAccess, data: Data) -> Done | HttpResponse:
    """A short code to type, for a role not above one's own. {"close": true} ends all (play)."""
    if data.get("close") is True:
        if not access.may(links.PLAY):
            return refusal(403, "not-allowed", "Only those who play can end the table's codes.")
        join_codes.close_codes(access.pad)
        return Done({"code": None}, page=f"/pads/{access.pad.code}/table/")
    role = data.get("role", min(access.role, links.PLAY, key=lambda role: links.RANK[role]))
    if role not in links.ROLES or not access.may(role):
        return refusal(403, "not-allowed", "You can only hand on what your own link lets you do.")
    code, row = join_codes.new_code(access, role)
    return Done(
        {"code": code, "role": role, "ends": row.ends_at.isoformat()},
        page=partial(table_page, request, access, join_code=code, join_role=role),
        status=201,
        headers=NO_STORE,
    )


@action(links.PLAY, forms.next_game)
def rematch(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """The next game with the same seats, or another game with the same people. A form that comes second finds
    the game that was begun first."""
    page = f"/pads/{access.pad.code}/next/"
    try:
        if pads.next_pad(access.pad) is not None:
            raise new_pads.has_next()
        with creation_limit(request):
            new = new_pads.next_game(access.pad, dealer=data.get("dealer"), game=data.get("game"))
    except engine.Refused as refused:
        if refused.code != "has-next":
            raise
        return Done(refused.as_dict(), page=page, status=422)
    return _begun(access, new)


@action(links.KEEP, forms.players)
def again(request: HttpRequest, access: PadAccess, data: Data) -> Done | HttpResponse:
    """Stop here and start again with these seats."""
    if not isinstance(data.get("players"), list):
        return refusal(422, "bad-players", '"players" must be the names of the new seats.')
    with creation_limit(request):
        new = new_pads.next_game(access.pad, data["players"], data.get("dealer"), stopping=True)
    return _begun(access, new)


def _begun(access: PadAccess, new: new_pads.NewPad) -> Done:
    """The next game. A player who starts it gets no more than he had."""
    mine = {role: address for role, address in new.as_dict().items() if role == "pad" or access.may(role)}
    if access.is_new_owner:
        mine = {"pad": mine["pad"], **links.addresses(new.pad, links.KEEP, new_owner=True)}
    evening = f"/evenings/{new.pad.evening.code}/" if new.pad.evening else None
    return Done(
        {**mine, "evening": evening},
        page=f"/pads/{access.pad.code}/next/",
        status=201,
        headers={"Location": mine["pad"], **NO_STORE},
    )


@action(links.KEEP, forms.club)
def club(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """Make a club of this pad and the games of its evening that this phone owns, or add them to one."""
    owned = _owned(request, access)
    if data.get("club") is not None:
        found = _club_to_add_to(request, str(data["club"]))
        club_pads.add(found, owned)
        return Done({"club": f"/clubs/{found.code}/"}, page=f"/clubs/{found.code}/")
    with creation_limit(request):
        new = club_pads.create(owned)
    told = {"club": f"/clubs/{new.club.code}/", "keep": new.keep, "watch": new.watch}
    page = f"/clubs/{new.club.code}/"
    return Done(told, page, status=201, headers=NO_STORE, cookie=(new.keep_link, Who()))


def _owned(request: HttpRequest, access: PadAccess) -> list[Pad]:
    """The pad, and the games of its evening that this phone owns too."""
    if access.pad.evening is None:
        return [access.pad]
    others = permissions.remembered_pads(request) if access.by_cookie else []
    held = [*(other for other in others if other.pad.evening_id == access.pad.evening_id), access]
    opened = evenings.open_pads(access.pad.evening, held)
    return [pad for pad, link in opened.items() if link.role == links.KEEP]


def _club_to_add_to(request: HttpRequest, named: str) -> Club:
    """The club whose owner's link this phone has, by its code; or a program shows the link itself."""
    *_, code, token = ["", *named.strip("/").split("/")]
    found = (
        permissions.club_by_token(client_address.of_request(request), code, token)
        if code and code != "clubs"
        else next((one for one in permissions.remembered_clubs(request) if one.club.code == token), None)
    )
    if found is None or not found.may(links.KEEP):
        raise engine.Refused("no-club", "Open the club by its owner's link first, then add the evening.")
    return found.club


@action(links.KEEP, forms.club)
def leave(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """Take the pad out of a club; its links do not open it any more."""
    club_pads.remove(Club.objects.filter(code=str(data.get("club"))).first(), [access.pad.code])
    return Done({"left": str(data.get("club"))}, page=f"/pads/{access.pad.code}/table/")


@action(links.PLAY, forms.handover)
def keep(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """Ask to become an owner; ask again, after a yes or the wait, to become one. An owner answers."""
    page = f"/pads/{access.pad.code}/table/"
    given: dict[str, Any] = {"given": True, "wait": 0}
    if access.may(links.KEEP):
        for word in ("accept", "decline"):
            if data.get(word) is True:
                handover.answer(access, yes=word == "accept")
        return Done(given, page=f"/pads/{access.pad.code}/")
    claim = str(data.get("claim") or cookies.claim_of(request, access.pad.code))
    taken = handover.take_over(access, claim)
    if taken is None:
        asked, claim = handover.ask(access, claim)
        told = {"given": False, "wait": asked.wait, "claim": claim}
        return Done(told, page, status=202, headers=NO_STORE, claim=claim)
    link, token = taken
    if not access.by_cookie:
        given["keep"] = links.address(access.pad, token)
    return Done(given, page, headers=NO_STORE, cookie=(link, access.who), claim="")


@action(links.PLAY, forms.chip_counts)
def count_check(request: HttpRequest, access: PadAccess, data: Data) -> Done:
    """The chips counted at the table, against the log."""
    status = 200
    try:
        checked = told = counts.check(access.pad, data.get("counted"), access.sender(data.get("who")))
    except engine.Refused as refused:
        checked, told, status = {"says": refused.message, "since": [], "missing": {}}, refused.as_dict(), 422
    return Done(told, page=partial(_checked_page, request, access.pad, checked), status=status)


def _checked_page(request: HttpRequest, pad: Pad, checked: dict[str, Any]) -> HttpResponse:
    since = [{**found, "says": _entry_in_words(pad, found["entry"])} for found in checked["since"]]
    return render(request, "scorepad/chip_count.html", {"pad": pad, "checked": {**checked, "since": since}})


def _entry_in_words(pad: Pad, entry: dict[str, Any]) -> str:
    """An entry named as people know it."""
    if entry["type"] == "amend":
        return f"{_entry_in_words(pad, entry['entry'])} (a correction)"
    if entry["type"] == "insert":
        return f"{_entry_in_words(pad, entry['entry'])} (added later)"
    if entry["type"] == "revise":
        count = len(entry["changes"])
        return f"{count} hand{'' if count == 1 else 's'} corrected at once"
    if entry["type"] == "void":
        return "A hand struck out"
    return describe_entry(snapshots.state_without_draft(pad), entry)

"""Actions on a club: its name, joined names, pads, links, owners, deletion.

Each is one view that a program calls with JSON and the settings page calls with a form.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from django.db import transaction
from django.http import HttpRequest, QueryDict

import engine
from scorepad.access import cookies, handover, links, permissions
from scorepad.access.permissions import ClubAccess
from scorepad.clubs import club_names, club_pads
from scorepad.ledger import Who
from scorepad.models import Club, ClubPad
from scorepad.views import decorators
from scorepad.views.clubs import club_settings
from scorepad.views.decorators import Action, Data, Done, View

NO_STORE = {"Cache-Control": "no-store"}


def action(role: str, *fields: str) -> Callable[[Action[ClubAccess]], View]:
    """An action that takes these fields; its refusal is shown on the settings page."""

    def read(given: QueryDict) -> Data:
        return {name: given[name] for name in fields if name in given}

    return decorators.club_action(role, read, refused=club_settings)


def _changed(access: ClubAccess, **told: Any) -> Done:
    page = f"/clubs/{access.club.code}/settings/"
    return Done({"club": f"/clubs/{access.club.code}/", **told}, page=page)


@action(links.KEEP, "name")
def name(request: HttpRequest, access: ClubAccess, data: Data) -> Done:
    club_pads.rename(access.club, data.get("name"))
    return _changed(access)


@action(links.KEEP, "join", "to", "part")
def people(request: HttpRequest, access: ClubAccess, data: Data) -> Done:
    """Join a spelling to a person, or part it again."""
    if "part" in data:
        club_names.part(access.club, data["part"])
    else:
        club_names.join(access.club, data.get("join"), data.get("to"))
    return _changed(access, joined=club_names.identities(access.club))


@action(links.KEEP, "pad")
def remove(request: HttpRequest, access: ClubAccess, data: Data) -> Done:
    """Take a pad out of the club."""
    club_pads.remove(access.club, [str(data.get("pad"))])
    return _changed(access)


@action(links.KEEP, "stop")
def stay(request: HttpRequest, access: ClubAccess, data: Data) -> Done:
    """Ask that the pads of this club are kept, or stop asking."""
    is_kept = not data.get("stop")
    club_pads.keep(access.club, is_kept)
    return _changed(access, kept=is_kept)


@action(links.KEEP, "rotate", "revoke")
@transaction.atomic
def change_links(request: HttpRequest, access: ClubAccess, data: Data) -> Done:
    """Rotate the links of one role, or revoke the viewers'."""
    verb = "rotate" if "rotate" in data else "revoke"
    role = data.get(verb)
    if role not in club_pads.ROLES or (verb == "revoke" and role == links.KEEP):
        says = 'Send {"rotate": role} or {"revoke": "watch"}; a club without an owner\'s link is deleted.'
        raise engine.Refused("bad-role", says)
    if role == links.KEEP:
        permissions.check_first_owner(access)
    permissions.lock_club_for(access)
    page = f"/clubs/{access.club.code}/settings/"
    if verb == "revoke":
        links.revoke(access.club, role)
        return Done({role: None}, page, headers=NO_STORE)
    link, token = links.rotate(access.club, role)
    cookie = (link, Who()) if role == access.role else None
    return Done({role: links.address(access.club, token)}, page, headers=NO_STORE, cookie=cookie)


@action(links.WATCH, "accept", "decline")
def keep(request: HttpRequest, access: ClubAccess, data: Data) -> Done:
    """Ask to become an owner; ask again, after a yes or the wait, to become one. An owner answers."""
    page = f"/clubs/{access.club.code}/settings/"
    given: dict[str, Any] = {"given": True, "wait": 0}
    if access.may(links.KEEP):
        for word in ("accept", "decline"):
            if data.get(word):
                handover.answer(access, yes=word == "accept")
        return Done(given, page)
    claim = str(data.get("claim") or cookies.claim_of(request, access.club.code, cookies.CLUB))
    taken = handover.take_over(access, claim)
    if taken is None:
        asked, claim = handover.ask(replace(access, who=_player(request, access)), claim)
        told = {"given": False, "wait": asked.wait, "claim": claim}
        return Done(told, page, status=202, headers=NO_STORE, claim=claim)
    link, token = taken
    if not access.by_cookie:
        given["keep"] = links.address(access.club, token)
    return Done(given, page, headers=NO_STORE, cookie=(link, Who()), claim="")


def _player(request: HttpRequest, access: ClubAccess) -> Who:
    """The player who asks, by a pad of the club that this phone plays at: a viewer's link alone may be
    anybody's."""
    held = [one for one in permissions.remembered_pads(request) if one.may(links.PLAY)]
    pads = ClubPad.objects.filter(club=access.club, pad__in=[one.pad for one in held])
    if not pads.exists():
        says = "Only a player of one of its pads can ask. Open a pad of this club by its player's link first."
        raise engine.Refused("no-player", says)
    kept = dict(cookies.remembered(request))
    codes = set(pads.values_list("pad__code", flat=True))
    names = [kept[one.pad.code].who.named(one.pad.players) for one in held if one.pad.code in codes]
    return Who(device=next((name for name in names if name), "")[: permissions.MAX_DEVICE_LENGTH])


@action(links.KEEP)
def delete(request: HttpRequest, access: ClubAccess, data: Data) -> Done:
    """Delete the club. Its pads stay where they are."""
    permissions.check_first_owner(access)
    with transaction.atomic():
        permissions.lock_club_for(access)
        Club.objects.filter(pk=access.club.pk).delete()
    return Done({"deleted": access.club.code}, page="/", forgets=True)

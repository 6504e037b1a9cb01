"""Permission checks for pads and clubs: who a request is, by token or by cookie, and what its role may do.

Whoever may open a club may watch its pads, while they are in it, and no more.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import Error
from django.db.models import QuerySet
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.dateformat import format as date_format

import engine
from ratelimit import client_address, limiter
from scorepad.access import cookies, links
from scorepad.access.links import AnyLink
from scorepad.ledger.entries import Who
from scorepad.limits import token_guesses
from scorepad.models import Club, ClubHandover, ClubLink, ClubPad, Evening, Handover, Link, Pad

MAX_DEVICE_LENGTH = 40
SIGN_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class PadAccess:
    """Access to one pad by a live link, to it or to its club: the role, the seat or device, and how the link
    was shown."""

    pad: Pad
    link: AnyLink
    who: Who
    by_cookie: bool
    has_old_cookie: bool = False
    """The cookie is of the version before, and due to be signed anew."""

    @property
    def by_club(self) -> bool:
        return isinstance(self.link, ClubLink)

    @property
    def role(self) -> str:
        return links.WATCH if self.by_club else self.link.role

    @property
    def target(self) -> Pad:
        return self.pad

    @property
    def link_id(self) -> int:
        return self.link.pk

    @property
    def is_new_owner(self) -> bool:
        return not self.by_club and links.is_of_new_owner(self.link)

    def may(self, role: str) -> bool:
        return links.RANK[self.role] >= links.RANK[role]

    def addresses(self) -> dict[str, str]:
        """The links this phone may hand on. Those of the club watch only while the pad is in it, so they get
        no link that would stay."""
        return {} if self.by_club else links.addresses(self.pad, self.role, self.is_new_owner)

    @property
    def has_keys(self) -> bool:
        """True if this phone may enter something and has not said that it only watches."""
        return self.may(links.PLAY) and not self.who.watches

    def sender(self, named: Any) -> Who:
        """The author of an entry: the seat or device the cookie knows, or what the call says."""
        if not isinstance(named, str) or not named.strip():
            return self.who
        if named in self.pad.players:
            return Who(self.pad.players.index(named), phone=self.who.phone)
        printable = "".join(sign for sign in named.strip() if sign.isprintable())
        return Who(device=printable[:MAX_DEVICE_LENGTH], phone=self.who.phone)


@dataclass(frozen=True)
class ClubAccess:
    """Access to a club by a live link; `who` is the player who asks to become an owner."""

    club: Club
    link: ClubLink
    by_cookie: bool
    who: Who = field(default_factory=Who)

    @property
    def target(self) -> Club:
        return self.club

    @property
    def role(self) -> str:
        return self.link.role

    @property
    def is_new_owner(self) -> bool:
        return links.is_of_new_owner(self.link)

    def may(self, role: str) -> bool:
        return links.RANK[self.role] >= links.RANK[role]


def access_of(request: HttpRequest, code: str) -> PadAccess | None:
    """The access a request has to this pad; None for a stranger. A bearer token outranks a cookie."""
    bearer = bearer_of(request.headers.get("Authorization"))
    if bearer is not None:
        return by_token(client_address.of_request(request), code, bearer)
    return by_cookie(code, request.COOKIES.get(cookies.cookie_name(code))) or _by_club(request, code)


def required_club(request: HttpRequest, code: str, role: str = links.WATCH) -> ClubAccess:
    """The access, for a page: a stranger gets 404, a lesser role 403."""
    found = club_access_of(request, code)
    if found is None:
        raise Http404("No club is open here. Ask its members for the link.")
    if not found.may(role):
        raise PermissionDenied
    return found


def club_access_of(request: HttpRequest, code: str) -> ClubAccess | None:
    """The access a request has to this club; None for a stranger."""
    bearer = bearer_of(request.headers.get("Authorization"))
    if bearer is not None:
        return club_by_token(client_address.of_request(request), code, bearer)
    kept = cookies.read_cookie(request.COOKIES.get(cookies.cookie_name(code, cookies.CLUB)))
    link = _club_link(code, pk=kept.link_id) if kept else None
    return ClubAccess(link.club, link, True) if kept and link and kept.opens(link) else None


def club_by_token(address: str, code: str, token: str) -> ClubAccess | None:
    link = _club_link(code, token_hash=links.hashed(token))
    if link is None:
        count_guess(address, token)
        return None
    return ClubAccess(link.club, link, by_cookie=False)


def required(request: HttpRequest, code: str, role: str = links.WATCH) -> PadAccess:
    """The access, for a page: a stranger gets 404, a lesser role 403."""
    found = access_of(request, code)
    if found is None:
        raise Http404("No pad is open here. Ask the table for its link.")
    if not found.may(role):
        raise PermissionDenied
    return found


def by_token(address: str, code: str, token: str) -> PadAccess | None:
    """Access by a token. A live one always works; those that never were are counted by address, and raise
    RateLimitError when there are too many."""
    link = _link(code, token_hash=links.hashed(token))
    if link is not None:
        return PadAccess(link.pad, link, Who(), by_cookie=False)
    of_club = _of_clubs(code, token_hash=links.hashed(token)).first()
    if of_club is not None:
        return PadAccess(_pad(code), of_club, Who(), by_cookie=False)
    count_guess(address, token)
    return None


def by_cookie(code: str, cookie: str | None) -> PadAccess | None:
    """Access by the cookie of the pad, with one query."""
    kept = cookies.read_cookie(cookie)
    link = _link(code, pk=kept.link_id) if kept else None
    if kept is None or link is None or not kept.opens(link):
        return None
    return PadAccess(link.pad, link, _at_table(link.pad, kept.who), True, kept.is_old)


def _by_club(request: HttpRequest, code: str) -> PadAccess | None:
    """Access to the pad of a club this phone may open. One that knows no club costs no query."""
    kept = {cookie.link_id: cookie for _, cookie in cookies.remembered(request, cookies.CLUB)}
    if not kept:
        return None
    for link in _of_clubs(code, pk__in=list(kept)):
        if kept[link.pk].opens(link):
            return PadAccess(_pad(code), link, Who(), by_cookie=True)
    return None


def watched_by_club(request: HttpRequest, evening: Evening) -> list[PadAccess]:
    """The pads of an evening that this phone may watch because they are in a club it may open."""
    clubs = {access.club.pk: access.link for access in remembered_clubs(request)}
    if not clubs:
        return []
    rows = ClubPad.objects.select_related("pad").filter(club__in=clubs, pad__evening=evening)
    return [PadAccess(row.pad, clubs[row.club_id], Who(), by_cookie=True) for row in rows]


def _of_clubs(code: str, **which: Any) -> QuerySet[ClubLink]:
    """Live links to the clubs that this pad is in now."""
    clubs = ClubPad.objects.filter(pad__code=code).values("club")
    return ClubLink.objects.select_related("club").filter(revoked_at=None, club__in=clubs, **which)


def _pad(code: str) -> Pad:
    return Pad.objects.select_related("handover").get(code=code)


def _club_link(code: str, **which: Any) -> ClubLink | None:
    """The live link of this club, with the club and its request for a handover, by one query."""
    link = ClubLink.objects.select_related("club__handover").filter(revoked_at=None, **which).first()
    if link is None or link.club.code != code:
        return None
    if link.role == links.KEEP:
        _note_owner(link.club)
    return link


def _link(code: str, **which: Any) -> Link | None:
    """The live link of this pad, with the pad and its request for a handover, by one query."""
    link = Link.objects.select_related("pad__handover").filter(revoked_at=None, **which).first()
    if link is None or link.pad.code != code:
        return None
    if link.role == links.KEEP:
        _note_owner(link.pad)
    return link


def _note_owner(target: Pad | Club) -> None:
    """While somebody asks to become an owner, a sign of an owner's phone is written down, once a minute."""
    row: Handover | ClubHandover | None = getattr(target, "handover", None)
    now = timezone.now()
    if row is None or row.declined or (row.seen_at and now < row.seen_at + SIGN_EVERY):
        return
    with suppress(Error):
        type(row)._default_manager.filter(pk=row.pk).update(seen_at=now)
        row.seen_at = now


def _at_table(pad: Pad, who: Who) -> Who:
    """Without the seat, when it was taken away."""
    return who if who.seat is None or 0 <= who.seat < len(pad.players) else replace(who, seat=None)


def count_guess(address: str, token: str) -> None:
    """Count a token that opened nothing as a guess, unless it was a link once."""
    hashed = links.hashed(token)
    if not any(kind._default_manager.filter(token_hash=hashed).exists() for kind in (Link, ClubLink)):
        limiter.record_failure(token_guesses(), address)


def bearer_of(header: str | None) -> str | None:
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def check_first_owner(access: PadAccess | ClubAccess) -> None:
    """Raise Refused for what a new owner may not do in his first days: send an owner away, or end the pad."""
    if access.is_new_owner and (until := links.new_owner_until(access.link)):
        day, word = date_format(until, "j F"), "pad" if isinstance(access, PadAccess) else "club"
        says = f"You are a new owner. Until {day} you cannot end the first owner's link or delete the {word}."
        raise engine.Refused("new-owner", says)


def lock_for(access: PadAccess) -> Pad:
    """The pad, locked, for access whose link must still live by then; raises Pad.DoesNotExist otherwise."""
    pad = links.lock(access.pad)
    if access.by_club or not links.live(pad).filter(pk=access.link_id).exists():
        raise Pad.DoesNotExist
    return pad


def lock_club_for(access: ClubAccess) -> Club:
    """The club, locked, for access whose link must still live by then; raises Club.DoesNotExist otherwise."""
    club = links.lock(access.club)
    if not links.live(club).filter(pk=access.link.pk).exists():
        raise Club.DoesNotExist
    return club


def remembered_clubs(request: HttpRequest) -> list[ClubAccess]:
    """The clubs this phone has a cookie for and can still open, latest first; none costs no query."""
    kept = cookies.remembered(request, cookies.CLUB)
    if not kept:
        return []
    ids = [cookie.link_id for _, cookie in kept]
    rows = ClubLink.objects.select_related("club").filter(pk__in=ids, revoked_at=None).in_bulk()
    return [
        ClubAccess(link.club, link, by_cookie=True)
        for code, cookie in kept
        if (link := rows.get(cookie.link_id)) and link.club.code == code and cookie.opens(link)
    ]


def remembered_pads(request: HttpRequest) -> list[PadAccess]:
    """The pads this phone has a cookie for and can still open, latest first, with one query."""
    kept = cookies.remembered(request)
    ids = [cookie.link_id for _, cookie in kept]
    rows = Link.objects.select_related("pad").filter(pk__in=ids, revoked_at=None).in_bulk()
    return [
        PadAccess(link.pad, link, Who(), by_cookie=True)
        for code, cookie in kept
        if (link := rows.get(cookie.link_id)) and link.pad.code == code and cookie.opens(link)
    ]

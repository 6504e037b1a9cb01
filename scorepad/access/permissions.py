"""Permission checks for pads: who a request is, by bearer token or by cookie, and what its role may do."""

from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db import Error
from django.http import Http404, HttpRequest
from django.utils import timezone
from django.utils.dateformat import format as date_format

import engine
from ratelimit import client_address, limiter
from scorepad.access import cookies, links
from scorepad.ledger.entries import Who
from scorepad.limits import token_guesses
from scorepad.models import Handover, Link, Pad

MAX_DEVICE_LENGTH = 40
SIGN_EVERY = timedelta(minutes=1)


@dataclass(frozen=True)
class PadAccess:
    """Access to one pad by a live link: its role, the seat or device, and how the link was shown."""

    pad: Pad
    link: Link
    who: Who
    by_cookie: bool
    has_old_cookie: bool = False
    """The cookie is of the version before, and due to be signed anew."""

    @property
    def role(self) -> str:
        return self.link.role

    @property
    def link_id(self) -> int:
        return self.link.pk

    @property
    def is_new_owner(self) -> bool:
        return links.is_of_new_owner(self.link)

    def may(self, role: str) -> bool:
        return links.RANK[self.role] >= links.RANK[role]

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


def access_of(request: HttpRequest, code: str) -> PadAccess | None:
    """The access a request has to this pad; None for a stranger. A bearer token outranks a cookie."""
    bearer = bearer_of(request.headers.get("Authorization"))
    if bearer is not None:
        return by_token(client_address.of_request(request), code, bearer)
    return by_cookie(code, request.COOKIES.get(cookies.cookie_name(code)))


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
    if link is None:
        count_guess(address, token)
        return None
    return PadAccess(link.pad, link, Who(), by_cookie=False)


def by_cookie(code: str, cookie: str | None) -> PadAccess | None:
    """Access by the cookie of the pad, with one query."""
    kept = cookies.read_cookie(cookie)
    link = _link(code, pk=kept.link_id) if kept else None
    if kept is None or link is None or not kept.opens(link):
        return None
    return PadAccess(link.pad, link, _at_table(link.pad, kept.who), True, kept.is_old)


def _link(code: str, **which: Any) -> Link | None:
    """The live link of this pad, with the pad and its request for a handover, by one query."""
    link = Link.objects.select_related("pad__handover").filter(revoked_at=None, **which).first()
    if link is None or link.pad.code != code:
        return None
    if link.role == links.KEEP:
        _note_owner(link.pad)
    return link


def _note_owner(pad: Pad) -> None:
    """While somebody asks to become an owner, a sign of an owner's phone is written down, once a minute."""
    row, now = getattr(pad, "handover", None), timezone.now()
    if row is None or row.declined or (row.seen_at and now < row.seen_at + SIGN_EVERY):
        return
    with suppress(Error):
        Handover.objects.filter(pk=row.pk).update(seen_at=now)
        row.seen_at = now


def _at_table(pad: Pad, who: Who) -> Who:
    """Without the seat, when it was taken away."""
    return who if who.seat is None or 0 <= who.seat < len(pad.players) else replace(who, seat=None)


def count_guess(address: str, token: str) -> None:
    """Count a token that opened nothing as a guess, unless it was a link once."""
    if not Link.objects.filter(token_hash=links.hashed(token)).exists():
        limiter.record_failure(token_guesses(), address)


def bearer_of(header: str | None) -> str | None:
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def check_first_owner(access: PadAccess) -> None:
    """Raise Refused for what a new owner may not do in his first days: send an owner away, or end the pad."""
    if access.is_new_owner and (until := links.new_owner_until(access.link)):
        day = date_format(until, "j F")
        says = f"You are a new owner. Until {day} you cannot end the first owner's link or delete the pad."
        raise engine.Refused("new-owner", says)


def lock_for(access: PadAccess) -> Pad:
    """The pad, locked, for access whose link must still live by then; raises Pad.DoesNotExist otherwise."""
    pad = links.lock(access.pad)
    if not links.live(pad).filter(pk=access.link_id).exists():
        raise Pad.DoesNotExist
    return pad


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

"""Permission checks for pads: who a request is, by bearer token or by cookie, and what its role may do."""

from dataclasses import dataclass
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest

from ratelimit import client_address, limiter
from scorepad.access import cookies, links
from scorepad.ledger.entries import Who
from scorepad.limits import token_guesses
from scorepad.models import Link, Pad

MAX_DEVICE_LENGTH = 40


@dataclass(frozen=True)
class PadAccess:
    """Access to one pad by a live link: its role, the seat or device, and how the link was shown."""

    pad: Pad
    role: str
    link_id: int
    who: Who
    by_cookie: bool

    def may(self, role: str) -> bool:
        return links.RANK[self.role] >= links.RANK[role]

    def sender(self, named: Any) -> Who:
        """The author of an entry: the seat or device the cookie knows, or what the call says."""
        if not isinstance(named, str) or not named.strip():
            return self.who
        if named in self.pad.players:
            return Who(self.pad.players.index(named))
        printable = "".join(sign for sign in named.strip() if sign.isprintable())
        return Who(device=printable[:MAX_DEVICE_LENGTH])


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
    """Access by a token. Tokens that never were are counted by address; raises RateLimitError."""
    limiter.check_quickly(token_guesses(), address)
    found = _access(code, Who(), by_cookie=False, token_hash=links.hashed(token))
    if found is None:
        count_guess(address, token)
    return found


def by_cookie(code: str, cookie: str | None) -> PadAccess | None:
    """Access by the cookie of the pad, with one query."""
    kept = cookies.read_cookie(cookie)
    return _access(code, kept[1], by_cookie=True, pk=kept[0]) if kept else None


def _access(code: str, who: Who, by_cookie: bool, **which: Any) -> PadAccess | None:
    for link in Link.objects.select_related("pad").filter(revoked_at=None, **which):
        if link.pad.code == code:
            return PadAccess(link.pad, link.role, link.pk, _at_table(link.pad, who), by_cookie)
    return None


def _at_table(pad: Pad, who: Who) -> Who:
    """Without the seat, when it was taken away."""
    return who if who.seat is None or 0 <= who.seat < len(pad.players) else Who(device=who.device)


def count_guess(address: str, token: str) -> None:
    """Count a token that opened nothing as a guess, unless it was a link once."""
    if not Link.objects.filter(token_hash=links.hashed(token)).exists():
        limiter.record_failure(token_guesses(), address)


def bearer_of(header: str | None) -> str | None:
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def lock_for(access: PadAccess) -> Pad:
    """The pad, locked, for access whose link must still live by then; raises Pad.DoesNotExist otherwise."""
    pad = links.lock(access.pad)
    if not links.live(pad).filter(pk=access.link_id).exists():
        raise Pad.DoesNotExist
    return pad


def remembered_pads(request: HttpRequest) -> list[PadAccess]:
    """The pads this phone has a cookie for and can still open, latest first, with one query."""
    kept = cookies.remembered_links(request)
    rows = Link.objects.select_related("pad").filter(pk__in=[link_id for _, link_id in kept], revoked_at=None)
    by_pad = {link.pad.code: link for link in rows}
    return [
        PadAccess(link.pad, link.role, link.pk, Who(), by_cookie=True)
        for code, link_id in kept
        if (link := by_pad.get(code)) is not None and link.pk == link_id
    ]

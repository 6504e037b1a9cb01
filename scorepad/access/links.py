"""Who may open a pad: links with tokens, and the signed cookie a link is traded for.

A token is never stored and never logged. It is made from the site's key and a nonce; its hash is kept.
"""

import base64
import hashlib
import secrets
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.conf import settings
from django.core import signing
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

import engine
from ratelimit import client_address, limiter
from scorepad import limits
from scorepad.ledger import Who
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import JoinCode, Link, Pad

KEEP, PLAY, WATCH = Link.KEEP, Link.PLAY, Link.WATCH
RANK = {WATCH: 0, PLAY: 1, KEEP: 2}
ROLES = (KEEP, PLAY, WATCH)
TOKEN_BYTES = 24
COOKIE_SECONDS = 400 * 24 * 3600
DEVICE_LENGTH_MOST = 40
_signer = signing.TimestampSigner(salt="scorepad.link")


@dataclass(frozen=True)
class PadAccess:
    """Someone who holds a live link to a pad, and how it was shown."""

    pad: Pad
    role: str
    link_id: int
    who: Who
    by_cookie: bool

    def may(self, role: str) -> bool:
        return RANK[self.role] >= RANK[role]


def new_link(pad: Pad, role: str) -> tuple[Link, str]:
    """A new link with its token."""
    link = Link(pad=pad, role=role, nonce=secrets.token_hex(16))
    token = _token(link)
    link.token_hash = hashed(token)
    link.save()
    return link, token


def _token(link: Link, key: str | bytes | None = None) -> str:
    digest = salted_hmac(
        "scorepad.link", f"{link.pad.code}:{link.role}:{link.nonce}", secret=key, algorithm="sha256"
    ).digest()
    return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def _shown_again(link: Link) -> str | None:
    """The link's token, made with the site's key or with one it had before; None if that key is not known."""
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        token = _token(link, key)
        if constant_time_compare(hashed(token), link.token_hash):
            return token
    return None


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def address(pad: Pad, token: str) -> str:
    return f"/pads/{pad.code}/{token}"


def live(pad: Pad) -> QuerySet[Link]:
    return Link.objects.filter(pad=pad, revoked_at=None)


def addresses(pad: Pad, most: str = KEEP) -> dict[str, str]:
    """The address of the newest live link of every role up to this one, for a join sheet."""
    shown: dict[str, str] = {}
    for role in ROLES:
        if RANK[role] > RANK[most]:
            continue
        link = live(pad).filter(role=role).order_by("-pk").first()
        if link is None:
            continue
        link.pad = pad
        token = _shown_again(link)
        # If its key is not known any more, it still works where it is; its keeper can make a new one.
        if token is not None:
            shown[role] = address(pad, token)
    return shown


def hold(pad: Pad) -> Pad:
    """The pad until the end of the transaction, so that nobody gets a link of a role that is just ended."""
    return Pad.objects.select_for_update().get(pk=pad.pk)


def hold_for(holder: PadAccess) -> Pad:
    """The same for somebody whose link must still live by then; raises Pad.DoesNotExist if it does not."""
    pad = hold(holder.pad)
    if not live(pad).filter(pk=holder.link_id).exists():
        raise Pad.DoesNotExist
    return pad


def one_more(pad: Pad, role: str) -> tuple[Link, str]:
    """One more link of a pad that is held; raises Refused when it has had too many."""
    if Link.objects.filter(pad=pad).count() >= limit("LINKS_EVER_PER_PAD_MOST"):
        says = "This pad has had too many links. They can still be revoked; begin a new pad for others."
        raise engine.Refused("too-many-links", says)
    return new_link(pad, role)


@transaction.atomic
def rotate(pad: Pad, role: str) -> tuple[Link, str]:
    """A new link for this role; all others of it are dead at the next request."""
    revoke(pad, role)
    return one_more(pad, role)


@transaction.atomic
def revoke(pad: Pad, role: str) -> int:
    """No link of this role, and no short code that would give one."""
    hold(pad)
    JoinCode.objects.filter(pad=pad, role=role).delete()
    gone = live(pad).filter(role=role).update(revoked_at=timezone.now())
    notify.wake(pad.code, notify.LINKS)
    return gone


def find(code: str, bearer: str | None, cookie: str | None) -> PadAccess | None:
    """Whoever shows this token or cookie, by one query; None for a stranger. A token outranks a cookie."""
    if bearer is not None:
        return _holder(code, Who(), by_cookie=False, token_hash=hashed(bearer))
    kept = _read_cookie(cookie)
    return _holder(code, kept[1], by_cookie=True, pk=kept[0]) if kept else None


def _holder(code: str, who: Who, by_cookie: bool, **which: Any) -> PadAccess | None:
    for link in Link.objects.select_related("pad").filter(revoked_at=None, **which):
        if link.pad.code == code:
            return PadAccess(link.pad, link.role, link.pk, _at_table(link.pad, who), by_cookie)
    return None


def _at_table(pad: Pad, who: Who) -> Who:
    """A seat that was taken away is nobody's."""
    return who if who.seat is None or 0 <= who.seat < len(pad.players) else Who(device=who.device)


def holder(request: HttpRequest, code: str) -> PadAccess | None:
    bearer = bearer_of(request.headers.get("Authorization"))
    cookie = request.COOKIES.get(cookie_name(code))
    return find(code, None, cookie) if bearer is None else shown(request_address(request), code, bearer)


def request_address(request: HttpRequest) -> str:
    return client_address.of_request(request)


def shown(address: str, code: str, token: str) -> PadAccess | None:
    """Whoever shows this token. Tokens that never were are counted by address; raises TooOften."""
    limiter.check_quickly(limits.token_guesses(), address)
    found = find(code, token, None)
    if found is None:
        count_guess(address, token)
    return found


def count_guess(address: str, token: str) -> None:
    """A token that opened nothing is a guess, unless it was a link once."""
    if not Link.objects.filter(token_hash=hashed(token)).exists():
        limiter.record_failure(limits.token_guesses(), address)


def required(request: HttpRequest, code: str, role: str = WATCH) -> PadAccess:
    """The holder, for a page: a stranger gets 404, a lesser role 403."""
    found = holder(request, code)
    if found is None:
        raise Http404("No pad is open here. Ask the table for its link.")
    if not found.may(role):
        raise PermissionDenied
    return found


def bearer_of(header: str | None) -> str | None:
    scheme, _, token = (header or "").partition(" ")
    return token.strip() if scheme.lower() == "bearer" else None


def cookie_name(code: str) -> str:
    return f"{settings.COOKIE_PREFIX}pad-{code}"


def remember(
    request: HttpRequest, response: HttpResponse, pad: Pad, link_id: int, who: Who | None = None
) -> None:
    """Put the signed cookie of this pad on the phone; the oldest goes when it holds too many."""
    who = who or Who()
    value = _signer.sign_object({"l": link_id, "s": who.seat, "d": who.device})
    response.set_cookie(
        cookie_name(pad.code),
        value,
        max_age=COOKIE_SECONDS,
        secure=settings.SECURE or request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    others = [code for code, _ in known(request) if code != pad.code]
    for code in others[limit("PADS_KNOWN_BY_A_PHONE_MOST") - 1 :]:
        forget(response, code)


def forget(response: HttpResponse, code: str) -> None:
    response.delete_cookie(cookie_name(code), samesite="Lax")


def known(request: HttpRequest) -> list[tuple[str, int]]:
    """The pads this phone has a cookie for, latest first: code and link."""
    found: list[tuple[datetime, str, int]] = []
    for name, value in request.COOKIES.items():
        kept = _read_cookie(value) if name.startswith(cookie_name("")) else None
        if kept is not None:
            found.append((_signed_at(value), name.removeprefix(cookie_name("")), kept[0]))
    return [(code, link_id) for _, code, link_id in sorted(found, reverse=True)]


def known_pads(request: HttpRequest) -> list[PadAccess]:
    """The pads this phone can still open, latest first, with one query."""
    kept = known(request)
    rows = Link.objects.select_related("pad").filter(pk__in=[link_id for _, link_id in kept], revoked_at=None)
    by_pad = {link.pad.code: link for link in rows}
    return [
        PadAccess(link.pad, link.role, link.pk, Who(), by_cookie=True)
        for code, link_id in kept
        if (link := by_pad.get(code)) is not None and link.pk == link_id
    ]


def _read_cookie(value: str | None) -> tuple[int, Who] | None:
    if not value:
        return None
    try:
        kept = _signer.unsign_object(value)
        return int(kept["l"]), Who(kept["s"], kept["d"])
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None


def _signed_at(value: str) -> datetime:
    stamp = _signer.unsign(value) and value.rsplit(":", 2)[1]
    return datetime.fromtimestamp(signing.b62_decode(stamp), tz=timezone.get_fixed_timezone(0))

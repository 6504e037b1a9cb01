"""Cookies of pads: a phone keeps one signed cookie for each pad it has opened, with its link and its seat."""

from datetime import datetime

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from scorepad.ledger.entries import Who
from scorepad.limits import limit
from scorepad.models import Pad

MAX_AGE_SECONDS = 400 * 24 * 3600
_signer = signing.TimestampSigner(salt="scorepad.link")


def cookie_name(code: str) -> str:
    return f"{settings.COOKIE_PREFIX}pad-{code}"


def set_cookie(
    request: HttpRequest, response: HttpResponse, pad: Pad, link_id: int, who: Who | None = None
) -> None:
    """Put the signed cookie of this pad on the phone; the oldest goes when it holds too many."""
    who = who or Who()
    value = _signer.sign_object({"l": link_id, "s": who.seat, "d": who.device})
    response.set_cookie(
        cookie_name(pad.code),
        value,
        max_age=MAX_AGE_SECONDS,
        secure=settings.SECURE or request.is_secure(),
        httponly=True,
        samesite="Lax",
    )
    others = [code for code, _ in remembered_links(request) if code != pad.code]
    for code in others[limit("PADS_KNOWN_BY_A_PHONE_MOST") - 1 :]:
        delete_cookie(response, code)


def delete_cookie(response: HttpResponse, code: str) -> None:
    response.delete_cookie(cookie_name(code), samesite="Lax")


def read_cookie(value: str | None) -> tuple[int, Who] | None:
    """The link and the seat or device in a cookie; None for one that we did not sign."""
    if not value:
        return None
    try:
        kept = _signer.unsign_object(value)
        return int(kept["l"]), Who(kept["s"], kept["d"])
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None


def remembered_links(request: HttpRequest) -> list[tuple[str, int]]:
    """The pads this phone has a cookie for, latest first: code and link."""
    found: list[tuple[datetime, str, int]] = []
    for name, value in request.COOKIES.items():
        kept = read_cookie(value) if name.startswith(cookie_name("")) else None
        if kept is not None:
            found.append((_signed_at(value), name.removeprefix(cookie_name("")), kept[0]))
    return [(code, link_id) for _, code, link_id in sorted(found, reverse=True)]


def _signed_at(value: str) -> datetime:
    stamp = _signer.unsign(value) and value.rsplit(":", 2)[1]
    return datetime.fromtimestamp(signing.b62_decode(stamp), tz=timezone.get_fixed_timezone(0))

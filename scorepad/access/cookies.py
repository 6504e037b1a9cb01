"""Cookies of pads and clubs: a phone has a signed one for each it has opened, with its link and its seat."""

import hashlib
import secrets
from dataclasses import dataclass, replace
from datetime import datetime

from django.conf import settings
from django.core import signing
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from scorepad.ledger.entries import Who
from scorepad.limits import limit
from scorepad.models import Club, ClubLink, Link, Pad

PAD, CLUB = "pad", "club"
KNOWN_MOST = {PAD: "PADS_KNOWN_BY_A_PHONE_MOST", CLUB: "CLUBS_KNOWN_BY_A_PHONE_MOST"}
MAX_AGE_SECONDS = 400 * 24 * 3600
CLAIM_SECONDS = 30 * 24 * 3600
_signer = signing.TimestampSigner(salt="scorepad.link")


@dataclass(frozen=True)
class PadCookie:
    """What was signed for a phone: its link, by number and by mark, its seat or device, and when."""

    link_id: int
    mark: str
    who: Who
    signed_at: datetime

    def opens(self, link: Link | ClubLink) -> bool:
        """Tell if it was signed for this link, and not for another that had its number before a restore."""
        if self.mark or isinstance(link, ClubLink):
            return constant_time_compare(self.mark, _mark(link))
        # Signed by the version before, without a mark. A link that was given the number of a lost one is made
        # after the restore, and so after every cookie of the lost one.
        return self.signed_at >= link.made_at.replace(microsecond=0)

    @property
    def is_old(self) -> bool:
        return not self.mark or not self.who.phone


def _mark(link: Link | ClubLink) -> str:
    """The code of the pad or club and the link's own random number, in short."""
    return hashlib.sha256(f"{link.target.code}:{link.nonce}".encode()).hexdigest()[:32]


def cookie_name(code: str, kind: str = PAD) -> str:
    return f"{settings.COOKIE_PREFIX}{kind}-{code}"


def set_cookie(
    request: HttpRequest, response: HttpResponse, link: Link | ClubLink, who: Who | None = None
) -> None:
    """Put the signed cookie of this pad or club on the phone; the oldest goes when it holds too many."""
    who, code = who or Who(), link.target.code
    kind = CLUB if isinstance(link, ClubLink) else PAD
    value = signed(link, replace(who, phone=who.phone or _phone_of(request, code)))
    _put(request, response, cookie_name(code, kind), value, MAX_AGE_SECONDS)
    others = [other for other, _ in remembered(request, kind) if other != code]
    for other in others[limit(KNOWN_MOST[kind]) - 1 :]:
        delete_cookie(response, other, kind)


def signed(link: Link | ClubLink, who: Who) -> str:
    said = {"l": link.pk, "m": _mark(link), "s": who.seat, "d": who.device, "p": who.phone}
    return _signer.sign_object({**said, "w": True} if who.watches else said)


def _phone_of(request: HttpRequest, code: str) -> str:
    """The random name of this phone at this pad: the one it has, else a new one."""
    kept = read_cookie(request.COOKIES.get(cookie_name(code)))
    return kept.who.phone if kept and kept.who.phone else secrets.token_hex(6)


def _put(request: HttpRequest, response: HttpResponse, name: str, value: str, seconds: int) -> None:
    secure = settings.SECURE or request.is_secure()
    response.set_cookie(name, value, max_age=seconds, secure=secure, httponly=True, samesite="Lax")


def is_hinted(request: HttpRequest) -> bool:
    """True once this phone has entered something, on any pad."""
    return hinted_name() in request.COOKIES


def set_hinted(request: HttpRequest, response: HttpResponse) -> None:
    _put(request, response, hinted_name(), "1", MAX_AGE_SECONDS)


def hinted_name() -> str:
    return f"{settings.COOKIE_PREFIX}hinted"


def delete_cookie(response: HttpResponse, code: str, kind: str = PAD) -> None:
    for name in (cookie_name(code, kind), claim_name(code, kind)):
        response.delete_cookie(name, samesite="Lax")


def read_cookie(value: str | None) -> PadCookie | None:
    """What a cookie says; None for one that we did not sign."""
    if not value:
        return None
    try:
        kept = _signer.unsign_object(value)
        who = Who(kept["s"], kept["d"], str(kept.get("p", "")), kept.get("w") is True)
        return PadCookie(int(kept["l"]), str(kept.get("m", "")), who, _signed_at(value))
    except (signing.BadSignature, KeyError, TypeError, ValueError):
        return None


def remembered(request: HttpRequest, kind: str = PAD) -> list[tuple[str, PadCookie]]:
    """The pads, or clubs, this phone has a cookie for, latest first: code and cookie."""
    found: list[tuple[str, PadCookie]] = []
    begins = cookie_name("", kind)
    for name, value in request.COOKIES.items():
        kept = read_cookie(value) if name.startswith(begins) else None
        if kept is not None:
            found.append((name.removeprefix(begins), kept))
    # A time of signing has whole seconds; of two links in one second the later one has the higher number.
    return sorted(found, key=lambda one: (one[1].signed_at, one[1].link_id), reverse=True)


def _signed_at(value: str) -> datetime:
    stamp = value.rsplit(":", 2)[1]
    return datetime.fromtimestamp(signing.b62_decode(stamp), tz=timezone.get_fixed_timezone(0))


def claim_name(code: str, kind: str = PAD) -> str:
    return f"{settings.COOKIE_PREFIX}asked-{'' if kind == PAD else f'{kind}-'}{code}"


def set_claim(request: HttpRequest, response: HttpResponse, target: Pad | Club, claim: str) -> None:
    """Let the phone that asked to become an owner prove that it did; an empty claim is forgotten."""
    name = claim_name(target.code, PAD if isinstance(target, Pad) else CLUB)
    if claim:
        _put(request, response, name, claim, CLAIM_SECONDS)
    else:
        response.delete_cookie(name, samesite="Lax")


def claim_of(request: HttpRequest, code: str, kind: str = PAD) -> str:
    return request.COOKIES.get(claim_name(code, kind), "")

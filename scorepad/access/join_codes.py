"""Join codes: eight letters to type instead of a link, for a few minutes."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

import engine
from ratelimit import limiter
from ratelimit.configured_limits import in_minutes
from scorepad import limits
from scorepad.access import links
from scorepad.access.permissions import PadAccess, lock_for
from scorepad.limits import limit
from scorepad.models import JoinCode, Pad

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No 0 or O, no 1, I or L."""
LENGTH = 8
"""For these minutes a code is the only guard of its pad; and there may be many codes to hit."""


@transaction.atomic
def new_code(access: PadAccess, role: str) -> tuple[str, JoinCode]:
    """A code that lives while the join sheet is open, for a few minutes. It is kept only as a hash.

    Raises Pad.DoesNotExist when the link of this access was ended meanwhile.
    """
    pad = lock_for(access)
    JoinCode.objects.filter(ends_at__lt=timezone.now()).delete()
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    # Nobody hands on more than he has: a new owner's code makes new owners.
    given_at = access.link.given_at if role == links.KEEP else None
    ends_at = timezone.now() + timedelta(minutes=limit("JOIN_CODE_MINUTES"))
    row = JoinCode.objects.create(
        pad=pad, role=role, code_hash=_hashed(code), ends_at=ends_at, given_at=given_at
    )
    # Counted by role, so that those who watch cannot push out the codes of those who play.
    newest = JoinCode.objects.filter(pad=pad, role=role).order_by("-pk").values_list("pk", flat=True)
    older = list(newest[limit("JOIN_CODES_PER_ROLE_MOST") :])
    if older:
        JoinCode.objects.filter(pk__in=older).delete()
    return code, row


def close_codes(pad: Pad) -> None:
    """The join sheet is shut: its codes are dead."""
    JoinCode.objects.filter(pad=pad).delete()


def exchange(code: object, address: str) -> tuple[Pad, str, links.AnyLink, str]:
    """A link for a code: the pad, the role, the link and its token. Raises RateLimitError.

    A try is counted by address before the code is looked at, and taken off the count if the code was right:
    of many at once, no more are judged than one after the other.
    """
    turns = limiter.take([(limits.join_code_guesses(), address)])
    typed = "".join(code.split()).replace("-", "").upper() if isinstance(code, str) else ""
    typed = typed if typed.isascii() else ""
    row = _code(typed)
    if row is None:
        raise _no_code()
    limiter.give_back(turns)
    with transaction.atomic():
        links.lock(row.pad)
        if _code(typed) is None:
            raise _no_code()
        if not links.has_room(links.live(row.pad), row.role, limit("LINKS_PER_PAD_MOST")):
            raise engine.Refused(
                "too-many-links", "This pad has given out too many links. Its owner can make new ones."
            )
        link, token = links.another_link(row.pad, row.role, row.given_at)
    return row.pad, row.role, link, token


def in_groups(code: str) -> str:
    """A code as it is read out: in two groups."""
    half = len(code) // 2
    return f"{code[:half]} {code[half:]}".strip()


def _code(typed: str) -> JoinCode | None:
    alive = JoinCode.objects.select_related("pad").filter(ends_at__gt=timezone.now())
    return alive.filter(code_hash=_hashed(typed)).first()


def _no_code() -> engine.Refused:
    lives = in_minutes(limit("JOIN_CODE_MINUTES"))
    return engine.Refused(
        "no-code", f"No pad has this code now. Ask for a new one; a code is valid for {lives}."
    )


def _hashed(words: str) -> str:
    return salted_hmac("scorepad.join", words, algorithm="sha256").hexdigest()

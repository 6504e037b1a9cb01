"""Coming to a pad without its link: a short code to type, the next game's door, and taking the pad over."""

import secrets
from datetime import timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import salted_hmac

import engine
from ratelimit import limiter
from ratelimit.limits import in_minutes
from scorepad import limits
from scorepad.access import links
from scorepad.ledger import Who
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Handover, JoinCode, Link, Pad

LETTERS = "23456789ABCDEFGHJKMNPQRSTUVWXYZ"
"""No 0 or O, no 1, I or L."""
LENGTH = 6
HANDOVER_SECONDS = 60


@transaction.atomic
def new_code(holder: links.PadAccess, role: str) -> tuple[str, JoinCode]:
    """A code that lives while the join sheet is open, for a few minutes. It is kept only as a hash.

    Raises Pad.DoesNotExist for a holder whose link was ended meanwhile.
    """
    pad = links.hold_for(holder)
    JoinCode.objects.filter(ends_at__lt=timezone.now()).delete()
    code = "".join(secrets.choice(LETTERS) for _ in range(LENGTH))
    ends_at = timezone.now() + timedelta(minutes=limit("JOIN_CODE_MINUTES"))
    row = JoinCode.objects.create(pad=pad, role=role, code_hash=_hashed(code), ends_at=ends_at)
    # Counted by role, so that those who watch cannot push out the codes of those who play.
    newest = JoinCode.objects.filter(pad=pad, role=role).order_by("-pk").values_list("pk", flat=True)
    older = list(newest[limit("JOIN_CODES_PER_ROLE_MOST") :])
    if older:
        JoinCode.objects.filter(pk__in=older).delete()
    return code, row


def close_codes(pad: Pad) -> None:
    """The join sheet is shut: its codes are dead."""
    JoinCode.objects.filter(pad=pad).delete()


def trade(code: object, address: str) -> tuple[Pad, str, Link, str]:
    """A link for a code: the pad, the role, the link and its token. Wrong codes are counted by address;
    raises TooOften."""
    limiter.check(limits.join_code_guesses(), address)
    typed = "".join(code.split()).replace("-", "").upper() if isinstance(code, str) else ""
    typed = typed if typed.isascii() else ""
    row = _code(typed)
    if row is None:
        limiter.record_failure(limits.join_code_guesses(), address)
        raise _no_code()
    with transaction.atomic():
        links.hold(row.pad)
        if _code(typed) is None:
            raise _no_code()
        if links.live(row.pad).count() >= limit("LINKS_PER_PAD_MOST"):
            raise engine.Refused(
                "too-many-links", "This pad has given out too many links. Its keeper can make new ones."
            )
        link, token = links.one_more(row.pad, row.role)
    return row.pad, row.role, link, token


def _code(typed: str) -> JoinCode | None:
    alive = JoinCode.objects.select_related("pad").filter(ends_at__gt=timezone.now())
    return alive.filter(code_hash=_hashed(typed)).first()


def _no_code() -> engine.Refused:
    lives = in_minutes(limit("JOIN_CODE_MINUTES"))
    return engine.Refused("no-code", f"No pad has this code now. Ask for a new one; a code lives {lives}.")


def _hashed(words: str) -> str:
    return salted_hmac("scorepad.join", words, algorithm="sha256").hexdigest()


def following(pad: Pad) -> Pad | None:
    return Pad.objects.filter(follows=pad).first()


def next_link(after: Pad, role: str) -> Link | None:
    """Whoever was at the table before is at this one in the same role, until its keeper rotates that link.

    Only the link the pad was begun with is handed on: a newer one is for those it was given to.
    """
    link = Link.objects.filter(pad=after, role=role).order_by("pk").first()
    return link if link is not None and link.revoked_at is None else None


def ask_to_keep(holder: links.PadAccess) -> dict[str, object]:
    """A player asks for the pad, its keeper's phone being gone. A minute later he has it, unless told no."""
    with transaction.atomic():
        links.hold_for(holder)
        row = Handover.objects.filter(pad=holder.pad).first()
        if row is None or row.link_id != holder.link_id or row.declined:
            if row is not None and row.declined and _seconds_since(row) < HANDOVER_SECONDS:
                raise engine.Refused("declined", "The keeper has said no. Ask at the table.")
            Handover.objects.filter(pad=holder.pad).delete()
            row = Handover.objects.create(
                pad=holder.pad, link_id=holder.link_id, seat=holder.who.seat, device=holder.who.device
            )
            notify.wake(holder.pad.code, notify.PAD)
        return {"wait": max(0, HANDOVER_SECONDS - _seconds_since(row)), "given": False}


def take_over(holder: links.PadAccess) -> tuple[Link, str] | None:
    """A keeper's link with its token, once the minute is over; None before."""
    with transaction.atomic():
        links.hold_for(holder)
        row = Handover.objects.filter(pad=holder.pad, link_id=holder.link_id, declined=False).first()
        if row is None or _seconds_since(row) < HANDOVER_SECONDS:
            return None
        row.delete()
        notify.wake(holder.pad.code, notify.PAD)
        return links.one_more(holder.pad, links.KEEP)


@transaction.atomic
def decline(pad: Pad) -> None:
    Handover.objects.filter(pad=pad).update(declined=True, asked_at=timezone.now())
    notify.wake(pad.code, notify.PAD)


def asked(pad: Pad) -> dict[str, object] | None:
    """Who asks to keep the pad, for the keeper's page."""
    row = Handover.objects.filter(pad=pad, declined=False).first()
    if row is None:
        return None
    who = Who(row.seat, row.device).named(pad.players)
    return {"who": who or None, "wait": max(0, HANDOVER_SECONDS - _seconds_since(row))}


def _seconds_since(row: Handover) -> int:
    return int((timezone.now() - row.asked_at).total_seconds())

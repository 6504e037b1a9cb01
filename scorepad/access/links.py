"""Links of a pad or a club: an address with a token for each role, made, rotated and revoked.

A token is never stored and never logged. It is made from the site's key and a nonce; its hash is kept.
"""

import base64
import hashlib
import secrets
from datetime import datetime, timedelta
from typing import TypeVar, cast

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

import engine
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import Club, ClubHandover, ClubLink, Handover, JoinCode, Link, Pad

Target = Pad | Club
AnyLink = Link | ClubLink
Links = QuerySet[Link] | QuerySet[ClubLink]
Locked = TypeVar("Locked", bound=Pad | Club)

KEEP, PLAY, WATCH = Link.KEEP, Link.PLAY, Link.WATCH
RANK = {WATCH: 0, PLAY: 1, KEEP: 2}
ROLES = (KEEP, PLAY, WATCH)
TOKEN_BYTES = 24
SHARES = {WATCH: 0.5, PLAY: 0.9, KEEP: 1.0}
"""How much of what a pad has the links up to this role may take: places are kept for those above."""


def new_link(target: Target, role: str, given_at: datetime | None = None) -> tuple[AnyLink, str]:
    """A new link with its token; with the time at which its holder was made an owner, if he was."""
    nonce = secrets.token_hex(16)
    link: AnyLink
    if isinstance(target, Pad):
        link = Link(pad=target, role=role, nonce=nonce, given_at=given_at)
    else:
        link = ClubLink(club=target, role=role, nonce=nonce, given_at=given_at)
    token = _token(link)
    link.token_hash = hashed(token)
    link.save()
    return link, token


def _token(link: AnyLink, key: str | bytes | None = None) -> str:
    digest = salted_hmac(
        "scorepad.link", f"{link.target.code}:{link.role}:{link.nonce}", secret=key, algorithm="sha256"
    ).digest()
    return base64.urlsafe_b64encode(digest[:TOKEN_BYTES]).decode()


def _token_again(link: AnyLink) -> str | None:
    """The link's token, made with the site's key or with one it had before; None if that key is not known."""
    for key in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS):
        token = _token(link, key)
        if constant_time_compare(hashed(token), link.token_hash):
            return token
    return None


def hashed(token: str) -> str:
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def address(target: Target, token: str) -> str:
    return f"{page_of(target)}{token}"


def page_of(target: Target) -> str:
    return f"/pads/{target.code}/" if isinstance(target, Pad) else f"/clubs/{target.code}/"


def all_of(target: Target) -> Links:
    """Every link there ever was, revoked ones too."""
    return target.links.all()


def live(target: Target) -> Links:
    return all_of(target).filter(revoked_at=None)


def owners(target: Target, new: bool = False) -> Links:
    """The owners' links, revoked ones too: those of the first owner, or those of new owners."""
    return all_of(target).filter(_of_new_owners() if new else ~_of_new_owners(), role=KEEP)


def is_of_new_owner(link: AnyLink) -> bool:
    """True in the first days after a handover, in which the link ends no owner's link and no pad."""
    return link.given_at is not None and link.given_at > _new_since()


def new_owner_until(link: AnyLink) -> datetime | None:
    return link.given_at + timedelta(days=limit("NEW_OWNER_DAYS")) if link.given_at else None


def _of_new_owners() -> Q:
    return Q(given_at__isnull=False, given_at__gt=_new_since())


def _new_since() -> datetime:
    return timezone.now() - timedelta(days=limit("NEW_OWNER_DAYS"))


def addresses(target: Target, most: str = KEEP, new_owner: bool = False) -> dict[str, str]:
    """The address of the newest live link of every role up to this one, for a join sheet.

    A new owner is not shown the first owner's link: it may do more than his own.
    """
    shown: dict[str, str] = {}
    for role in ROLES:
        if RANK[role] > RANK[most]:
            continue
        of_role = owners(target, new_owner) if role == KEEP else all_of(target).filter(role=role)
        link = of_role.filter(revoked_at=None).order_by("-pk").first()
        if link is None:
            continue
        token = _token_again(link)
        # If its key is not known any more, it still works where it is; its owner can make a new one.
        if token is not None:
            shown[role] = address(target, token)
    return shown


def lock(target: Locked) -> Locked:
    """The pad or club, locked until the end of the transaction: no link is given out of a role that is just
    ended."""
    return cast(Locked, type(target)._default_manager.select_for_update().get(pk=target.pk))


def has_room(taken: Links, role: str, most: int) -> bool:
    """Tell if one more link of this role fits: within the whole, and within the share of its role."""
    roles = list(taken.values_list("role", flat=True)[:most])
    lesser = sum(RANK[one] <= RANK[role] for one in roles)
    return len(roles) < most and lesser < share(role, most)


def share(role: str, most: int) -> int:
    """How many of so many places are open to this role and those below it."""
    return max(1, int(SHARES[role] * most))


def another_link(target: Target, role: str, given_at: datetime | None = None) -> tuple[AnyLink, str]:
    """One more link of a locked pad or club; raises Refused when it has had too many."""
    if not has_room(all_of(target), role, limit("LINKS_EVER_PER_PAD_MOST")):
        word = "pad" if isinstance(target, Pad) else "club"
        says = (
            f"This {word} has had too many links. They can still be revoked; begin a new {word} for others."
        )
        raise engine.Refused("too-many-links", says)
    return new_link(target, role, given_at)


@transaction.atomic
def rotate(target: Target, role: str) -> tuple[AnyLink, str]:
    """A new link for this role; all others of it are dead at the next request."""
    revoke(target, role)
    return another_link(target, role)


@transaction.atomic
def revoke(target: Target, role: str) -> int:
    """No link of this role, and no short code that would give one."""
    lock(target)
    if isinstance(target, Pad):
        JoinCode.objects.filter(pad=target, role=role).delete()
        Handover.objects.filter(pad=target, link__role=role).delete()
    else:
        ClubHandover.objects.filter(club=target, link__role=role).delete()
    gone = live(target).filter(role=role).update(revoked_at=timezone.now())
    if isinstance(target, Pad):
        notify.wake(target.code, notify.LINKS)
    return gone


def hand_on_new_owner(before: Pad, pad: Pad) -> None:
    """Give the next game a link for the new owner of the game before, with the same bounds as there."""
    new = owners(before, new=True).filter(revoked_at=None).order_by("-pk").first()
    if new is not None:
        new_link(pad, KEEP, new.given_at)


def inherited_link(pad: Pad, before: AnyLink) -> AnyLink | None:
    """The link of the same role for who has this link to the game before, until the owner rotates it.

    Only the link the pad was begun with is handed on: a newer one is for those it was given to. Who became an
    owner of the game before when this one was begun already, goes on as a player.
    """
    of_role = all_of(pad).filter(role=before.role)
    if before.role == KEEP:
        of_role = owners(pad, is_of_new_owner(before))
        if is_of_new_owner(before) and not of_role.exists():
            of_role = all_of(pad).filter(role=PLAY)
    link = of_role.order_by("pk").first()
    return link if link is not None and link.revoked_at is None else None

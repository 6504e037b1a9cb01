"""Links of a pad: an address with a token for each role, made, rotated and revoked.

A token is never stored and never logged. It is made from the site's key and a nonce; its hash is kept.
"""

import base64
import hashlib
import secrets

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

import engine
from scorepad.limits import limit
from scorepad.live import notify
from scorepad.models import JoinCode, Link, Pad

KEEP, PLAY, WATCH = Link.KEEP, Link.PLAY, Link.WATCH
RANK = {WATCH: 0, PLAY: 1, KEEP: 2}
ROLES = (KEEP, PLAY, WATCH)
TOKEN_BYTES = 24


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


def _token_again(link: Link) -> str | None:
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
        token = _token_again(link)
        # If its key is not known any more, it still works where it is; its keeper can make a new one.
        if token is not None:
            shown[role] = address(pad, token)
    return shown


def lock(pad: Pad) -> Pad:
    """The pad, locked until the end of the transaction: no link is given out of a role that is just ended."""
    return Pad.objects.select_for_update().get(pk=pad.pk)


def another_link(pad: Pad, role: str) -> tuple[Link, str]:
    """One more link of a locked pad; raises Refused when it has had too many."""
    if Link.objects.filter(pad=pad).count() >= limit("LINKS_EVER_PER_PAD_MOST"):
        says = "This pad has had too many links. They can still be revoked; begin a new pad for others."
        raise engine.Refused("too-many-links", says)
    return new_link(pad, role)


@transaction.atomic
def rotate(pad: Pad, role: str) -> tuple[Link, str]:
    """A new link for this role; all others of it are dead at the next request."""
    revoke(pad, role)
    return another_link(pad, role)


@transaction.atomic
def revoke(pad: Pad, role: str) -> int:
    """No link of this role, and no short code that would give one."""
    lock(pad)
    JoinCode.objects.filter(pad=pad, role=role).delete()
    gone = live(pad).filter(role=role).update(revoked_at=timezone.now())
    notify.wake(pad.code, notify.LINKS)
    return gone


def inherited_link(pad: Pad, role: str) -> Link | None:
    """The link of this role for the table of the game before, until the keeper rotates that link.

    Only the link the pad was begun with is handed on: a newer one is for those it was given to.
    """
    link = Link.objects.filter(pad=pad, role=role).order_by("pk").first()
    return link if link is not None and link.revoked_at is None else None

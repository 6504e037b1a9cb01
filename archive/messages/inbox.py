"""The curators' inbox: messages are sent, answered and deleted; what tells who sent one does not stay long.

A message has a private link, by which its sender follows it. Only a hash of that link is kept.
"""

from __future__ import annotations

import hashlib
import secrets
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from archive.messages.forms import MessageForm
from archive.messages.limits import EVERYONE, limit, sent_by_all, sent_from_address
from archive.messages.places import Place
from archive.models import MessagePhotograph, Proposal, ReaderMessage
from archive.publication.errors import EditError
from people.models import Person
from ratelimit import limiter

TOKEN_BYTES = 24
MAX_ANSWER = 4_000


class InboxFullError(Exception):
    """So many messages wait that no more are taken; nothing was stored."""

    says = "Too many messages are waiting to be read. Please try again in a few days."


class MessageGoneError(Exception):
    """No message has this link: there never was one, or it was deleted."""


def digest_of(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@transaction.atomic
def send(place: Place, form: MessageForm, address: str, photograph: bytes = b"") -> str:
    """Store a message; returns the token of its private link. Raises RateLimitError or InboxFullError."""
    limiter.take([(sent_from_address(), address), (sent_by_all(), EVERYONE)])
    if ReaderMessage.objects.filter(answered=None).count() >= limit("MESSAGES_WAITING_MOST"):
        raise InboxFullError
    delete_old_addresses()
    token = secrets.token_urlsafe(TOKEN_BYTES)
    message = ReaderMessage.objects.create(
        book=place.book,
        kind=place.kind,
        name=place.name,
        words=form.words,
        checksum=digest_of(form.words.encode()),
        sender=form.sender,
        email=form.email,
        token_hash=digest_of(token.encode()),
    )
    if photograph:
        MessagePhotograph.objects.create(message=message, jpeg=photograph, checksum=digest_of(photograph))
    return token


def find(token: str) -> ReaderMessage:
    """The message of this private link. Raises MessageGoneError."""
    messages = ReaderMessage.objects.select_related("book", "proposal")
    found = messages.filter(token_hash=digest_of(token.encode())).first()
    if found is None:
        raise MessageGoneError
    return found


def answer(curator: Person, message: ReaderMessage, words: str) -> None:
    """Answer a message, or replace the answer. The days until the address is deleted count from the first.
    Raises EditError or MessageGoneError."""
    if not words.strip():
        raise EditError("Write your answer.", field="answer")
    if len(words) > MAX_ANSWER:
        raise EditError(f"Write at most {MAX_ANSWER:,} letters.", field="answer")
    message.answered = message.answered or timezone.now()
    told = {"answer": words.strip(), "answered_by": curator, "signed": curator.name}
    if not ReaderMessage.objects.filter(pk=message.pk).update(answered=message.answered, **told):
        # Its sender has deleted it meanwhile.
        raise MessageGoneError
    delete_old_addresses()


def settle(proposal: Proposal, curator: Person) -> None:
    """Count a message as answered when the proposal that was made of it is decided. One that was withdrawn
    leaves its message waiting as before."""
    messages = ReaderMessage.objects.filter(proposal=proposal)
    if proposal.state == Proposal.WITHDRAWN:
        messages.update(proposal=None)
        return
    waiting = messages.filter(answered=None)
    waiting.update(answered=timezone.now(), answered_by=curator, signed=curator.name)


def forget(message: ReaderMessage) -> None:
    """Delete the sender's name, mail address and photograph."""
    _forget([message.pk], timezone.now())


def delete_old_addresses() -> int:
    """Delete names, mail addresses and photographs of messages that were answered long enough ago; returns of
    how many."""
    now = timezone.now()
    long_ago = now - timedelta(days=limit("MESSAGE_ADDRESS_DAYS"))
    old = ReaderMessage.objects.filter(answered__lte=long_ago, forgotten=None)
    return _forget(list(old.values_list("pk", flat=True)), now)


def _forget(pks: list[int], now: datetime) -> int:
    if not pks:
        return 0
    with transaction.atomic():
        MessagePhotograph.objects.filter(message__in=pks).delete()
        return ReaderMessage.objects.filter(pk__in=pks).update(sender="", email="", forgotten=now)

"""Invitations: a link with a secret in it, good once and for a week. There is no other way to an account."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from django.utils import timezone

from people import audit_log, lookalikes
from people.errors import InvitationGoneError, LookalikeError, NameTakenError
from people.models import Invitation, Person, Session
from people.validators import name_key

DAYS = 7
TOKEN_BYTES = 24


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def invite(
    role: str, guest: str = "", made_by: Person | None = None, person: Person | None = None, days: int = DAYS
) -> str:
    """Make an invitation and return the token of its link, which is told this once and kept nowhere.

    With a `person` it is a link for a new password, and ends those that were made before."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires = timezone.now() + timedelta(days=days)
    with transaction.atomic():
        if person is not None:
            withdraw_for(person)
        Invitation.objects.create(
            token_hash=_hash(token),
            role=role,
            guest=guest[:80],
            made_by=made_by,
            person=person,
            expires=expires,
        )
    return token


@transaction.atomic
def withdraw_for(person: Person) -> None:
    """End the links for a new password of this person: one is made, or used, or none is needed any more."""
    # Locked, so that of two links made at once one is left.
    Person.objects.select_for_update().filter(pk=person.pk).first()
    Invitation.objects.open().filter(person=person).update(withdrawn=timezone.now())


def find(token: str) -> Invitation:
    """The open invitation of a link, or InvitationGoneError."""
    found = (
        Invitation.objects.open().select_related("made_by", "person").filter(token_hash=_hash(token)).first()
    )
    if found is None:
        raise InvitationGoneError
    return found


def was_made(token: str) -> bool:
    """True if this was ever an invitation: an old one that is opened again is no guess."""
    return Invitation.objects.filter(token_hash=_hash(token)).exists()


def accept(token: str, name: str, password: str) -> Person:
    """Use the link: make the account, or give the old one its new password. Name and password are checked
    before, by the form. Raises InvitationGoneError; or NameTakenError or LookalikeError, after which the link
    stays good."""
    invitation = find(token)
    try:
        with transaction.atomic():
            # Of two who use one link at once, one gets in.
            if not Invitation.objects.open().filter(pk=invitation.pk).update(used=timezone.now()):
                raise InvitationGoneError
            person = _admit(invitation, name, password)
    except IntegrityError:
        raise NameTakenError from None
    audit_log.record("new password by a link" if invitation.person else f"came in as {person.role}", person)
    return person


def _admit(invitation: Invitation, name: str, password: str) -> Person:
    hashed = make_password(password)
    if invitation.person is None:
        return _new_person(name, invitation.role, hashed)
    person = invitation.person
    person.password = hashed
    person.save(update_fields=["password"])
    withdraw_for(person)
    Session.objects.filter(person=person).delete()
    return person


def _new_person(name: str, role: str, hashed: str) -> Person:
    others = Person.objects.exclude(key=name_key(name)).values_list("name", flat=True)
    if lookalikes.has_lookalike(name, others):
        raise LookalikeError
    # Of two who come in at once with names of one shape, the column lets in one.
    shape = lookalikes.column(name)
    return Person.objects.create(name=name, key=name_key(name), skeleton=shape, role=role, password=hashed)

"""Invitations: a link with a secret in it, good once and for a week. There is no other way to an account."""

from __future__ import annotations

import hashlib
import secrets
from datetime import timedelta

from django.contrib.auth.hashers import make_password
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils import timezone

from people import audit_log
from people.limits import limit
from people.models import Invitation, Person, Session
from people.validators import PersonNameError, name_key, tidy_name

DAYS = 7
TOKEN_BYTES = 24


class Refusal(Exception):
    """What was wrong, by the name of the field, in sentences."""

    def __init__(self, faults: dict[str, str]) -> None:
        super().__init__(" ".join(faults.values()))
        self.faults = faults


class Gone(Exception):
    """The link was used, withdrawn or is too old."""


def _hash(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()


def invite(
    role: str, guest: str = "", made_by: Person | None = None, person: Person | None = None, days: int = DAYS
) -> str:
    """A new invitation; the token of its link, which is told this once and kept nowhere."""
    token = secrets.token_urlsafe(TOKEN_BYTES)
    expires = timezone.now() + timedelta(days=days)
    Invitation.objects.create(
        token_hash=_hash(token), role=role, guest=guest[:80], made_by=made_by, person=person, expires=expires
    )
    return token


def find(token: str) -> Invitation:
    found = (
        Invitation.objects.open().select_related("made_by", "person").filter(token_hash=_hash(token)).first()
    )
    if found is None:
        raise Gone
    return found


def was_made(token: str) -> bool:
    """Whether this was ever an invitation: an old one that is opened again is no guess."""
    return Invitation.objects.filter(token_hash=_hash(token)).exists()


def check_password_words(password: str, name: str) -> str:
    """Empty if the password will do, else a sentence."""
    most = limit("PASSWORD_LENGTH_MOST")
    if len(password) > most:
        return f"A password has at most {most} characters."
    try:
        validate_password(password, Person(name=name, key=name_key(name)))
    except ValidationError as fault:
        return " ".join(fault.messages)
    return ""


def accept(token: str, name: str, password: str) -> Person:
    """Use the link: make the account, or give the old one its new password. Raises Refusal or Gone."""
    invitation = find(token)
    faults: dict[str, str] = {}
    try:
        name = invitation.person.name if invitation.person else tidy_name(name)
    except PersonNameError as fault:
        faults["name"] = str(fault)
    if sentence := check_password_words(password, name):
        faults["password"] = sentence
    if faults:
        raise Refusal(faults)
    try:
        with transaction.atomic():
            # Of two who use one link at once, one gets in.
            if not Invitation.objects.open().filter(pk=invitation.pk).update(used=timezone.now()):
                raise Gone
            person = _admit(invitation, name, password)
    except IntegrityError:
        raise Refusal({"name": "Somebody here has this name. Choose another, or add a letter."}) from None
    audit_log.tell("new password by a link" if invitation.person else f"came in as {person.role}", person)
    return person


def _admit(invitation: Invitation, name: str, password: str) -> Person:
    hashed = make_password(password)
    if invitation.person is None:
        return Person.objects.create(name=name, key=name_key(name), role=invitation.role, password=hashed)
    person = invitation.person
    person.password, person.totp_secret = hashed, ""
    person.save(update_fields=["password", "totp_secret"])
    Session.objects.filter(person=person).delete()
    return person

"""Second step of sign-in: a code of an authenticator app, a passkey, or a recovery code.

Whoever has an app or a passkey has a second step; recovery codes come with the first of them and go with the
last. A link for a new password does not take it away: only its owner does, with it, or an administrator.
"""

from __future__ import annotations

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone

from people import audit_log, passkeys, recovery_codes, totp
from people.models import Passkey, Person, RecoveryCode
from people.passkeys import Purpose


def take(request: HttpRequest, purpose: Purpose, person: Person, written: str, answer: str) -> str:
    """Take the second step by a passkey's answer, else by what was written. The way in which it was taken, or
    "" where it was not. Raises PasskeyError."""
    if answer:
        passkeys.recognise(request, purpose, answer, person)
        return "passkey"
    return take_by_code(person, written)


def take_by_code(person: Person, written: str) -> str:
    """The same by what was written alone: a code of the app, or a recovery code, which is used up."""
    if _fits_app(person, written):
        return "code"
    if recovery_codes.use(person, written):
        audit_log.record("recovery code used", person)
        return "recovery code"
    return ""


def _fits_app(person: Person, written: str) -> bool:
    # A secret that our keys do not open opens no account; a recovery code does, or an administrator.
    secret = totp.unseal(person.totp_secret)
    step = totp.matching_step(secret, written, person.totp_step) if secret else None
    if step is None:
        return False
    # Of two that send the same code at once, one gets in.
    return Person.objects.filter(pk=person.pk, totp_step__lt=step).update(totp_step=step) == 1


def codes_after_adding(person: Person) -> list[str]:
    """New recovery codes if these are the first; empty if the person has some. To be called when an app or a
    passkey was added: what was said of a second step that was removed no longer matters."""
    Person.objects.filter(pk=person.pk).update(step_removed=None, step_removed_by=None)
    return [] if recovery_codes.left(person) else recovery_codes.renew(person)


def remove_app(person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(totp_secret="")
    _tidy_codes(person)


def remove_passkey(person: Person, number: int) -> None:
    Passkey.objects.filter(person=person, pk=number).delete()
    _tidy_codes(person)


def _tidy_codes(person: Person) -> None:
    """Remove the recovery codes of somebody who has no second step any more."""
    if not Person.objects.get(pk=person.pk).has_second_step:
        RecoveryCode.objects.filter(person=person).delete()


@transaction.atomic
def remove(person: Person, by: Person | None = None) -> None:
    """Remove the whole second step of somebody who lost it; the log and the person are told."""
    Passkey.objects.filter(person=person).delete()
    RecoveryCode.objects.filter(person=person).delete()
    Person.objects.filter(pk=person.pk).update(
        totp_secret="", step_removed=timezone.now(), step_removed_by=by
    )
    audit_log.record("second step removed" if by else "second step removed on the server", person, by=by)

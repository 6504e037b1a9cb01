"""Signing in: the same work and words whether the name exists or not, and a pause after many failures."""

from __future__ import annotations

import hashlib
import hmac
from datetime import timedelta

from django.conf import settings
from django.contrib.auth import login
from django.contrib.auth.hashers import check_password, make_password
from django.http import HttpRequest
from django.utils import timezone

from people import audit_log, sealing, totp
from people.limits import limit
from people.models import Attempt, Person
from people.validators import name_key

BACKEND = "django.contrib.auth.backends.ModelBackend"


class SignInPausedError(Exception):
    """Too many failures; nothing was tried."""


def _hash(kind: str, words: str) -> str:
    return hmac.new(settings.SECRET_KEY.encode(), f"{kind}:{words}".encode(), hashlib.sha256).hexdigest()


def _pause() -> timedelta:
    return timedelta(minutes=limit("SIGN_IN_PAUSE_MINUTES"))


def is_paused(name: str, address: str, own: int = 0) -> bool:
    """After failures with one name from one address both rest. From all addresses together a name may
    fail more often, so that a stranger cannot easily shut somebody out."""
    recent = Attempt.objects.filter(made__gt=timezone.now() - _pause())
    of_name = recent.filter(name_hash=_hash("name", name_key(name)))
    of_address = recent.filter(address_hash=_hash("address", address))
    return (
        (of_name & of_address).count() - own >= limit("SIGN_IN_FAILURES_MOST")
        or of_name.count() - own >= limit("SIGN_IN_FAILURES_OF_A_NAME_MOST")
        or of_address.count() - own >= limit("SIGN_IN_FAILURES_OF_AN_ADDRESS_MOST")
    )


def recognise(name: str, password: str, code: str, address: str) -> Person | None:
    """The person with this name, password and, where they use one, code. Raises Paused."""
    try:
        begin(name, address)
    except SignInPausedError:
        audit_log.tell("sign-in paused", address=address)
        raise
    person = Person.objects.filter(key=name_key(name)).first()
    if person is None:
        # The work of checking a password, so that time does not tell that there is no such name.
        make_password(password)
        right = False
    else:
        right = check_password(password, person.password) and person.is_active
    if person is not None and right and _code_fits(person, code):
        Attempt.objects.filter(name_hash=_hash("name", person.key)).delete()
        how = "password and code" if person.totp_secret else "password"
        audit_log.tell(f"signed in with {how}", person, address)
        return person
    audit_log.tell("sign-in failed", person, address)
    return None


def begin(name: str, address: str) -> Attempt:
    """An attempt, which counts as failed until it is found to be right. Raises Paused.

    It is counted before it is judged, which takes a while: of many at once no more are judged than in turn.
    """
    if is_paused(name, address):
        raise SignInPausedError
    attempt = count(name, address)
    if is_paused(name, address, own=1):
        attempt.delete()
        raise SignInPausedError
    return attempt


def count(name: str, address: str) -> Attempt:
    Attempt.objects.filter(made__lt=timezone.now() - _pause()).delete()
    return Attempt.objects.create(
        name_hash=_hash("name", name_key(name)), address_hash=_hash("address", address)
    )


def _code_fits(person: Person, code: str) -> bool:
    if not person.totp_secret:
        return True
    secret = sealing.unseal(person.totp_secret)
    # A secret that our keys do not open lets nobody in; a keeper's new password takes the second step away.
    step = totp.matching_step(secret, code, person.totp_step) if secret else None
    if step is None:
        return False
    # Of two that send the same code at once, one gets in.
    return Person.objects.filter(pk=person.pk, totp_step__lt=step).update(totp_step=step) == 1


def enter(request: HttpRequest, person: Person) -> None:
    """Sign this device in, under a session key that nobody knew before."""
    login(request, person, backend=BACKEND)
    request.session["device"] = device_of(request)
    request.session["began"] = timezone.now().isoformat()


def device_of(request: HttpRequest) -> str:
    """The device in words its owner will recognise; no more of its name is kept."""
    agent = request.headers.get("User-Agent", "")
    systems = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
    names = ("Edg", "OPR", "Firefox", "Chrome", "Safari")
    system = next((name for name in systems if name in agent), "")
    browser = next((name for name in names if f"{name}/" in agent), "A browser")
    browser = {"Edg": "Edge", "OPR": "Opera"}.get(browser, browser)
    return f"{browser} on {system}" if system else browser

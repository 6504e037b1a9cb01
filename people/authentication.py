"""Sign-in: the same work and words for names that exist and for others; a pause after many failures."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.contrib.auth import login
from django.contrib.auth.hashers import check_password, make_password
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from people import audit_log, invitations, limits, passkeys, second_step
from people.errors import PasskeyError, SecondStepError
from people.models import Person
from people.validators import name_key
from ratelimit import client_address, limiter
from ratelimit.limiter import Key, RateLimitError, Rule, Turn

BACKEND = "django.contrib.auth.backends.ModelBackend"
HALFWAY = "halfway"


def authenticate(name: str, password: str, code: str, address: str) -> Person | None:
    """The person with this name, password and, where they have a second step, code.

    Raises RateLimitError, and SecondStepError where only the second step is missing or wrong.
    """
    turns = _begin_or_log(name, address)
    person = Person.objects.filter(key=name_key(name)).first()
    if person is None:
        # The work of checking a password, so that time does not tell that there is no such name.
        make_password(password)
    elif check_password(password, person.password) and person.is_active:
        return _with_second_step(person, code, address, turns)
    audit_log.record("sign-in failed", person, address)
    return None


def _with_second_step(person: Person, code: str, address: str, turns: list[Turn]) -> Person:
    if not person.has_second_step:
        return _came_in(person, "password", address)
    if not code.strip():
        limiter.give_back(turns)
        raise SecondStepError(person, is_wrong=False)
    if how := second_step.take_by_code(person, code):
        return _came_in(person, f"password and {how}", address)
    audit_log.record("sign-in failed at the second step", person, address)
    raise SecondStepError(person, is_wrong=True)


def authenticate_step(request: HttpRequest, person: Person, written: str, answer: str) -> Person | None:
    """The person of whom the password is known, if this is their second step.

    Raises RateLimitError, and PasskeyError with its sentence."""
    address = client_address.of_request(request)
    _begin_or_log(person.key, address)
    try:
        how = second_step.take(request, "step", person, written, answer)
    except PasskeyError:
        audit_log.record("sign-in failed at the second step", person, address)
        raise
    if how:
        return _came_in(person, f"password and {how}", address)
    audit_log.record("sign-in failed at the second step", person, address)
    return None


def authenticate_passkey(request: HttpRequest, answer: str) -> Person:
    """The person whose device gives this answer, without a password. Raises RateLimitError, PasskeyError."""
    address = client_address.of_request(request)
    turns = limiter.take([(limits.sign_in_of_address(), address)])
    try:
        person = passkeys.recognise(request, "sign-in", answer)
        if not person.is_active:
            raise PasskeyError(passkeys.NOT_KNOWN)
    except PasskeyError:
        audit_log.record("sign-in failed with a passkey", address=address)
        raise
    limiter.give_back(turns)
    return _came_in(person, "passkey", address)


def _came_in(person: Person, how: str, address: str) -> Person:
    _forgive(person.key, address)
    audit_log.record(f"signed in with {how}", person, address)
    return person


def _begin_or_log(name: str, address: str) -> list[Turn]:
    try:
        return begin_attempt(name, address)
    except RateLimitError:
        audit_log.record("sign-in paused", address=address)
        raise


def begin_attempt(name: str, address: str) -> list[Turn]:
    """Count an attempt, which stays a failure unless its turns are given back. Raises RateLimitError.

    It is counted before it is judged, which takes a while: of many at once no more are judged than in turn.
    """
    of_address = limits.sign_in_of_address(), address
    return limiter.take([_of_name_here(name, address), _of_name(name), of_address])


def _forgive(name: str, address: str) -> None:
    """Forget the failures of a name after its sign-in: at every address, and in the sum of this address."""
    failures = limiter.counts(*_of_name_here(name, address))
    limiter.subtract(limits.sign_in_of_address(), address, failures)
    limiter.clear_all(limits.sign_in_of_name_here(), name_key(name))
    limiter.clear(*_of_name(name))


def has_password(person: Person, password: str, address: str) -> bool:
    """True if this is the person's own password; guesses count as at sign-in. Raises RateLimitError."""
    turns = begin_attempt(person.key, address)
    right = check_password(password, person.password)
    if right:
        limiter.give_back(turns)
    return right


def has_second_step(request: HttpRequest, person: Person, written: str, answer: str) -> bool:
    """True if this is the person's own second step, for a change of the account; guesses count as at sign-in.
    Raises RateLimitError, PasskeyError."""
    turns = begin_attempt(person.key, client_address.of_request(request))
    right = bool(second_step.take(request, "proof", person, written, answer))
    if right:
        limiter.give_back(turns)
    return right


def _of_name_here(name: str, address: str) -> tuple[Rule, Key]:
    return limits.sign_in_of_name_here(), (name_key(name), address)


def _of_name(name: str) -> tuple[Rule, Key]:
    return limits.sign_in_of_name(), name_key(name)


def sign_in(request: HttpRequest, person: Person) -> None:
    """Sign this device in, under a new session key. Links for a new password are no longer needed."""
    invitations.withdraw_for(person)
    login(request, person, backend=BACKEND)
    request.session.pop(HALFWAY, None)
    request.session.set_expiry(None)
    request.session["device"] = device_of(request)
    request.session["began"] = timezone.now().isoformat()


def begin_halfway(request: HttpRequest, person: Person) -> None:
    """Remember for some minutes that the password was right: the second step has a page of its own."""
    request.session.flush()
    until = timezone.now() + timedelta(minutes=passkeys.MINUTES)
    request.session[HALFWAY] = [person.pk, person.get_session_auth_hash(), until.isoformat()]
    request.session.set_expiry(passkeys.MINUTES * 60)


def halfway_person(request: HttpRequest) -> Person | None:
    """The person whose password was given in this session, if that is not long ago and it is still right."""
    number, known, until = request.session.get(HALFWAY, (0, "", ""))
    person = Person.objects.filter(pk=number, is_active=True).first()
    if person is None or datetime.fromisoformat(until) < timezone.now():
        return None
    return person if constant_time_compare(known, person.get_session_auth_hash()) else None


def device_of(request: HttpRequest) -> str:
    """The device in words its owner will recognise; no more of its name is kept."""
    agent = request.headers.get("User-Agent", "")
    systems = ("iPhone", "iPad", "Android", "Windows", "Macintosh", "CrOS", "Linux")
    names = ("Edg", "OPR", "Firefox", "Chrome", "Safari")
    system = next((name for name in systems if name in agent), "")
    browser = next((name for name in names if f"{name}/" in agent), "A browser")
    browser = {"Edg": "Edge", "OPR": "Opera"}.get(browser, browser)
    return f"{browser} on {system}" if system else browser

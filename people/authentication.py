"""Sign-in: the same work and words for names that exist and for others; a pause after many failures."""

from __future__ import annotations

from django.contrib.auth import login
from django.contrib.auth.hashers import check_password, make_password
from django.http import HttpRequest
from django.utils import timezone

from people import audit_log, limits, totp
from people.models import Person
from people.validators import name_key
from ratelimit import limiter
from ratelimit.limiter import Key, RateLimitError, Rule, Turn

BACKEND = "django.contrib.auth.backends.ModelBackend"


def authenticate(name: str, password: str, code: str, address: str) -> Person | None:
    """The person with this name, password and, where they use one, code. Raises RateLimitError."""
    try:
        begin_attempt(name, address)
    except RateLimitError:
        audit_log.record("sign-in paused", address=address)
        raise
    person = Person.objects.filter(key=name_key(name)).first()
    if person is None:
        # The work of checking a password, so that time does not tell that there is no such name.
        make_password(password)
        right = False
    else:
        right = check_password(password, person.password) and person.is_active
    if person is not None and right and _code_fits(person, code):
        _forgive(name, address)
        how = "password and code" if person.totp_secret else "password"
        audit_log.record(f"signed in with {how}", person, address)
        return person
    audit_log.record("sign-in failed", person, address)
    return None


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


def _of_name_here(name: str, address: str) -> tuple[Rule, Key]:
    return limits.sign_in_of_name_here(), (name_key(name), address)


def _of_name(name: str) -> tuple[Rule, Key]:
    return limits.sign_in_of_name(), name_key(name)


def _code_fits(person: Person, code: str) -> bool:
    if not person.totp_secret:
        return True
    secret = totp.unseal(person.totp_secret)
    # A secret that our keys do not open opens no account; a keeper's new password takes the second step away.
    step = totp.matching_step(secret, code, person.totp_step) if secret else None
    if step is None:
        return False
    # Of two that send the same code at once, one gets in.
    return Person.objects.filter(pk=person.pk, totp_step__lt=step).update(totp_step=step) == 1


def sign_in(request: HttpRequest, person: Person) -> None:
    """Sign this device in, under a new session key."""
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

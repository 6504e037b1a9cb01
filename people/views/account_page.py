"""Account page: what every change of one's own account shows again, and the proof that it asks for."""

from __future__ import annotations

from typing import Any

import segno
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe

from people import authentication, passkeys, recovery_codes, totp
from people.errors import PasskeyError
from people.forms import ProofForm
from people.models import Passkey, Person, Session
from people.permissions import person_of
from people.roles import ROLES
from people.sessions import digest_of
from ratelimit import client_address
from ratelimit.limiter import RateLimitError

WRONG = "This is not your current password. Nothing was changed."
WRONG_STEP = (
    "Your second step is asked for this. Write the code that your app shows now, or a recovery code, or use "
    "your passkey. Nothing was changed."
)


def account_page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    person = person_of(request)
    sessions = [(row, row.session_key == digest_of(request)) for row in Session.objects.filter(person=person)]
    if not person.totp_secret:
        secret = totp.unseal(request.session.get("totp", "")) or totp.new_secret()
        request.session["totp"] = totp.seal(secret)
        context |= {
            "secret": " ".join(secret[i : i + 4] for i in range(0, 32, 4)),
            "qr": _qr_code(secret, person),
        }
    context |= {
        "person": person,
        "may": ROLES[person.role],
        "sessions": sessions,
        "passkeys": person.passkeys.all(),
        "longest_passkey_name": Passkey.MAX_NAME_LENGTH,
        "codes_left": recovery_codes.left(person),
        "no_passkeys": passkeys.why_not(request),
    }
    return render(request, "people/account.html", context, status=status)


def _qr_code(secret: str, person: Person) -> str:
    drawn = segno.make(totp.app_address(secret, person.name), error="m")
    # Drawn by us from figures and letters; nothing in it comes from elsewhere.
    svg: str = drawn.svg_inline(scale=4, border=2, omitsize=True, svgclass=None, lineclass=None)
    return mark_safe(svg)  # noqa: S308 - segno draws paths, no text is in it


def wrong_password(request: HttpRequest, present: str) -> str:
    """Empty if the current password was given: an open device alone must not be enough to take an account."""
    address = client_address.of_request(request)
    try:
        return "" if authentication.has_password(person_of(request), present, address) else WRONG
    except RateLimitError as fault:
        return fault.says


def wrong_proof(request: HttpRequest, form: ProofForm) -> str:
    """Empty if the password was given and, where there is one, the second step; else the sentence for it."""
    form.full_clean()
    given, person = form.cleaned_data, person_of(request)
    if fault := wrong_password(request, given["present"]):
        return fault
    if not person.has_second_step:
        return ""
    if not given["proof"].strip() and not given["credential"]:
        return WRONG_STEP
    try:
        right = authentication.has_second_step(request, person, given["proof"], given["credential"])
        return "" if right else WRONG_STEP
    except (RateLimitError, PasskeyError) as refused:
        return refused.says


def codes_page(request: HttpRequest, codes: list[str], title: str) -> HttpResponse:
    """The page that shows recovery codes, this once."""
    return render(request, "people/recovery_codes.html", {"codes": codes, "title": title})

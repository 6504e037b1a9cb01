"""One's own account: password, second step, and the devices that are signed in."""

from __future__ import annotations

from typing import Any

import segno
from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from people import audit_log, authentication, totp
from people.forms import PasswordForm, SecondStepForm
from people.models import Person, Session
from people.permissions import person_of, requires
from people.roles import ROLES
from people.sessions import digest_of
from ratelimit import client_address
from ratelimit.limiter import RateLimitError

WRONG = "This is not your present password. Nothing was changed."


def _page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    person = person_of(request)
    sessions = [(row, row.session_key == digest_of(request)) for row in Session.objects.filter(person=person)]
    if not person.totp_secret:
        secret = totp.unseal(request.session.get("totp", "")) or totp.new_secret()
        request.session["totp"] = totp.seal(secret)
        context |= {
            "secret": " ".join(secret[i : i + 4] for i in range(0, 32, 4)),
            "qr": _qr_code(secret, person),
        }
    context |= {"person": person, "may": ROLES[person.role], "sessions": sessions}
    return render(request, "people/account.html", context, status=status)


def _qr_code(secret: str, person: Person) -> str:
    drawn = segno.make(totp.app_address(secret, person.name), error="m")
    # Drawn by us from figures and letters; nothing in it comes from elsewhere.
    svg: str = drawn.svg_inline(scale=4, border=2, omitsize=True, svgclass=None, lineclass=None)
    return mark_safe(svg)  # noqa: S308 - segno draws paths, no text is in it


@require_safe
@requires("propose")
def me(request: HttpRequest) -> HttpResponse:
    return _page(request, done=request.GET.get("done", ""))


def _wrong_password(request: HttpRequest, present: str) -> str:
    """Empty if the present password was given: an open device alone must not be enough to take an account."""
    address = client_address.of_request(request)
    try:
        return "" if authentication.has_password(person_of(request), present, address) else WRONG
    except RateLimitError as fault:
        return fault.says


@require_POST
@sensitive_post_parameters()
@requires("propose")
def password(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    form = PasswordForm(person, request.POST)
    form.full_clean()
    if fault := _wrong_password(request, form.cleaned_data["present"]) or form.fault:
        return _page(request, 422, password_fault=fault)
    person.set_password(form.cleaned_data["password"])
    person.save(update_fields=["password"])
    audit_log.record("password changed", person, client_address.of_request(request))
    # Every other device is signed out by the new password; this one stays.
    update_session_auth_hash(request, person)
    Session.objects.filter(person=person).exclude(session_key=digest_of(request)).delete()
    return redirect("/people/me/?done=password")


@require_POST
@sensitive_post_parameters()
@requires("propose")
def second_step(request: HttpRequest) -> HttpResponse:
    """Turn the second step on or off."""
    person = person_of(request)
    form = SecondStepForm(request.POST)
    form.full_clean()
    if fault := _wrong_password(request, form.cleaned_data["present"]):
        return _page(request, 422, code_fault=fault)
    if person.totp_secret:
        Person.objects.filter(pk=person.pk).update(totp_secret="")
        audit_log.record("second step off", person, client_address.of_request(request))
        return redirect("/people/me/?done=code-off")
    secret = totp.unseal(request.session.get("totp", ""))
    step = totp.matching_step(secret, form.cleaned_data["code"], 0) if secret else None
    if step is None:
        return _page(
            request, 422, code_fault="This is not the code of this moment. Write the one your app shows now."
        )
    Person.objects.filter(pk=person.pk).update(totp_secret=totp.seal(secret), totp_step=step)
    del request.session["totp"]
    audit_log.record("second step on", person, client_address.of_request(request))
    return redirect("/people/me/?done=code-on")


@require_POST
@requires("propose")
def end_sessions(request: HttpRequest) -> HttpResponse:
    """End one session, named by its place in time, or all others. Keys never appear on a page."""
    own = Session.objects.filter(person=person_of(request)).exclude(session_key=digest_of(request))
    began = request.POST.get("began", "")
    ended = [row.pk for row in own if not began or row.began.isoformat() == began]
    own.filter(pk__in=ended).delete()
    return redirect("/people/me/?done=sessions#sessions")

"""What belongs to oneself: password, second step, and the devices one is signed in on."""

from __future__ import annotations

from typing import Any

import segno
from django.contrib.auth import update_session_auth_hash
from django.contrib.auth.hashers import check_password
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import mark_safe
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from people import audit_log, authentication, invitations, sealing, totp
from people.models import Person, Session
from people.permissions import allowed, person_of
from people.roles import ROLES
from people.sessions import digest_of
from people.views.auth import paused
from ratelimit import client_address

WRONG = "This is not your present password. Nothing was changed."


def _page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    person = person_of(request)
    sessions = [(row, row.session_key == digest_of(request)) for row in Session.objects.filter(person=person)]
    if not person.totp_secret:
        secret = sealing.unseal(request.session.get("totp", "")) or totp.new_secret()
        request.session["totp"] = sealing.seal(secret)
        context |= {"secret": " ".join(secret[i : i + 4] for i in range(0, 32, 4)), "qr": _qr(secret, person)}
    context |= {"person": person, "may": ROLES[person.role], "sessions": sessions}
    return render(request, "people/account.html", context, status=status)


def _qr(secret: str, person: Person) -> str:
    drawn = segno.make(totp.address(secret, person.name), error="m")
    # Drawn by us from figures and letters; nothing in it comes from elsewhere.
    svg: str = drawn.svg_inline(scale=4, border=2, omitsize=True, svgclass=None, lineclass=None)
    return mark_safe(svg)  # noqa: S308 - segno draws paths, no text is in it


@require_safe
@allowed("propose")
def me(request: HttpRequest) -> HttpResponse:
    return _page(request, done=request.GET.get("done", ""))


def _wrong_password(request: HttpRequest) -> str:
    """Empty if the present password was given: an open device alone must not be enough to take an account."""
    person, address = person_of(request), client_address.of_request(request)
    try:
        attempt = authentication.begin(person.key, address)
    except authentication.SignInPausedError:
        return paused()
    if check_password(request.POST.get("present", ""), person.password):
        attempt.delete()
        return ""
    return WRONG


@require_POST
@sensitive_post_parameters()
@allowed("propose")
def password(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    if fault := _wrong_password(request):
        return _page(request, 422, password_fault=fault)
    new = request.POST.get("password", "")
    if fault := invitations.check_password_words(new, person.name):
        return _page(request, 422, password_fault=fault)
    person.set_password(new)
    person.save(update_fields=["password"])
    audit_log.tell("password changed", person, client_address.of_request(request))
    # Every other device is signed out by the new password; this one stays.
    update_session_auth_hash(request, person)
    Session.objects.filter(person=person).exclude(session_key=digest_of(request)).delete()
    return redirect("/people/me/?done=password")


@require_POST
@sensitive_post_parameters()
@allowed("propose")
def code(request: HttpRequest) -> HttpResponse:
    """Begin or end the second step."""
    person = person_of(request)
    if fault := _wrong_password(request):
        return _page(request, 422, code_fault=fault)
    if person.totp_secret:
        Person.objects.filter(pk=person.pk).update(totp_secret="")
        audit_log.tell("second step off", person, client_address.of_request(request))
        return redirect("/people/me/?done=code-off")
    secret = sealing.unseal(request.session.get("totp", ""))
    step = totp.matching_step(secret, request.POST.get("code", ""), 0) if secret else None
    if step is None:
        return _page(
            request, 422, code_fault="This is not the code of this moment. Write the one your app shows now."
        )
    Person.objects.filter(pk=person.pk).update(totp_secret=sealing.seal(secret), totp_step=step)
    del request.session["totp"]
    audit_log.tell("second step on", person, client_address.of_request(request))
    return redirect("/people/me/?done=code-on")


@require_POST
@allowed("propose")
def end_sessions(request: HttpRequest) -> HttpResponse:
    """End one session, named by its place in time, or all others. Keys never appear on a page."""
    own = Session.objects.filter(person=person_of(request)).exclude(session_key=digest_of(request))
    began = request.POST.get("began", "")
    ended = [row.pk for row in own if not began or row.began.isoformat() == began]
    own.filter(pk__in=ended).delete()
    return redirect("/people/me/?done=sessions#sessions")

"""One's own account: password, and the devices that are signed in."""

from __future__ import annotations

from django.contrib.auth import update_session_auth_hash
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST, require_safe

from people import audit_log, invitations
from people.forms import PasswordForm
from people.models import Session
from people.permissions import person_of, requires
from people.sessions import digest_of
from people.views.account_page import account_page, wrong_password
from ratelimit import client_address


@require_safe
@requires("propose")
def me(request: HttpRequest) -> HttpResponse:
    return account_page(request, done=request.GET.get("done", ""))


@require_POST
@sensitive_post_parameters()
@requires("propose")
def password(request: HttpRequest) -> HttpResponse:
    person = person_of(request)
    form = PasswordForm(person, request.POST)
    form.full_clean()
    if fault := wrong_password(request, form.cleaned_data["present"]) or form.fault:
        return account_page(request, 422, password_fault=fault)
    person.set_password(form.cleaned_data["password"])
    person.save(update_fields=["password"])
    invitations.withdraw_for(person)
    audit_log.record("password changed", person, client_address.of_request(request))
    # Every other device is signed out by the new password; this one stays.
    update_session_auth_hash(request, person)
    Session.objects.filter(person=person).exclude(session_key=digest_of(request)).delete()
    return redirect("/people/me/?done=password")


@require_POST
@requires("propose")
def end_sessions(request: HttpRequest) -> HttpResponse:
    """End one session, named by its place in time, or all others. Keys never appear on a page."""
    own = Session.objects.filter(person=person_of(request)).exclude(session_key=digest_of(request))
    began = request.POST.get("began", "")
    ended = [row.pk for row in own if not began or row.began.isoformat() == began]
    own.filter(pk__in=ended).delete()
    return redirect("/people/me/?done=sessions#sessions")

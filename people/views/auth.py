"""Sign-in by a password or an invitation, and sign-out."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people import authentication, invitations, limits
from people.errors import InvitationGoneError
from people.forms import InvitationForm, SignInForm
from people.models import Person
from people.permissions import requires
from people.roles import ROLES
from ratelimit import client_address, limiter

WRONG = "Name, password or code are not right. Write them again."


def _next_page(request: HttpRequest) -> str:
    """The page that was asked for before: only within this site; "" where there was none."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return wanted
    return ""


def _after_sign_in(person: Person, wanted: str) -> str:
    """The page that was asked for, else the person's work."""
    return wanted or reverse("desk" if person.may("propose") else "me")


@never_cache
@sensitive_post_parameters("password", "code")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    wanted = _next_page(request)
    if request.method != "POST":
        if isinstance(request.user, Person):
            return redirect(_after_sign_in(request.user, wanted))
        return render(request, "people/sign_in.html", {"onward": wanted})
    form = SignInForm(request.POST)
    form.full_clean()
    given = form.cleaned_data
    try:
        person = authentication.authenticate(
            given["name"], given["password"], given["code"], client_address.of_request(request)
        )
    except limiter.RateLimitError as fault:
        response = _sign_in_again(request, wanted, given["name"], fault.says, 429)
        response["Retry-After"] = str(limits.limit("SIGN_IN_PAUSE_MINUTES") * 60)
        return response
    if person is None:
        return _sign_in_again(request, wanted, given["name"], WRONG, 422)
    authentication.sign_in(request, person)
    return redirect(_after_sign_in(person, wanted))


def _sign_in_again(request: HttpRequest, wanted: str, name: str, fault: str, status: int) -> HttpResponse:
    context = {"onward": wanted, "name": name, "fault": fault}
    return render(request, "people/sign_in.html", context, status=status)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("/")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    try:
        return _accept(request, token)
    except InvitationGoneError:
        if not invitations.was_made(token):
            limiter.record_failure(limits.invitation_guesses(), client_address.of_request(request))
        return render(request, "people/invitation_expired.html", status=404)


def _accept(request: HttpRequest, token: str) -> HttpResponse:
    """The form of an open invitation, or the account that was made by it. Raises InvitationGoneError."""
    found = invitations.find(token)
    context = {"invitation": found, "may": ROLES[found.role]}
    if request.method != "POST":
        return render(request, "people/invitation.html", context | {"name": found.guest})
    form = InvitationForm(found, request.POST)
    person = form.accept(token) if form.is_valid() else None
    if person is None:
        context |= {"name": form.written_name, "faults": form.faults}
        return render(request, "people/invitation.html", context, status=422)
    authentication.sign_in(request, person)
    return redirect("me")


# It is a question and changes nothing, so it needs no token; as a GET it would send strangers to sign in.
@csrf_exempt
@require_POST
@requires("publish")
def may_publish(request: HttpRequest) -> HttpResponse:
    """204 if who asks may publish, else 403: nginx asks before it takes in a large body."""
    return HttpResponse(status=204)

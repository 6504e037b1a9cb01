"""Coming in by an invitation or a password, and going out."""

from __future__ import annotations

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from people import invitations
from people.authentication import SignInPausedError, enter, recognise
from people.limits import limit
from people.models import Person
from people.roles import ROLES
from ratelimit import client_address, limiter
from ratelimit.limits import in_minutes

WRONG = "Name, password or code are not right. Write them again."


def paused() -> str:
    minutes = in_minutes(limit("SIGN_IN_PAUSE_MINUTES"))
    return f"That was too often in a short time. Wait {minutes}, then try again."


def _wanted(request: HttpRequest) -> str:
    """Where one was going: only within this site; "" where one was not."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return wanted
    return ""


def _onward(person: Person, wanted: str) -> str:
    """Where to go afterwards: to the work, for those who have some here."""
    return wanted or reverse("desk" if person.may("propose") else "me")


@never_cache
@sensitive_post_parameters("password", "code")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    wanted = _wanted(request)
    if request.method != "POST":
        if isinstance(request.user, Person):
            return redirect(_onward(request.user, wanted))
        return render(request, "people/sign_in.html", {"onward": wanted})
    name = request.POST.get("name", "")[:200]
    password = request.POST.get("password", "")
    if len(password) > limit("PASSWORD_LENGTH_MOST"):
        # Nobody has one so long; cut short it might be somebody's.
        password = ""
    try:
        person = recognise(
            name, password, request.POST.get("code", "")[:20], client_address.of_request(request)
        )
    except SignInPausedError:
        response = _again(request, wanted, name, paused(), 429)
        response["Retry-After"] = str(limit("SIGN_IN_PAUSE_MINUTES") * 60)
        return response
    if person is None:
        return _again(request, wanted, name, WRONG, 422)
    enter(request, person)
    return redirect(_onward(person, wanted))


def _again(request: HttpRequest, wanted: str, name: str, fault: str, status: int) -> HttpResponse:
    context = {"onward": wanted, "name": name, "fault": fault}
    return render(request, "people/sign_in.html", context, status=status)


def _guesses() -> limiter.Rule:
    minutes = limit("INVITATION_GUESSES_WINDOW_MINUTES")
    says = "Too many invitations were tried from here. Wait {wait}, then open your link again."
    return limiter.Rule("invitation", limit("INVITATION_GUESSES_PER_ADDRESS_MOST"), minutes * 60, says)


@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    logout(request)
    return redirect("/")


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def invitation(request: HttpRequest, token: str) -> HttpResponse:
    limiter.check(_guesses(), client_address.of_request(request))
    try:
        found = invitations.find(token)
        context = {"invitation": found, "may": ROLES[found.role]}
        if request.method != "POST":
            return render(request, "people/invitation.html", context | {"name": found.guest})
        name = request.POST.get("name", "")[:200]
        person = invitations.accept(token, name, request.POST.get("password", ""))
    except invitations.Gone:
        if not invitations.was_made(token):
            limiter.miss(_guesses(), client_address.of_request(request))
        return render(request, "people/invitation_gone.html", status=404)
    except invitations.Refusal as refusal:
        return render(
            request, "people/invitation.html", context | {"name": name, "faults": refusal.faults}, status=422
        )
    enter(request, person)
    return redirect("me")

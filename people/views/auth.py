"""Sign-in by a password and a second step, by a passkey or an invitation; and sign-out."""

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

from people import authentication, invitations, limits, passkeys
from people.errors import InvitationGoneError, PasskeyError, SecondStepError
from people.forms import InvitationForm, SignInForm, StepForm
from people.models import Person
from people.permissions import requires
from people.roles import ROLES
from ratelimit import client_address, limiter

WRONG = "Name or password is not right. Write them again."
WRONG_STEP = (
    "This is not right, or was used before. Write the code that your app shows now, or a recovery code."
)
TOO_LATE = "That took too long. Write your name and password again."


def _next_page(request: HttpRequest) -> str:
    """The page that was asked for before: only within this site; "" where there was none."""
    wanted = request.POST.get("next") or request.GET.get("next") or ""
    if url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure()):
        return wanted
    return ""


def _after_sign_in(person: Person, wanted: str) -> str:
    """The page that was asked for, else the person's work."""
    return wanted or reverse("desk" if person.may("propose") else "me")


def _come_in(request: HttpRequest, person: Person, wanted: str) -> HttpResponse:
    """Sign in. Whoever lost a second step since they were here last is told so before anything else."""
    removed, last = person.step_removed, person.last_login
    authentication.sign_in(request, person)
    if removed and (last is None or last < removed):
        return redirect("me")
    return redirect(_after_sign_in(person, wanted))


@never_cache
@sensitive_post_parameters("password", "code")
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    wanted = _next_page(request)
    if request.method != "POST":
        if isinstance(request.user, Person):
            return redirect(_after_sign_in(request.user, wanted))
        return _sign_in_page(request, wanted)
    form = SignInForm(request.POST)
    form.full_clean()
    given = form.cleaned_data
    try:
        person = authentication.authenticate(
            given["name"], given["password"], given["code"], client_address.of_request(request)
        )
    except SecondStepError as half:
        authentication.begin_halfway(request, half.person)
        return _step_page(request, wanted, WRONG_STEP if half.is_wrong else "", 422)
    except limiter.RateLimitError as fault:
        return _paused(_sign_in_page(request, wanted, given["name"], fault.says, 429))
    if person is None:
        return _sign_in_page(request, wanted, given["name"], WRONG, 422)
    return _come_in(request, person, wanted)


def _sign_in_page(
    request: HttpRequest, wanted: str, name: str = "", fault: str = "", status: int = 200
) -> HttpResponse:
    context = {"onward": wanted, "name": name, "fault": fault, "no_passkeys": passkeys.why_not(request)}
    return render(request, "people/sign_in.html", context, status=status)


def _step_page(request: HttpRequest, wanted: str, fault: str = "", status: int = 200) -> HttpResponse:
    person = authentication.halfway_person(request)
    has_passkey = person is not None and person.passkeys.exists()
    context = {"onward": wanted, "fault": fault, "person": person, "has_passkey": has_passkey}
    context["no_passkeys"] = passkeys.why_not(request)
    context["focuses_code"] = not has_passkey or bool(fault)
    return render(request, "people/second_step.html", context, status=status)


def _paused(response: HttpResponse) -> HttpResponse:
    response["Retry-After"] = str(limits.limit("SIGN_IN_PAUSE_MINUTES") * 60)
    return response


@never_cache
@sensitive_post_parameters("code", "credential")
@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest) -> HttpResponse:
    """The second step, on a page of its own after the password."""
    wanted, person = _next_page(request), authentication.halfway_person(request)
    if person is None:
        if request.method != "POST":
            return redirect("sign-in")
        return _sign_in_page(request, wanted, fault=TOO_LATE, status=422)
    if request.method != "POST":
        return _step_page(request, wanted)
    form = StepForm(request.POST)
    form.full_clean()
    given = form.cleaned_data
    try:
        known = authentication.authenticate_step(request, person, given["code"], given["credential"])
    except PasskeyError as refused:
        return _step_page(request, wanted, refused.says, 422)
    except limiter.RateLimitError as fault:
        return _paused(_step_page(request, wanted, fault.says, 429))
    if known is None:
        return _step_page(request, wanted, WRONG_STEP, 422)
    return _come_in(request, known, wanted)


@never_cache
@sensitive_post_parameters("credential")
@require_POST
def passkey(request: HttpRequest) -> HttpResponse:
    """Sign-in by a passkey alone."""
    wanted = _next_page(request)
    try:
        person = authentication.authenticate_passkey(request, request.POST.get("credential", ""))
    except PasskeyError as refused:
        return _sign_in_page(request, wanted, fault=refused.says, status=422)
    except limiter.RateLimitError as fault:
        return _paused(_sign_in_page(request, wanted, fault=fault.says, status=429))
    return _come_in(request, person, wanted)


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
    if person.has_second_step:
        # The link replaces a password, not the second step.
        authentication.begin_halfway(request, person)
        return redirect("sign-in-step")
    authentication.sign_in(request, person)
    return redirect("me")


# It is a question and changes nothing, so it needs no token; as a GET it would send strangers to sign in.
@csrf_exempt
@require_POST
@requires("publish")
def may_publish(request: HttpRequest) -> HttpResponse:
    """204 if who asks may publish, else 403: nginx asks before it takes in a large body."""
    return HttpResponse(status=204)

"""Passkeys: questions for the browser, and the passkeys of one's own account."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from people import audit_log, authentication, passkeys, second_step
from people.errors import PasskeyError
from people.forms import ChangePasskeyForm, PasskeyForm
from people.limits import limit
from people.models import Passkey, Person
from people.permissions import person_of, requires
from people.views.account_page import account_page, wrong_proof
from people.views.second_step import after_adding
from ratelimit import client_address
from ratelimit.limiter import RateLimitError

JSON = "application/json"


@never_cache
@require_POST
def question(request: HttpRequest) -> HttpResponse:
    """A question to a passkey: at sign-in, after the password, or for a change of one's own account."""
    if fault := passkeys.why_not(request):
        return JsonResponse({"says": fault}, status=422)
    purpose = request.POST.get("purpose", "")
    try:
        if purpose == "sign-in":
            return HttpResponse(passkeys.ask(request, "sign-in", None), content_type=JSON)
        if purpose == "step" and (person := authentication.halfway_person(request)):
            return HttpResponse(passkeys.ask(request, "step", person), content_type=JSON)
        if purpose == "proof" and isinstance(request.user, Person):
            return HttpResponse(passkeys.ask(request, "proof", request.user), content_type=JSON)
    except RateLimitError as paused:
        return _too_often(paused)
    return JsonResponse({"says": "That took too long. Load the page again."}, status=422)


def _too_often(fault: RateLimitError) -> HttpResponse:
    return JsonResponse({"says": fault.says}, status=429, headers={"Retry-After": str(fault.seconds)})


@require_POST
@requires("propose")
def new_question(request: HttpRequest) -> HttpResponse:
    """A question to the device that is to make a passkey."""
    if fault := passkeys.why_not(request):
        return JsonResponse({"says": fault}, status=422)
    try:
        return HttpResponse(passkeys.ask_for_new(request, person_of(request)), content_type=JSON)
    except RateLimitError as paused:
        return _too_often(paused)


@require_POST
@sensitive_post_parameters()
@requires("propose")
def add(request: HttpRequest) -> HttpResponse:
    person, form = person_of(request), PasskeyForm(request.POST)
    if person.passkeys.count() >= limit("PASSKEYS_PER_PERSON_MOST"):
        return account_page(request, 422, passkey_fault="You have as many passkeys as one account can have.")
    if fault := passkeys.why_not(request) or wrong_proof(request, form):
        return account_page(request, 422, passkey_fault=fault)
    try:
        passkeys.add(request, person, form.cleaned_data["name"], form.cleaned_data["made"])
    except PasskeyError as refused:
        return account_page(request, 422, passkey_fault=refused.says)
    audit_log.record("passkey added", person, client_address.of_request(request))
    return after_adding(request, "passkey-on")


@require_POST
@sensitive_post_parameters()
@requires("propose")
def change(request: HttpRequest, number: int) -> HttpResponse:
    """Name a passkey, or remove it."""
    person, form = person_of(request), ChangePasskeyForm(request.POST)
    passkey = get_object_or_404(Passkey, pk=number, person=person)
    form.full_clean()
    if form.cleaned_data["act"] == "name":
        Passkey.objects.filter(pk=passkey.pk).update(name=form.cleaned_data["name"])
        return redirect("/people/me/?done=passkey-name#passkeys")
    if fault := wrong_proof(request, form):
        return account_page(request, 422, passkey_fault=fault)
    second_step.remove_passkey(person, passkey.pk)
    audit_log.record("passkey removed", person, client_address.of_request(request))
    return redirect("/people/me/?done=passkey-off#passkeys")

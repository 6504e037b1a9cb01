"""One's own second step: the authenticator app and the recovery codes."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_POST

from people import audit_log, invitations, recovery_codes, second_step, totp
from people.forms import AppForm, ProofForm
from people.models import Person
from people.permissions import person_of, requires
from people.views.account_page import account_page, codes_page, wrong_proof
from ratelimit import client_address

NOT_NOW = "This is not the current code. Write the one your app shows now."


@require_POST
@sensitive_post_parameters()
@requires("propose")
def app(request: HttpRequest) -> HttpResponse:
    """Add an authenticator app, or remove it."""
    person, form = person_of(request), AppForm(request.POST)
    if fault := wrong_proof(request, form):
        return account_page(request, 422, code_fault=fault)
    if person.totp_secret:
        second_step.remove_app(person)
        audit_log.record("authenticator app removed", person, client_address.of_request(request))
        return redirect("/people/me/?done=code-off#code-title")
    secret = totp.unseal(request.session.get("totp", ""))
    step = totp.matching_step(secret, form.cleaned_data["code"], 0) if secret else None
    if step is None:
        return account_page(request, 422, code_fault=NOT_NOW)
    Person.objects.filter(pk=person.pk).update(totp_secret=totp.seal(secret), totp_step=step)
    del request.session["totp"]
    audit_log.record("authenticator app added", person, client_address.of_request(request))
    return after_adding(request, "code-on")


def after_adding(request: HttpRequest, done: str) -> HttpResponse:
    """The first recovery codes where there were none, else the account's page."""
    invitations.withdraw_for(person_of(request))
    if codes := second_step.codes_after_adding(person_of(request)):
        return codes_page(request, codes, "The second step is on")
    return redirect(f"/people/me/?done={done}#code-title")


@require_POST
@sensitive_post_parameters()
@requires("propose")
def recovery(request: HttpRequest) -> HttpResponse:
    """Make new recovery codes."""
    person, form = person_of(request), ProofForm(request.POST)
    if not person.has_second_step:
        return account_page(request, 422, codes_fault="Recovery codes come with a second step.")
    if fault := wrong_proof(request, form):
        return account_page(request, 422, codes_fault=fault)
    codes = recovery_codes.renew(person)
    audit_log.record("new recovery codes", person, client_address.of_request(request))
    return codes_page(request, codes, "New recovery codes")

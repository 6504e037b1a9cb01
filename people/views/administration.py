"""The keepers' page: who is here, what they may do, who is invited."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from people import administration, audit_log, invitations
from people.models import Invitation, Person
from people.permissions import allowed, person_of
from people.roles import ROLES

LAST = "One keeper must be left. Make somebody else a keeper first."


def _page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    context |= {
        "people": Person.objects.order_by("-is_active", "key"),
        "invitations": Invitation.objects.open().select_related("made_by", "person"),
        "roles": ROLES.items(),
        "days": invitations.DAYS,
    }
    return render(request, "people/people.html", context, status=status)


def _link(request: HttpRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("invitation", args=[token]))


@require_http_methods(["GET", "HEAD", "POST"])
@allowed("keep")
def people(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request)
    role = request.POST.get("role", "")
    if role not in ROLES:
        return _page(request, 422, fault="Choose a role for your guest.")
    guest = " ".join(request.POST.get("guest", "").split())[:80]
    token = invitations.invite(role, guest, person_of(request))
    audit_log.tell(f"invited a {role}", by=person_of(request))
    return _page(request, link=_link(request, token), guest=guest, invited_role=role)


@require_POST
@allowed("keep")
def change(request: HttpRequest, number: int) -> HttpResponse:
    person = get_object_or_404(Person, pk=number)
    act = request.POST.get("act", "")
    try:
        if act == "role" and request.POST.get("role") in ROLES:
            administration.assign(person, request.POST["role"])
        elif act == "rest":
            administration.rest(person)
        elif act == "wake":
            administration.wake(person)
        elif act == "password":
            token = invitations.invite(person.role, person.name, person_of(request), person)
            audit_log.tell("link for a new password", person, by=person_of(request))
            return _page(request, link=_link(request, token), guest=person.name, for_password=True)
        else:
            return _page(request, 422, fault="Choose what to change.")
    except administration.LastAdministratorError:
        return _page(request, 422, fault=LAST)
    audit_log.tell(
        f"{act}, {request.POST.get('role')}" if act == "role" else act, person, by=person_of(request)
    )
    return redirect("people")


@require_POST
@allowed("keep")
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    administration.withdraw(number)
    return redirect("people")

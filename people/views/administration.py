"""Keepers' page: accounts, their roles, and open invitations."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST

from people import administration, audit_log, invitations
from people.errors import KeeperStepError, LastKeeperError
from people.forms import ChangePersonForm, InviteForm
from people.models import Invitation, Person
from people.permissions import person_of, requires
from people.roles import ROLES, TITLES

LAST = "One administrator must be left. Make someone else an administrator first."
ON_THE_MACHINE = (
    "The second step of an administrator is removed on the server itself: manage.py remove_second_step. "
    "Nothing was changed."
)


def _page(request: HttpRequest, status: int = 200, **context: Any) -> HttpResponse:
    context |= {
        "people": Person.objects.order_by("-is_active", "key").prefetch_related("passkeys"),
        "invitations": Invitation.objects.open().select_related("made_by", "person"),
        "roles": [(role, TITLES[role], words) for role, words in ROLES.items()],
        "days": invitations.DAYS,
        "site_settings": site_settings(),
    }
    return render(request, "people/people.html", context, status=status)


def site_settings() -> list[tuple[str, str, str]]:
    """What the site says of itself: the label, the name of the setting, and what it is set to."""
    return [
        ("Name of the archive", "ARCHIVE_NAME", settings.ARCHIVE_NAME),
        ("Institution", "ARCHIVE_INSTITUTION", settings.ARCHIVE_INSTITUTION),
        ("Editors", "ARCHIVE_EDITORS", "; ".join(settings.ARCHIVE_EDITORS)),
        ("Contact", "ARCHIVE_CONTACT", settings.ARCHIVE_CONTACT),
        ("Licence of our own words", "ARCHIVE_LICENCE", settings.ARCHIVE_LICENCE),
        ("Photographs of readers", "READERS_PHOTOGRAPHS", "Taken" if settings.READERS_PHOTOGRAPHS else ""),
    ]


def _link(request: HttpRequest, token: str) -> str:
    return request.build_absolute_uri(reverse("invitation", args=[token]))


@require_http_methods(["GET", "HEAD", "POST"])
@requires("keep")
def people(request: HttpRequest) -> HttpResponse:
    if request.method != "POST":
        return _page(request)
    form = InviteForm(request.POST)
    if not form.is_valid():
        return _page(request, 422, fault=form.errors["role"][0])
    role, guest = form.cleaned_data["role"], form.cleaned_data["guest"]
    token = invitations.invite(role, guest, person_of(request))
    audit_log.record(f"invited a {role}", by=person_of(request))
    return _page(request, link=_link(request, token), guest=guest, invited_role=role)


@require_POST
@requires("keep")
def change(request: HttpRequest, number: int) -> HttpResponse:
    person, keeper = get_object_or_404(Person, pk=number), person_of(request)
    form = ChangePersonForm(request.POST)
    if not form.is_valid():
        return _page(request, 422, fault="Choose what to change.")
    act, role = form.cleaned_data["act"], form.cleaned_data["role"]
    try:
        if act == "role":
            administration.assign_role(person, role)
        elif act == "rest":
            administration.deactivate(person)
        elif act == "wake":
            administration.activate(person)
        elif act == "step":
            # It writes its own line in the log.
            administration.remove_second_step(person, keeper)
            return redirect("people")
        else:
            token = invitations.invite(person.role, person.name, keeper, person)
            audit_log.record("link for a new password", person, by=keeper)
            return _page(request, link=_link(request, token), guest=person.name, for_password=True)
    except LastKeeperError:
        return _page(request, 422, fault=LAST)
    except KeeperStepError:
        return _page(request, 422, fault=ON_THE_MACHINE)
    audit_log.record(f"{act}, {role}" if act == "role" else act, person, by=keeper)
    return redirect("people")


@require_POST
@requires("keep")
def withdraw(request: HttpRequest, number: int) -> HttpResponse:
    administration.withdraw(number)
    return redirect("people")

"""Administration of accounts by keepers: roles, resting accounts, lost second steps, withdrawn invitations.

There is always one keeper left.
"""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from people import second_step
from people.errors import KeeperStepError, LastKeeperError
from people.models import Invitation, Person, Session
from people.roles import KEEPER, ROLES


@transaction.atomic
def assign_role(person: Person, role: str) -> None:
    assert role in ROLES
    if role != KEEPER:
        _check_another_keeper(person)
        _withdraw_invitations_of(person)
    Person.objects.filter(pk=person.pk).update(role=role)


@transaction.atomic
def deactivate(person: Person) -> None:
    """Let the account rest: it cannot sign in, and is signed out everywhere at once."""
    _check_another_keeper(person)
    _withdraw_invitations_of(person)
    Person.objects.filter(pk=person.pk).update(is_active=False)
    Session.objects.filter(person=person).delete()


@transaction.atomic
def activate(person: Person) -> None:
    Person.objects.filter(pk=person.pk).update(is_active=True)


def remove_second_step(person: Person, by: Person) -> None:
    """Remove the second step of somebody who lost it. A keeper's is removed on the server alone."""
    if person.role == KEEPER:
        raise KeeperStepError
    second_step.remove(person, by)


@transaction.atomic
def withdraw(invitation: int) -> None:
    Invitation.objects.open().filter(pk=invitation).update(withdrawn=timezone.now())


def _withdraw_invitations_of(person: Person) -> None:
    """Withdraw the links a person made as a keeper: by one of them they could come in again."""
    Invitation.objects.open().filter(made_by=person).update(withdrawn=timezone.now())


def _check_another_keeper(person: Person) -> None:
    # The rows are locked, so that two keepers cannot dismiss each other at once.
    keepers = Person.objects.select_for_update().filter(role=KEEPER, is_active=True)
    if not [keeper for keeper in keepers if keeper.pk != person.pk]:
        raise LastKeeperError

"""Recovery codes: ten codes for those who lost their second step, shown once, each good once.

A code begins with the digit of its row, so that one hash is compared and not ten. Hashes are those of
passwords: a code is short enough to be written down.
"""

from __future__ import annotations

import secrets

from django.contrib.auth.hashers import check_password, make_password
from django.db import transaction
from django.utils import timezone

from people.models import Person, RecoveryCode

NUMBER = 10
LETTERS = "abcdefghjkmnpqrstuvwxyz23456789"
"""Without those that look like others on paper."""
RANDOM_LETTERS = 11
GROUP = 4


@transaction.atomic
def renew(person: Person) -> list[str]:
    """Make ten new codes, after which no older one works. They are told this once and kept nowhere."""
    codes = [f"{place}{_random_letters()}" for place in range(NUMBER)]
    rows = [RecoveryCode(person=person, place=int(code[0]), code_hash=make_password(code)) for code in codes]
    # Locked, so that two who ask at once do not each hold half of the codes.
    Person.objects.select_for_update().get(pk=person.pk)
    RecoveryCode.objects.filter(person=person).delete()
    RecoveryCode.objects.bulk_create(rows)
    return [_grouped(code) for code in codes]


def use(person: Person, written: str) -> bool:
    """Use a code up; False if it is none of this person's or was used."""
    code = "".join(sign for sign in written.lower() if sign.isalnum())
    if len(code) != RANDOM_LETTERS + 1 or code[0] not in "0123456789":
        return False
    row = RecoveryCode.objects.filter(person=person, place=int(code[0]), used=None).first()
    if row is None or not check_password(code, row.code_hash):
        return False
    # Of two that send the same code at once, one gets in.
    return RecoveryCode.objects.filter(pk=row.pk, used=None).update(used=timezone.now()) == 1


def left(person: Person) -> int:
    return RecoveryCode.objects.filter(person=person, used=None).count()


def _random_letters() -> str:
    return "".join(secrets.choice(LETTERS) for _ in range(RANDOM_LETTERS))


def _grouped(code: str) -> str:
    return "-".join(code[start : start + GROUP] for start in range(0, len(code), GROUP))

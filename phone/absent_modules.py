"""Modules that Django imports and a phone never uses: empty ones stand for them, and the kit is smaller.

They are for tests (multiprocessing), for SQL that is written by hand (sqlparse) and for mail.
"""

import sys
from types import ModuleType

NAMES = ("multiprocessing", "sqlparse", "django.core.mail")


class AbsentError(Exception):
    """Stands for whatever is taken out of an absent module; called, it says what is missing."""


class AbsentModule(ModuleType):
    def __getattr__(self, name: str) -> type[AbsentError]:
        if name.startswith("__"):
            raise AttributeError(name)
        return AbsentError


def stand_in() -> None:
    for name in NAMES:
        sys.modules.setdefault(name, AbsentModule(name))

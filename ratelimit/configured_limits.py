"""Limits: named numbers from the settings, else from the environment, else the default."""

import os
from functools import cache

from django.conf import settings
from django.core.exceptions import ImproperlyConfigured


def configured_limit(name: str, default: int) -> int:
    configured: int | None = getattr(settings, name, None)
    return _from_environment(name, default) if configured is None else configured


@cache
def _from_environment(name: str, default: int) -> int:
    written = os.environ.get(name, "").strip()
    if not written:
        return default
    if not (written.isascii() and written.isdigit() and int(written)):
        raise ImproperlyConfigured(f"{name} must be a whole number of 1 or more, and it is {written!r}.")
    return int(written)


def in_minutes(number: int) -> str:
    """For a sentence that says how long something lasts, as it is set."""
    return "a minute" if number == 1 else f"{number} minutes"

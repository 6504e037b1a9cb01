"""What the site gave along with the program: passages, variants, rules in brief, names of static files."""

from typing import Any

CONTENT: dict[str, Any] = {}
"""Filled once, before the first request; `phone/kit/content.py` says what is in it."""

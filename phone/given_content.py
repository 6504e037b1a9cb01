"""Given content: what the site sent along with the program, such as passages, variants and names of files."""

from typing import Any

CONTENT: dict[str, Any] = {}
"""Filled once, before the first request; `phone/kit/content.py` says what is in it."""
CLIPS: dict[str, str] = {}
"""HTML of the places of a passage on its pages, by its name; filled before the first page that shows one."""

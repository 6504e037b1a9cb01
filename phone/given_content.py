"""Given content: what the site sent along with the program, such as passages, variants and names of files."""

import json
from functools import lru_cache
from typing import Any

CONTENT: dict[str, Any] = {}
"""Filled once, before the first request; `phone/kit/content.py` says what is in it."""
CLIPS = ["{}"]
"""The pictures of passages as JSON, which few pages need: read by the first of them."""


@lru_cache(maxsize=1)
def clips() -> dict[str, str]:
    """HTML of the places of a passage on its pages, by book and anchor."""
    return dict(json.loads(CLIPS[0]))

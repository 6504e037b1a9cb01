"""Codes of six figures that change every half minute, as RFC 6238 has them.

It is a dozen lines of the standard library, tested by the RFC's own examples; a package is more to trust.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
import time
from urllib.parse import quote, urlencode

FIGURES = 6
STEP_SECONDS = 30
DRIFT_STEPS = 1
"""A clock may be wrong by one step either way."""


def new_secret() -> str:
    return base64.b32encode(secrets.token_bytes(20)).decode()


def code_at(secret: str, step: int, figures: int = FIGURES) -> str:
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", step), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = int.from_bytes(digest[start : start + 4], "big") & 0x7FFFFFFF
    return str(number % 10**figures).zfill(figures)


def step_now() -> int:
    return int(time.time()) // STEP_SECONDS


def matching_step(secret: str, code: str, after: int) -> int | None:
    """The step this code belongs to, if it is a fresh one later than `after`. Compares in constant time."""
    written = "".join(code.split())
    now = step_now()
    found = None
    for step in range(now - DRIFT_STEPS, now + DRIFT_STEPS + 1):
        if hmac.compare_digest(code_at(secret, step).encode(), written.encode()) and step > after:
            found = step
    return found


def address(secret: str, name: str) -> str:
    """What the QR code says to an authenticator app."""
    return (
        f"otpauth://totp/{quote(f'Tallyroom:{name}')}?{urlencode({'secret': secret, 'issuer': 'Tallyroom'})}"
    )

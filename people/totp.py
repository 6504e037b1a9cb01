"""Second step of sign-in (TOTP): codes of six figures that change every half minute, as RFC 6238 has them.

The codes are a dozen lines of the standard library, tested by the RFC's own examples; a package is more to
trust. Their secrets must be read again, so they are kept encrypted under a key that comes from the site's
own: the database alone, or a backup of it, tells nothing. After the site's key was changed, the keys in
SECRET_KEY_FALLBACKS still open what was encrypted before.
"""

from __future__ import annotations

import base64
import hashlib
import hmac
import secrets
import struct
import time
from urllib.parse import quote, urlencode

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac

FIGURES = 6
STEP_SECONDS = 30
DRIFT_STEPS = 1
"""A clock may be wrong by one step either way."""
SEALED_PREFIX = "sealed:"


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


def app_address(secret: str, name: str) -> str:
    """Address in the QR code, which an authenticator app reads."""
    return (
        f"otpauth://totp/{quote(f'Tallyroom:{name}')}?{urlencode({'secret': secret, 'issuer': 'Tallyroom'})}"
    )


def seal(secret: str) -> str:
    """Encrypt a secret for the database."""
    return SEALED_PREFIX + _keys().encrypt(secret.encode()).decode() if secret else ""


def unseal(stored: str) -> str:
    """The secret; empty if our keys do not open it. A secret that was never encrypted is given as it is."""
    if not stored.startswith(SEALED_PREFIX):
        return stored
    try:
        return _keys().decrypt(stored.removeprefix(SEALED_PREFIX)).decode()
    except InvalidToken:
        return ""


def _keys() -> MultiFernet:
    return MultiFernet(
        [Fernet(_key(secret)) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )


def _key(secret: str | bytes) -> bytes:
    return base64.urlsafe_b64encode(
        salted_hmac("people.sealing", "totp", secret=secret, algorithm="sha256").digest()
    )

"""Small secrets that must be read again are kept encrypted, under a key that comes from the site's own.

Whoever has only the database, or a backup of it, reads nothing. After the site's key was changed, the keys in
SECRET_KEY_FALLBACKS still open what was sealed before.
"""

from __future__ import annotations

import base64

from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.utils.crypto import salted_hmac

MARK = "sealed:"


def _keys() -> MultiFernet:
    return MultiFernet(
        [Fernet(_key(secret)) for secret in (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)]
    )


def _key(secret: str | bytes) -> bytes:
    return base64.urlsafe_b64encode(
        salted_hmac("people.sealing", "totp", secret=secret, algorithm="sha256").digest()
    )


def seal(words: str) -> str:
    return MARK + _keys().encrypt(words.encode()).decode() if words else ""


def unseal(kept: str) -> str:
    """The secret; empty if it cannot be opened with our keys. What was never sealed is given as it is."""
    if not kept.startswith(MARK):
        return kept
    try:
        return _keys().decrypt(kept.removeprefix(MARK)).decode()
    except InvalidToken:
        return ""

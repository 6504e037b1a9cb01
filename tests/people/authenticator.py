"""An authenticator in software: makes a passkey and signs with it as a device does, or wrongly if told so."""

import hashlib
import json
import secrets
import struct

import cbor2
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from webauthn.helpers import base64url_to_bytes, bytes_to_base64url

PRESENT, VERIFIED, ATTESTED = 0x01, 0x04, 0x40


class Authenticator:
    """One device with one passkey, which counts how often it signed unless `counts` is off."""

    def __init__(self, origin="https://testserver", host="testserver", counts=True):
        self.origin, self.host, self.counts = origin, host, counts
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(32)
        self.count, self.handle = 0, None

    def make(self, options, **wrong):
        """The answer to a question for a new passkey, as the browser gives it."""
        self.handle = options["user"]["id"]
        public = self.key.public_key().public_numbers()
        cose = {1: 2, 3: -7, -1: 1, -2: public.x.to_bytes(32, "big"), -3: public.y.to_bytes(32, "big")}
        attested = bytes(16) + struct.pack(">H", len(self.id)) + self.id + cbor2.dumps(cose)
        data = self._data(ATTESTED | PRESENT | VERIFIED, **wrong) + attested
        made = cbor2.dumps({"fmt": "none", "attStmt": {}, "authData": data})
        client = self._client("webauthn.create", options, **wrong)
        return self._answer(
            {"clientDataJSON": client, "attestationObject": bytes_to_base64url(made), "transports": []}
        )

    def sign(self, options, flags=PRESENT | VERIFIED, handle="", **wrong):
        """The answer to a question for the passkey there is."""
        self.count += self.counts
        data = self._data(flags, **wrong)
        client = self._client("webauthn.get", options, **wrong)
        signed = data + hashlib.sha256(base64url_to_bytes(client)).digest()
        key = wrong.get("key", self.key)
        answer = {
            "clientDataJSON": client,
            "authenticatorData": bytes_to_base64url(data),
            "signature": bytes_to_base64url(key.sign(signed, ec.ECDSA(hashes.SHA256()))),
            "userHandle": self.handle if handle == "" else handle,
        }
        return self._answer(answer)

    def _data(self, flags, host=None, **_):
        return (
            hashlib.sha256((host or self.host).encode()).digest()
            + bytes([flags])
            + struct.pack(">I", self.count)
        )

    def _client(self, kind, options, origin=None, challenge=None, **_):
        told = {"type": kind, "challenge": challenge or options["challenge"], "origin": origin or self.origin}
        return bytes_to_base64url(json.dumps(told).encode())

    def _answer(self, response):
        name = bytes_to_base64url(self.id)
        whole = {"id": name, "rawId": name, "type": "public-key", "response": response}
        return json.dumps({**whole, "clientExtensionResults": {}})

"""Passkeys (WebAuthn): a key pair on somebody's device, asked at sign-in instead of a code or of a password.

A question (challenge) is asked in one session, for one purpose, and is answered once, within minutes.
Passkeys are bound to the name of the site: browsers offer them over https, or on this machine itself.
The package webauthn takes a second and 20 MB to load, so the first who uses a passkey loads it.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from datetime import timedelta
from ipaddress import ip_address
from typing import TYPE_CHECKING, Literal

from django.db import IntegrityError, transaction
from django.http import HttpRequest
from django.http.request import split_domain_port
from django.utils import timezone

from people import limits
from people.errors import PasskeyError
from people.models import Challenge, Passkey, Person, Session
from people.sessions import digest_of
from ratelimit import client_address, limiter

if TYPE_CHECKING:
    from webauthn.helpers import structs

Purpose = Literal["register", "sign-in", "step", "proof"]
"""A new passkey; sign-in without a password; the second step after one; a change of one's own account."""

MINUTES = 5
QUESTION_BYTES = 32
HANDLE_BYTES = 32
REMOVED_AT_ONCE = 500
LONGEST_ANSWER = 40_000
UNREADABLE = (ValueError, TypeError, KeyError, AttributeError, RecursionError)
"""Errors by which an answer shows that it is not one, beside webauthn's own."""

NOT_KNOWN = "This passkey was not recognised here. Use another way to sign in."
NOT_ADDED = "The device did not make a passkey that can be used here. Try again, or use another device."


def passkey_name(written: str) -> str:
    """Words by which the owner knows the device."""
    seen = "".join(letter for letter in written if letter.isprintable())
    return " ".join(seen.split())[: Passkey.MAX_NAME_LENGTH] or "Passkey"


def host_of(request: HttpRequest) -> str:
    """The name of the site, to which a passkey is bound."""
    return split_domain_port(request.get_host())[0]


def why_not(request: HttpRequest) -> str:
    """The sentence that says why this address can have no passkeys; empty if it can."""
    host = host_of(request)
    if not _is_address(host) and (request.is_secure() or host == "localhost"):
        return ""
    return "Passkeys need https and a name: they do not work at the address by which you opened this page."


def _is_address(host: str) -> bool:
    try:
        return bool(ip_address(host.strip("[]")))
    except ValueError:
        return False


def ask_for_new(request: HttpRequest, person: Person) -> str:
    """The question to a device that is to make a passkey, as JSON for the browser."""
    import webauthn
    from webauthn import helpers
    from webauthn.helpers import structs

    options = webauthn.generate_registration_options(
        rp_id=host_of(request),
        rp_name="Tallyroom",
        user_id=helpers.base64url_to_bytes(_handle_of(person)),
        user_name=person.name,
        challenge=_new_question(request, "register"),
        timeout=MINUTES * 60_000,
        authenticator_selection=structs.AuthenticatorSelectionCriteria(
            resident_key=structs.ResidentKeyRequirement.PREFERRED,
            user_verification=structs.UserVerificationRequirement.PREFERRED,
        ),
        exclude_credentials=_known_of(person, request),
    )
    return webauthn.options_to_json(options)


def ask(request: HttpRequest, purpose: Purpose, person: Person | None) -> str:
    """The question to a device that has a passkey: of this person, else of whomever the device names."""
    import webauthn
    from webauthn.helpers import structs

    is_alone = purpose == "sign-in"
    verification = structs.UserVerificationRequirement
    options = webauthn.generate_authentication_options(
        rp_id=host_of(request),
        challenge=_new_question(request, purpose),
        timeout=MINUTES * 60_000,
        allow_credentials=_known_of(person, request) if person else [],
        # Without a password the device must know its owner; after one it is enough to hold it.
        user_verification=verification.REQUIRED if is_alone else verification.DISCOURAGED,
    )
    return webauthn.options_to_json(options)


def add(request: HttpRequest, person: Person, name: str, answer: str) -> Passkey:
    """Keep the passkey that a device has made. Raises PasskeyError."""
    import webauthn
    from webauthn import helpers
    from webauthn.helpers.exceptions import WebAuthnException

    _check_length(answer, NOT_ADDED)
    try:
        made = webauthn.verify_registration_response(
            credential=answer,
            expected_challenge=_answered(request, "register", answer),
            expected_rp_id=host_of(request),
            expected_origin=_origin(request),
        )
    except (WebAuthnException, *UNREADABLE):
        raise PasskeyError(NOT_ADDED) from None
    passkey = Passkey(
        person=person,
        name=name,
        credential=helpers.bytes_to_base64url(made.credential_id),
        public_key=helpers.bytes_to_base64url(made.credential_public_key),
        sign_count=made.sign_count,
        host=host_of(request),
    )
    return _stored(passkey)


def _stored(passkey: Passkey) -> Passkey:
    try:
        with transaction.atomic():
            passkey.save(force_insert=True)
    except IntegrityError:
        raise PasskeyError("This passkey is here already.") from None
    return passkey


def recognise(request: HttpRequest, purpose: Purpose, answer: str, person: Person | None = None) -> Person:
    """The owner of the passkey that gave this answer; PasskeyError if it is not `person`'s, or nobody's."""
    import webauthn
    from webauthn import helpers
    from webauthn.helpers.exceptions import WebAuthnException

    _check_length(answer, NOT_KNOWN)
    try:
        question = _answered(request, purpose, answer)
        given = helpers.parse_authentication_credential_json(answer)
        passkey = _found(given, person)
        seen = webauthn.verify_authentication_response(
            credential=given,
            expected_challenge=question,
            expected_rp_id=host_of(request),
            expected_origin=_origin(request),
            credential_public_key=helpers.base64url_to_bytes(passkey.public_key),
            credential_current_sign_count=passkey.sign_count,
            require_user_verification=purpose == "sign-in",
        )
    except (WebAuthnException, *UNREADABLE):
        raise PasskeyError(NOT_KNOWN) from None
    # Of two answers with one count, as a copied device gives them, one is taken.
    same = Passkey.objects.filter(pk=passkey.pk, sign_count=passkey.sign_count)
    if not same.update(sign_count=seen.new_sign_count, used=timezone.now()):
        raise PasskeyError(NOT_KNOWN)
    return passkey.person


def _found(given: structs.AuthenticationCredential, person: Person | None) -> Passkey:
    from webauthn import helpers

    found = Passkey.objects.select_related("person").filter(credential=given.id).first()
    if found is None or (person is not None and found.person_id != person.pk):
        raise PasskeyError(NOT_KNOWN)
    handle = helpers.bytes_to_base64url(given.response.user_handle or b"")
    # Without a name beforehand the device must say whose the passkey is; whatever it says must be true.
    if (person is None or handle) and handle != found.person.handle:
        raise PasskeyError(NOT_KNOWN)
    return found


def _handle_of(person: Person) -> str:
    """The account's name on devices: random, made at the first passkey, the same for all of them."""
    from webauthn import helpers

    made = helpers.bytes_to_base64url(secrets.token_bytes(HANDLE_BYTES))
    Person.objects.filter(pk=person.pk, handle=None).update(handle=made)
    return str(Person.objects.values_list("handle", flat=True).get(pk=person.pk))


def _known_of(person: Person, request: HttpRequest) -> list[structs.PublicKeyCredentialDescriptor]:
    """The person's passkeys for this name of the site."""
    from webauthn import helpers
    from webauthn.helpers import structs

    ids = person.passkeys.filter(host=host_of(request)).values_list("credential", flat=True)
    return [structs.PublicKeyCredentialDescriptor(id=helpers.base64url_to_bytes(one)) for one in ids]


def _origin(request: HttpRequest) -> str:
    return f"{request.scheme}://{request.get_host()}"


def _check_length(answer: str, fault: str) -> None:
    if len(answer) > LONGEST_ANSWER:
        raise PasskeyError(fault)


def _new_question(request: HttpRequest, purpose: Purpose) -> bytes:
    """A new question of this session. Raises RateLimitError: each is a row until it is answered or old."""
    limiter.take([(limits.passkey_questions(), client_address.of_request(request))])
    _remove_expired()
    if not request.session.session_key:
        request.session.create()
        request.session.set_expiry(MINUTES * 60)
    question = secrets.token_bytes(QUESTION_BYTES)
    Challenge.objects.create(
        question_hash=_hash(question),
        session=digest_of(request),
        purpose=purpose,
        expires=timezone.now() + timedelta(minutes=MINUTES),
    )
    return question


def _answered(request: HttpRequest, purpose: Purpose, answer: str) -> bytes:
    """The question that an answer names, which is thereby used up. PasskeyError if it was not asked here."""
    question = _named_question(answer)
    asked = Challenge.objects.filter(
        question_hash=_hash(question),
        session=digest_of(request),
        purpose=purpose,
        expires__gt=timezone.now(),
    )
    # Of two that answer at once, one finds the row.
    if not asked.delete()[0]:
        raise PasskeyError("That took too long, or was sent twice. Use your passkey again.")
    return question


def _named_question(answer: str) -> bytes:
    from webauthn import helpers

    data = json.loads(answer)["response"]["clientDataJSON"]
    return helpers.parse_client_data_json(helpers.base64url_to_bytes(data)).challenge


def _remove_expired() -> None:
    """Remove questions that nobody answered, and the sessions they were asked in."""
    now = timezone.now()
    Challenge.objects.filter(expires__lt=now).delete()
    old = Session.objects.filter(person=None, expire_date__lt=now).values_list("pk", flat=True)
    if gone := list(old[:REMOVED_AT_ONCE]):
        Session.objects.filter(pk__in=gone).delete()


def _hash(question: bytes) -> str:
    return hashlib.sha256(question).hexdigest()

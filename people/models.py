"""Models of accounts: people, invitations, their second steps, and the devices that are signed in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from people.roles import TITLES, Act, may
from people.validators import name_key

ROLE_CHOICES = list(TITLES.items())


class PersonManager(BaseUserManager["Person"]):
    def get_by_natural_key(self, username: str | None) -> Person:
        return self.get(key=name_key(username or ""))


class Person(AbstractBaseUser):
    """A person who was invited. Never deleted, since their name stands under what they have published."""

    name = models.CharField(max_length=40)
    key = models.CharField(max_length=160, unique=True)
    role = models.CharField(max_length=12, choices=ROLE_CHOICES)
    is_active = models.BooleanField(default=True)
    joined = models.DateTimeField(default=timezone.now)
    totp_secret = models.CharField(max_length=255, blank=True)
    """Encrypted: see people.totp."""
    totp_step = models.BigIntegerField(default=0)
    """The last half minute whose code was used: no code works twice."""
    skeleton = models.CharField(max_length=255, null=True, unique=True)  # noqa: DJ001 - only null may repeat
    """The shape of the name (people.lookalikes): no two names look alike, but for those from before."""
    handle = models.CharField(max_length=64, null=True, unique=True)  # noqa: DJ001 - the same
    """The random name of this account on the devices that keep a passkey for it."""
    step_removed = models.DateTimeField(null=True)
    """When an administrator removed the second step; kept until there is one again."""
    step_removed_by = models.ForeignKey("self", models.SET_NULL, null=True, related_name="+")

    objects = PersonManager()

    USERNAME_FIELD = "key"
    REQUIRED_FIELDS = ["name", "role"]

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.name

    def may(self, act: Act) -> bool:
        return self.is_active and may(self.role, act)

    @property
    def has_second_step(self) -> bool:
        return bool(self.totp_secret) or bool(self.passkeys.all())


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def open(self) -> InvitationQuerySet:
        return self.filter(used=None, withdrawn=None, expires__gt=timezone.now())


class Invitation(models.Model):
    """A link that makes an account or, if it has a `person`, gives that account a new password.
    Only a hash of the link's token is kept."""

    token_hash = models.CharField(max_length=64, unique=True)
    role = models.CharField(max_length=12, choices=ROLE_CHOICES)
    guest = models.CharField(max_length=80, blank=True)
    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="new_passwords")
    made_by = models.ForeignKey(Person, models.SET_NULL, null=True, related_name="invitations")
    made = models.DateTimeField(default=timezone.now)
    expires = models.DateTimeField()
    used = models.DateTimeField(null=True)
    withdrawn = models.DateTimeField(null=True)

    objects = InvitationQuerySet.as_manager()

    class Meta:
        ordering = ["-made"]

    def __str__(self) -> str:
        return f"{self.role}, until {self.expires:%Y-%m-%d}"


class Passkey(models.Model):
    """A key pair on somebody's device, of which the public half is here."""

    MAX_NAME_LENGTH = 40

    person = models.ForeignKey(Person, models.CASCADE, related_name="passkeys")
    name = models.CharField(max_length=MAX_NAME_LENGTH)
    credential = models.CharField(max_length=1400, unique=True)
    """Its id, in base64url: at most 1,023 bytes."""
    public_key = models.TextField()
    sign_count = models.BigIntegerField(default=0)
    host = models.CharField(max_length=255)
    """The name of the site it was made for: it works nowhere else."""
    made = models.DateTimeField(default=timezone.now)
    used = models.DateTimeField(null=True)

    class Meta:
        ordering = ["made"]

    def __str__(self) -> str:
        return self.name

    @property
    def field_id(self) -> str:
        """The end of the ids of its fields on the account's page."""
        return f"passkey-{self.pk}"


class Challenge(models.Model):
    """A random question for a passkey: answered once, in the session it was asked in, within minutes."""

    question_hash = models.CharField(max_length=64, unique=True)
    session = models.CharField(max_length=40)
    purpose = models.CharField(max_length=12)
    expires = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return self.purpose


class RecoveryCode(models.Model):
    """A code for those who lost their second step. Only its hash is kept, and it works once."""

    person = models.ForeignKey(Person, models.CASCADE, related_name="recovery_codes")
    place = models.PositiveSmallIntegerField()
    """The digit the code begins with: one hash is compared, not ten."""
    code_hash = models.CharField(max_length=128)
    used = models.DateTimeField(null=True)

    class Meta:
        ordering = ["place"]
        constraints = [
            models.UniqueConstraint(fields=["person", "place"], name="people_recovery_code_place_once")
        ]

    def __str__(self) -> str:
        return f"code {self.place}"


class Session(AbstractBaseSession):
    """One device that is signed in."""

    person = models.ForeignKey(Person, models.CASCADE, null=True, related_name="sessions")
    device = models.CharField(max_length=80, blank=True)
    began = models.DateTimeField(default=timezone.now)
    seen = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-seen"]

    def __str__(self) -> str:
        return self.device

    @classmethod
    def get_session_store_class(cls) -> type:
        from people.sessions import SessionStore

        return SessionStore

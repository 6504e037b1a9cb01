"""Models of accounts: people, invitations, and the devices that are signed in."""

from __future__ import annotations

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone

from people.roles import ROLES, Act, may
from people.validators import name_key

ROLE_CHOICES = [(role, role) for role in ROLES]


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

    objects = PersonManager()

    USERNAME_FIELD = "key"
    REQUIRED_FIELDS = ["name", "role"]

    class Meta:
        ordering = ["key"]

    def __str__(self) -> str:
        return self.name

    def may(self, act: Act) -> bool:
        return self.is_active and may(self.role, act)


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

"""Exceptions of accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from people.models import Person


class InvitationGoneError(Exception):
    """The link was used, withdrawn or is too old."""


class LastKeeperError(Exception):
    """One keeper must be left who can invite."""


class NameTakenError(Exception):
    """Another account has this name."""


class LookalikeError(NameTakenError):
    """Another account's name looks like this one."""


class PasskeyError(Exception):
    """A passkey was not recognised or cannot be added. The sentence says what to do."""

    def __init__(self, says: str) -> None:
        self.says = says
        super().__init__(says)


class SecondStepError(Exception):
    """The password was right, and the second step is still to come, or was wrong."""

    def __init__(self, person: Person, is_wrong: bool) -> None:
        self.person, self.is_wrong = person, is_wrong
        super().__init__()


class KeeperStepError(Exception):
    """The second step of an administrator is removed on the server, not by another keeper."""

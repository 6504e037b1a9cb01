"""Forms of accounts: sign-in, invitation, own password, second step, passkeys, and the keepers' page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from people import invitations
from people.errors import LookalikeError, NameTakenError
from people.limits import limit
from people.models import Invitation, Person
from people.passkeys import passkey_name
from people.roles import ROLES
from people.validators import check_new_password, name_key, tidy_name

MAX_WRITTEN_NAME = 200
MAX_CODE = 20
MAX_GUEST = 80
NOT_A_ROLE = "Choose a role for the person you invite."
LOOKS_LIKE_ANOTHER = (
    "This name looks like the name of someone here, though its letters are not the same. "
    "Choose another, or add a letter."
)


class CutField(forms.CharField):
    """A text that may be missing, taken as it was written and cut where it is too long."""

    def __init__(self, longest: int | None = None) -> None:
        super().__init__(required=False, strip=False)
        # A NUL byte does not get so far, and nothing else can be wrong: the field always has a value.
        self.validators = []
        self.longest = longest

    def to_python(self, value: Any) -> str:
        return (super().to_python(value) or "")[: self.longest]


class SignInForm(forms.Form):
    """Name, password and code. It has no faults of its own: every failure gets the same answer."""

    name = CutField(MAX_WRITTEN_NAME)
    password = CutField()
    code = CutField(MAX_CODE)

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        # No account has one so long; cut short it might be an account's.
        return password if len(password) <= limit("PASSWORD_LENGTH_MOST") else ""


class InvitationForm(forms.Form):
    """Name and password of the account that an invitation makes; of an old account only the password."""

    name = CutField(MAX_WRITTEN_NAME)
    password = CutField()

    def __init__(self, invitation: Invitation, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.invitation = invitation

    @property
    def written_name(self) -> str:
        """The name as it was written, to be shown again."""
        return str(self.data.get("name", ""))[:MAX_WRITTEN_NAME]

    def clean_name(self) -> str:
        old = self.invitation.person
        return old.name if old else tidy_name(self.cleaned_data["name"])

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        name = self.cleaned_data.get("name", self.written_name)
        check_new_password(password, Person(name=name, key=name_key(name)))
        return password

    def accept(self, token: str) -> Person | None:
        """Use the link; None if the name is taken, which is then a fault of the form."""
        try:
            return invitations.accept(token, self.cleaned_data["name"], self.cleaned_data["password"])
        except LookalikeError:
            self.add_error("name", LOOKS_LIKE_ANOTHER)
            return None
        except NameTakenError:
            self.add_error("name", "Someone here has this name. Choose another, or add a letter.")
            return None

    @property
    def faults(self) -> dict[str, str]:
        """Sentences by the name of the field."""
        return {name: " ".join(map(str, sentences)) for name, sentences in self.errors.items()}


class PasswordForm(forms.Form):
    """A new password of one's own; `present` is checked by the view, which counts wrong ones."""

    present = CutField()
    password = CutField()

    def __init__(self, person: Person, data: Mapping[str, Any]) -> None:
        super().__init__(data)
        self.person = person

    def clean_password(self) -> str:
        password: str = self.cleaned_data["password"]
        check_new_password(password, Person(name=self.person.name, key=name_key(self.person.name)))
        return password

    @property
    def fault(self) -> str:
        return " ".join(str(sentence) for sentences in self.errors.values() for sentence in sentences)


class ProofForm(forms.Form):
    """Proof for a change of one's own account: the current password and, where there is one, the second step,
    as a code that is written or as the answer of a passkey. The view checks it, and counts wrong ones."""

    present = CutField()
    proof = CutField(MAX_CODE)
    credential = CutField()


class AppForm(ProofForm):
    """An authenticator app is added by a code it shows, or removed."""

    code = CutField(MAX_CODE)
    act = CutField(MAX_CODE)


class PasskeyForm(ProofForm):
    """A new passkey: its name, and the device's answer."""

    name = CutField()
    made = CutField()

    def clean_name(self) -> str:
        return passkey_name(self.cleaned_data["name"])


class ChangePasskeyForm(ProofForm):
    """A passkey is given another name, or removed."""

    name = CutField()
    act = CutField(MAX_CODE)

    def clean_name(self) -> str:
        return passkey_name(self.cleaned_data["name"])


class StepForm(forms.Form):
    """The second step at sign-in. It has no faults of its own: the view counts wrong ones."""

    code = CutField(MAX_CODE)
    credential = CutField()


class InviteForm(forms.Form):
    """A keeper's invitation: for whom, and as what."""

    guest = CutField()
    role = forms.ChoiceField(
        choices=[(role, role) for role in ROLES],
        error_messages={"required": NOT_A_ROLE, "invalid_choice": NOT_A_ROLE},
    )

    def clean_guest(self) -> str:
        return " ".join(self.cleaned_data["guest"].split())[:MAX_GUEST]


class ChangePersonForm(forms.Form):
    """A keeper's change of an account; a role is needed only to assign one."""

    act = forms.ChoiceField(choices=[(act, act) for act in ("role", "rest", "wake", "password", "step")])
    role = CutField()

    def clean_role(self) -> str:
        role: str = self.cleaned_data["role"]
        if self.cleaned_data.get("act") == "role" and role not in ROLES:
            raise ValidationError("Choose a role.")
        return role

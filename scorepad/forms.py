"""Forms of the pads: numbers and names as people type them, and what each form of the table page means.

A reader of a form returns what a program would send as JSON to the same address; see views/actions.py.
"""

import re
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict

import engine
from scorepad.access import links
from scorepad.access.permissions import MAX_DEVICE_LENGTH
from scorepad.chips import denominations
from scorepad.ledger import Who
from scorepad.models import Pad

WATCHES = "watch"
PLAIN_NUMBER = re.compile(r"-?[0-9]{1,9}")
SUM_PART = re.compile(r"[+-]?[0-9]{1,7}")
SUM = re.compile(r"-?[0-9]{1,7}(?:[+-][0-9]{1,7}){0,20}")


class PlainIntegerField(forms.IntegerField):
    """A whole number in a few plain digits; nothing else, however much it looks like a number."""

    def to_python(self, value: Any) -> int | None:
        if value not in self.empty_values and not PLAIN_NUMBER.fullmatch(str(value).strip()):
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        return super().to_python(value)


class JoinForm(forms.Form):
    """The short code of a pad, typed by hand."""

    code = forms.CharField(required=False, strip=False)


def whole(typed: str) -> int | None:
    """The whole number typed here; None for anything else."""
    return _number(PlainIntegerField(required=False), typed)


def place_in(typed: str, length: int) -> int | None:
    """The place typed here, if a row of this length has it."""
    return _number(PlainIntegerField(required=False, min_value=0, max_value=length - 1), typed)


def _number(field: PlainIntegerField, typed: str) -> int | None:
    try:
        number: int | None = field.clean(typed)
    except ValidationError:
        return None
    return number


def with_tens(sent: dict[str, Any], tens: str) -> dict[str, Any]:
    """A count tapped in two steps, as one answer."""
    many, units = whole(tens), sent.get("units")
    if many is None or not 0 <= many < 10_000 or type(units) is not int:
        raise engine.Refused("bad-draft", "Choose the tens first, then the units.")
    return {**{key: value for key, value in sent.items() if key != "units"}, "put": many + units}


def with_sum(sent: dict[str, Any], typed: str) -> dict[str, Any]:
    """A number that was typed, or several that are added up, as one answer."""
    text = typed.replace(" ", "").replace("−", "-")
    if not SUM.fullmatch(text):
        raise engine.Refused("bad-draft", "Type a number, or several to add up: 3+6+2.")
    return {**sent, "put": sum(int(number) for number in SUM_PART.findall(text))}


def player_names(given: QueryDict) -> list[str]:
    """The names typed into the seats, without the seats left empty."""
    return [name.strip() for name in given.getlist("name") if name.strip()]


def join_role(sent: QueryDict, pad: Pad) -> dict[str, Any]:
    """The role a short code is for, if the form names one."""
    return {"role": sent["role"]} if sent.get("role") else {}


def no_fields(given: QueryDict, pad: Pad) -> dict[str, Any]:
    """A form with a button and nothing else."""
    return {}


def players(given: QueryDict, pad: Pad) -> dict[str, Any]:
    return {"players": player_names(given)}


def next_game(given: QueryDict, pad: Pad) -> dict[str, Any]:
    """Another game for the same people; without one, the same game again."""
    return {"game": given["game"]} if given.get("game") else {}


def club(given: QueryDict, pad: Pad) -> dict[str, Any]:
    """The club to add a pad to, or to leave; without one, a new club."""
    return {"club": given["club"]} if given.get("club") else {}


def seat(given: QueryDict, pad: Pad) -> dict[str, Any]:
    """The seat this phone belongs to, or a name for the phone; or that it only watches."""
    if given.get("seat") == WATCHES:
        return {"who": Who(watches=True)}
    taken = place_in(given.get("seat", ""), len(pad.players))
    device = given.get("device", "").strip()[:MAX_DEVICE_LENGTH]
    return {"who": Who(taken) if taken is not None else Who(device=device)}


def link_change(given: QueryDict, pad: Pad) -> dict[str, Any]:
    """The link that is made new or ended."""
    verb = "rotate" if "rotate" in given else "revoke"
    role = given.get(verb, "")
    if role not in links.ROLES or (verb == "revoke" and role == links.KEEP):
        raise engine.Refused("bad-role", "Choose the player's or the viewer's link.")
    return {verb: role}


def handover(given: QueryDict, pad: Pad) -> dict[str, Any]:
    """The owner's answer to a request; without one, the request."""
    return {word: True for word in ("accept", "decline") if word in given}


def chip_counts(given: QueryDict, pad: Pad) -> dict[str, Any]:
    """The counted chips of each player: points, or so many chips of each value, where empty is none."""
    if "by_value" not in given:
        typed = zip(pad.players, given.getlist("counted"), strict=False)
        return {"counted": {name: whole(points) for name, points in typed}}
    counted: dict[str, Any] = {}
    for number, name in enumerate(pad.players):
        typed_chips = {
            str(value): given.get(f"chips-{number}-{value}", "") for value in denominations.values(pad)
        }
        if any(typed_chips.values()):
            counted[name] = {value: whole(typed or "0") for value, typed in typed_chips.items()}
    return {"counted": counted}

"""Names of a club: one person across several spellings. Its owner joins and parts them; no log changes.

Names are compared without regard to capitals. Two who sat at one table are two people.
"""

from collections.abc import Mapping, Sequence

from django.db import transaction
from django.db.models import F
from django.utils.dateformat import format as date_format

import engine
from scorepad.access import links
from scorepad.limits import limit
from scorepad.models import Club, ClubName, Pad


def identities(club: Club) -> dict[str, str]:
    """The person each joined spelling means."""
    return dict(club.names.values_list("spelling", "person"))


def persons(players: Sequence[str], joined: Mapping[str, str]) -> list[str]:
    """The person at each seat. Where two seats would be one person, both are called as they are written."""
    named = [joined.get(name.casefold(), name) for name in players]
    keys = [name.casefold() for name in named]
    return [
        written if keys.count(key) > 1 else person
        for written, person, key in zip(players, named, keys, strict=True)
    ]


@transaction.atomic
def join(club: Club, spelling: object, person: object) -> None:
    """From now on this spelling means that person; so do those that meant this spelling."""
    links.lock(club)
    one, other = _spelled(club, spelling), _spelled(club, person)
    key, joined = one.casefold(), identities(club)
    whole = joined.get(other.casefold(), other)
    if key == whole.casefold():
        raise engine.Refused("same-name", "Choose two different names.")
    _check_apart(club, joined, joined.get(key, one), whole)
    ClubName.objects.filter(club=club, person__in=_spellings_of(joined, one)).update(person=whole)
    ClubName.objects.filter(club=club, spelling=whole.casefold()).delete()
    if len(joined) >= limit("NAMES_JOINED_PER_CLUB_MOST"):
        raise engine.Refused("too-many-names", "This club has joined too many names.")
    ClubName.objects.update_or_create(club=club, spelling=key, defaults={"person": whole})
    _changed(club)


def _spellings_of(joined: Mapping[str, str], name: str) -> list[str]:
    return [person for person in joined.values() if person.casefold() == name.casefold()]


def _spelled(club: Club, name: object) -> str:
    """The name as some pad of the club has it."""
    key = name.strip().casefold() if isinstance(name, str) else ""
    for players in Pad.objects.filter(club_pads__club=club).values_list("players", flat=True):
        for player in players:
            if player.casefold() == key:
                return str(player)
    raise engine.Refused("unknown-player", "Nobody in this club has this name. Choose one of its names.")


def _check_apart(club: Club, joined: Mapping[str, str], one: str, other: str) -> None:
    """Raise Refused if these two sat at one table."""
    keys = {one.casefold(), other.casefold()}
    rows = Pad.objects.filter(club_pads__club=club).values_list("players", "made_at")
    for players, made_at in rows.order_by("made_at", "pk"):
        seated = {person.casefold() for person in persons(players, joined)}
        if keys <= seated:
            day = date_format(made_at, "j F Y")
            says = f"{one} and {other} sat at one table on {day}, so they are two people."
            raise engine.Refused("two-people", says)


@transaction.atomic
def part(club: Club, spelling: object) -> None:
    """This spelling is a person of its own again."""
    key = spelling.strip().casefold() if isinstance(spelling, str) else ""
    gone, _ = ClubName.objects.filter(club=club, spelling=key).delete()
    if not gone:
        raise engine.Refused("unknown-player", "This name is not joined to another. Choose one that is.")
    _changed(club)


def _changed(club: Club) -> None:
    Club.objects.filter(pk=club.pk).update(revision=F("revision") + 1)

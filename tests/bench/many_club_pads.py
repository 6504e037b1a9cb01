"""`python -m tests.bench.many_club_pads 10 1000`: a club of so many finished pads each, ten games an evening.

The first pad is made and played as any other; the rest are copies of its rows, under codes of their own, and
with other names at the table. Prints the club's address and its viewer's token, a line for each.
"""

from __future__ import annotations

import secrets
import sys
from datetime import timedelta

import django

from tests.bench.many_pads import copy

NAMES = ("Ann", "Bert", "Cleo", "Dora", "Emil", "Fay", "Gus", "Hedy")
GAMES_AN_EVENING = 10
HANDS = 12


def main(wanted: int) -> None:
    from django.utils import timezone

    from scorepad import ledger, new_pads
    from scorepad.clubs import club_pads
    from scorepad.models import ClubPad, Entry, Evening, Link, Pad, new_code

    fields = {"game": "thumbs-up", "players": list(NAMES[:4]), "options": {"hands": HANDS, "stake": 500}}
    first = new_pads.create(fields).pad
    for number in range(HANDS):
        winner = NAMES[number % 4]
        losers = {name: {"points": 5 + 5 * (number % 3)} for name in NAMES[:4] if name != winner}
        ledger.append(first, [{"id": f"h{number}", "type": "hand", "winner": winner, "losers": losers}])
    first.refresh_from_db()
    rows, links = list(first.entries.all()), list(first.links.all())
    evenings = [Evening.objects.create() for _ in range(-(-wanted // GAMES_AN_EVENING))]
    made = [
        copy(
            first,
            code=new_code(),
            players=[NAMES[(number + seat) % len(NAMES)] for seat in range(4)],
            evening=evenings[number // GAMES_AN_EVENING],
            made_at=timezone.now() - timedelta(hours=wanted - number),
        )
        for number in range(wanted)
    ]
    pads = Pad.objects.bulk_create(made)
    Link.objects.bulk_create(
        copy(link, pad=pad, token_hash=secrets.token_hex(32)) for pad in pads for link in links
    )
    Entry.objects.bulk_create((copy(row, pad=pad) for pad in pads for row in rows), batch_size=2_000)
    new = club_pads.create(pads[:1])
    ClubPad.objects.bulk_create(ClubPad(club=new.club, pad=pad) for pad in pads[1:])
    print(f"/clubs/{new.club.code}/ {new.watch.rsplit('/', 1)[-1]}", flush=True)


if __name__ == "__main__":
    django.setup()
    for count in sys.argv[1:]:
        main(int(count))

"""OpenAPI paths of the clubs; the schemas are in schemas.py."""

from typing import Any

from config.openapi.pads import optional, reads, writes
from config.openapi.schemas import BOOLEAN, NUMBER, TEXT, maybe, record, ref

SEASON = [
    {"name": name, "in": "query", "required": False, "schema": {"type": "string"}}
    for name in ("game", "from", "to")
]


def paths() -> dict[str, Any]:
    figures = reads("the figures of a club", ref("ClubFigures"), *SEASON)
    games = reads("one row for each seat of each game", TEXT, *SEASON)
    games["get"]["responses"]["200"]["content"] = {"text/csv": {"schema": TEXT}}
    error = {"application/json": {"schema": ref("Error")}}
    for address in (figures, games):
        address["get"]["responses"]["422"] = {"description": "no such game or day", "content": error}
    changed = ref("ClubChange")
    owner = record("keep claim", given=BOOLEAN, wait=NUMBER, keep=TEXT, claim=TEXT)
    asks = optional(claim=TEXT, accept=BOOLEAN, decline=BOOLEAN)
    links = record("keep watch", keep=TEXT, watch=maybe(TEXT))
    inside = {
        "club.json": figures,
        "games.csv": games,
        "name/": writes("rename the club (keep)", optional(name=TEXT), schema=changed),
        "people/": writes(
            "join two names, or part one (keep)", optional(join=TEXT, to=TEXT, part=TEXT), schema=changed
        ),
        "remove/": writes("take a pad out (keep)", optional(pad=TEXT), schema=changed),
        "stay/": writes("keep its pads, or stop asking (keep)", optional(stop=BOOLEAN), schema=changed),
        "links/": writes("rotate or revoke links (keep)", optional(rotate=TEXT, revoke=TEXT), schema=links),
        "keep/": writes("ask to become an owner (watch)", asks, schema=owner, s202=owner),
        "delete/": writes("the club without its pads (keep)", optional(), schema=record(deleted=TEXT)),
    }
    return {f"/clubs/{{code}}/{place}": what for place, what in inside.items()}

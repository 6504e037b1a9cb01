"""OpenAPI schemas of the pads, and the functions that all schemas are written with.

`/openapi.json` serves them, docs/pads-api.md tells the same to people, and a test asks the running product
whatever this description allows, and more.
"""

from typing import Any

import engine

Schema = dict[str, Any]

TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
BOOLEAN: Schema = {"type": "boolean"}
ANY: Schema = {"type": "object"}
MOMENT: Schema = {"type": "string", "format": "date-time"}


def listed(schema: Schema) -> Schema:
    return {"type": "array", "items": schema}


def maybe(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def each(schema: Schema) -> Schema:
    return {"type": "object", "additionalProperties": schema}


def ref(name: str) -> Schema:
    return {"$ref": f"#/components/schemas/{name}"}


def record(optional: str = "", /, **fields: Schema) -> Schema:
    """An object with these fields and no others; those named in `optional` may be missing."""
    free = optional.split()
    required = [name for name in fields if name not in free]
    return {"type": "object", "properties": fields, "required": required, "additionalProperties": False}


def tagged(address: dict[str, Any]) -> dict[str, Any]:
    """Describe the ETag of a GET, for clients that have its answer already."""
    known = {"name": "If-None-Match", "in": "header", "required": False, "schema": {"type": "string"}}
    address["get"]["parameters"].append(known)
    address["get"]["responses"] |= {
        "304": {"description": "what you have is still so"},
        "412": {"description": "asked for what it was only (If-Match), and it has changed"},
    }
    return address


STOPPED = maybe(record(at=MOMENT, where=TEXT, says=TEXT))
ROLE: Schema = {"enum": ["keep", "play", "watch"]}
FAULT = record("ask", code=TEXT, message=TEXT, entry=maybe(NUMBER), cites=listed(TEXT), ask=ANY)
RESULT = {
    "status": TEXT,
    "totals": each(NUMBER),
    "winners": listed(TEXT),
    "ended": maybe(ANY),
    "state": ANY,
}
PAD_FIELDS = {
    "game": TEXT,
    "players": listed(TEXT),
    "dealer": TEXT,
    "variant": maybe(TEXT),
    "settings": ANY,
    "stopped": STOPPED,
    "revision": NUMBER,
    "evening": maybe(TEXT),
    "next": maybe(TEXT),
    "asks_to_keep": maybe(record(who=maybe(TEXT), wait=NUMBER, granted=BOOLEAN, until=MOMENT)),
    "ends": maybe(MOMENT),
}
LOG_ENTRY = record(
    "step",
    number=NUMBER,
    step=NUMBER,
    id=TEXT,
    entry=ANY,
    who=maybe(TEXT),
    made=MOMENT,
    lines=listed(ref("Line")),
)
CLUB_MOMENT = record(address=TEXT, day=TEXT)
OUTCOME = record(
    id=maybe(TEXT),
    status={"enum": ["stored", "known", "refused"]},
    number=maybe(NUMBER),
    error=maybe(FAULT),
)
SCHEMAS: dict[str, Schema] = {
    "Error": record("head changed", error=FAULT, head=NUMBER, changed=maybe(ANY)),
    "Line": record(entry=NUMBER, player=TEXT, points=NUMBER, symbol=TEXT, cites=listed(TEXT), why=TEXT),
    "Sheet": record(
        "dealer entries title date notes",
        tally={"const": 1},
        game=TEXT,
        options=ANY,
        players=listed(TEXT),
        dealer=TEXT,
        entries=listed(ANY),
        title={},
        date={},
        notes={},
    ),
    "Result": record(
        "revision stopped engine changed",
        tally={"const": 1},
        game=TEXT,
        options=ANY,
        players=listed(TEXT),
        lines=listed(ref("Line")),
        head=NUMBER,
        revision=NUMBER,
        stopped=STOPPED,
        engine=TEXT,
        changed=maybe(ANY),
        **RESULT,
    ),
    "Pad": record(
        pad={"const": 1},
        sheet=ref("Sheet"),
        log=listed(record("step", seat=maybe(NUMBER), device=TEXT, made=MOMENT, scored=TEXT, step=NUMBER)),
        variant=maybe(TEXT),
        settings=ANY,
        checks=listed(
            record(head=NUMBER, counted=listed(NUMBER), seat=maybe(NUMBER), device=TEXT, made=MOMENT)
        ),
        former_names=each(NUMBER),
        engine=TEXT,
        made=MOMENT,
        stopped=maybe(MOMENT),
    ),
    "Log": record(head=NUMBER, log=listed(LOG_ENTRY)),
    "Opened": record(pad=TEXT, keep=TEXT, play=TEXT, watch=TEXT),
    "Next": record("keep play", pad=TEXT, keep=TEXT, play=TEXT, watch=TEXT, evening=maybe(TEXT)),
    "Outcomes": record(head=NUMBER, results=listed(OUTCOME)),
    "Beside": record(**PAD_FIELDS),
    "About": record(pad=TEXT, role=ROLE, seat=maybe(NUMBER), **PAD_FIELDS),
    "Links": record("keep play watch", keep=maybe(TEXT), play=maybe(TEXT), watch=maybe(TEXT)),
    "Draft": record(
        draft=maybe(
            record(
                id=TEXT,
                type=TEXT,
                revision=NUMBER,
                entry=ANY,
                filled=listed(
                    record(
                        field=TEXT,
                        player=maybe(TEXT),
                        who=maybe(TEXT),
                        made=MOMENT,
                        open=BOOLEAN,
                    )
                ),
                missing=listed(record(field=TEXT, player=maybe(TEXT))),
                complete=BOOLEAN,
            )
        )
    ),
    "Preview": record(
        "lines lines_were totals totals_were status winners ended state changes says at",
        head=NUMBER,
        error=maybe(FAULT),
        lines=listed(ref("Line")),
        lines_were=listed(ref("Line")),
        totals_were=each(NUMBER),
        changes=listed(ANY),
        says=TEXT,
        at=maybe(ANY),
        **RESULT,
    ),
    "Check": record(
        "missing_chips",
        head=NUMBER,
        expected=each(NUMBER),
        counted=each(NUMBER),
        missing=each(NUMBER),
        short=NUMBER,
        since=listed(ANY),
        says=TEXT,
        missing_chips=each(NUMBER),
    ),
    "Club": record("keep watch", club=TEXT, keep=TEXT, watch=TEXT),
    "ClubChange": record("joined kept", club=TEXT, joined=each(TEXT), kept=BOOLEAN),
    "ClubFigures": record(
        club=TEXT,
        name=TEXT,
        game=maybe(TEXT),
        **{"from": maybe(TEXT)},
        to=maybe(TEXT),
        joined=each(TEXT),
        games=NUMBER,
        finished=NUMBER,
        pending=NUMBER,
        persons=listed(
            record(
                name=TEXT,
                played=NUMBER,
                finished=NUMBER,
                won=NUMBER,
                share=NUMBER,
                run=maybe(record(length=NUMBER, first=CLUB_MOMENT, last=CLUB_MOMENT)),
                plays=each(NUMBER),
            )
        ),
        by_game=listed(ANY),
        pairs=listed(
            record(one=TEXT, other=TEXT, together=NUMBER, one_won=NUMBER, other_won=NUMBER, last=CLUB_MOMENT)
        ),
        evenings=listed(record(address=TEXT, began_at=MOMENT, games=NUMBER, titles=TEXT, winners=TEXT)),
    ),
    "Evening": record(evening=TEXT, games=listed(ANY), standings=listed(ANY), pending=NUMBER),
}

WHO: Schema = {"type": "string", "description": "A player's name, or the name of a device."}
ENTRY: Schema = {
    "type": "object",
    "properties": {"id": TEXT, "type": TEXT},
    "required": ["type"],
    "description": "What happened, in the fields of the game; or a void, an amend, a revise or an insert.",
}
DRAFT_PART: Schema = {
    "type": "object",
    "properties": {"field": TEXT, "player": maybe(TEXT), "value": {}, "open": BOOLEAN, "none": BOOLEAN},
    "required": ["field"],
}
DECLARED_GAME: Schema = {
    "type": "string",
    "pattern": "^[a-z0-9][a-z0-9-]{0,39}(@[0-9a-f]{32})?$",
    "description": "A game that a published rulebook declares: by its key, or pinned to its text.",
}
NEW_PAD: Schema = {
    "type": "object",
    "properties": {
        "game": {"anyOf": [{"enum": list(engine.GAMES)}, DECLARED_GAME]},
        "options": ANY,
        "players": listed(TEXT),
        "dealer": maybe(TEXT),
        "variant": maybe(TEXT),
        "settings": ANY,
        "title": {},
        "date": {},
        "notes": {},
    },
    "required": ["game", "players"],
}

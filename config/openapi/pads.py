"""OpenAPI paths of the pads: what every JSON address takes and answers; the schemas are in schemas.py."""

from typing import Any

from config.openapi.schemas import (
    ANY,
    BOOLEAN,
    DRAFT_PART,
    ENTRY,
    NEW_PAD,
    ROLE,
    SCHEMAS,
    TEXT,
    WHO,
    listed,
    maybe,
    record,
    ref,
    tagged,
)

CHIP_COUNT = {"type": "object", "properties": {"counted": ANY, "who": WHO}, "required": ["counted"]}
CODE = {
    "name": "code",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[-a-z0-9]+$"},
}
AT = {"name": "at", "in": "query", "required": False, "schema": {"type": "string"}}
LINK_REFUSALS = {"404": "no live link to this pad was shown", "429": "too many wrong links from one address"}
SERVICE_REFUSALS = {"503": "the database is busy", "507": "the disk is full"}
READ_REFUSALS = {**LINK_REFUSALS, **SERVICE_REFUSALS}
WRITE_REFUSALS = {
    **READ_REFUSALS,
    "400": "no JSON object, or broken text",
    "403": "the link does not let one do this, or the page's token is missing",
    "408": "it came too slowly",
    "413": "too large",
    "415": "not JSON",
    "422": "a rule is broken by the whole request",
}
LINK_OR_COOKIE: list[dict[str, list[str]]] = [{"link": []}, {"cookie": []}]


def responses(told: dict[str, Any], refusals: dict[str, str]) -> dict[str, Any]:
    """Describe the responses of an address: its schemas and its refusals, by status."""
    shown = {
        status: {"description": "as asked", "content": {"application/json": {"schema": schema}}}
        for status, schema in told.items()
    }
    error: dict[str, Any] = {"application/json": {"schema": ref("Error")}}
    told = shown | {status: {"description": words, "content": error} for status, words in refusals.items()}
    # A NUL byte is refused before the kind of response that is wanted is known.
    plain = error | {"text/plain": {"schema": TEXT}}
    told["400"] = {
        "description": refusals.get("400", "broken text, or a number that is none"),
        "content": plain,
    }
    return told


def reads(summary: str, schema: Any, *more: Any) -> dict[str, Any]:
    """Describe a GET by a phone that has a link."""
    told = responses({"200": schema}, {**READ_REFUSALS, "409": "the engine refuses the log"})
    parameters = [CODE, *more]
    return {
        "get": {"summary": summary, "parameters": parameters, "responses": told, "security": LINK_OR_COOKIE}
    }


def writes(summary: str, body: Any, status: str = "200", schema: Any = None, **more: Any) -> dict[str, Any]:
    """Describe a POST of JSON by a phone that has a link; `more` are further statuses, as s202=schema."""
    told = {status: schema or ref("Beside"), **{key[1:]: one for key, one in more.items()}}
    return {
        "post": {
            "summary": summary,
            "parameters": [CODE],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": responses(told, WRITE_REFUSALS),
            "security": LINK_OR_COOKIE,
        }
    }


def opens(summary: str, body: Any, status: str, schema: Any) -> dict[str, Any]:
    """Describe a POST of JSON that needs no link."""
    refusals = {key: words for key, words in WRITE_REFUSALS.items() if key not in ("403", "404")}
    content = {"application/json": {"schema": body}}
    told = responses({status: schema}, refusals)
    return {
        "post": {"summary": summary, "requestBody": {"required": True, "content": content}, "responses": told}
    }


def optional(**fields: Any) -> dict[str, Any]:
    """A body with these fields, all of them optional."""
    return {"type": "object", "properties": fields}


def paths() -> dict[str, Any]:
    joined = record(pad=TEXT, role=ROLE, link=TEXT)
    inside = {**_log_addresses(), **_table_addresses()}
    return {
        "/pads/": opens("begin a pad", NEW_PAD, "201", ref("Opened")),
        "/pads/import/": opens(
            "a tally sheet or a pad.json back into a pad", ref("Sheet"), "201", ref("Opened")
        ),
        "/pads/move/": opens(
            "a pad of a phone that had no network becomes one of the site, once",
            {
                "type": "object",
                "properties": {
                    "phone_pad": TEXT,
                    "follows": {"type": ["string", "null"]},
                    "pad": ref("Pad"),
                    "taps": listed({"type": "object"}),
                    "draft": {"type": ["object", "null"]},
                },
                "required": ["phone_pad", "pad"],
            },
            "200",
            ref("Opened"),
        ),
        "/pads/join/": opens("a link for a short code", optional(code=TEXT), "200", joined),
        **{f"/pads/{{code}}/{place}": what for place, what in inside.items()},
        "/evenings/{code}/evening.json": reads("the games of an evening", ref("Evening")),
    }


def _log_addresses() -> dict[str, Any]:
    """The addresses of a pad's log and draft, below its own."""
    csv = reads("one row per line, with running totals", TEXT)
    csv["get"]["responses"]["200"]["content"] = {"text/csv": {"schema": TEXT}}
    parts = {
        "type": "object",
        "properties": {"type": TEXT, "put": listed(DRAFT_PART), "who": WHO},
        "required": ["type"],
    }
    some = optional(entries=listed(ENTRY), together=BOOLEAN, who=WHO, ask_twins=BOOLEAN)
    some |= {"required": ["entries"]}
    rows = listed(ANY)
    copy = record(engine=TEXT, role=ROLE, who=ANY, watches=BOOLEAN, pad=ANY, declaration=maybe(TEXT))
    copy["properties"] |= {"after": {"type": "integer"}, "entries": rows, "draft": rows, "checks": rows}
    tried = optional(entry=ENTRY, entries=listed(ENTRY), together=BOOLEAN)
    return {
        "result.json": tagged(reads("the engine's result", ref("Result"), AT)),
        "sheet.json": tagged(reads("the tally sheet", ref("Sheet"))),
        "pad.json": reads("the sheet with who and when", ref("Pad")),
        "log.json": tagged(reads("every entry with its lines", ref("Log"))),
        "play.json": reads("the finished game as a link", record(link=maybe(TEXT))),
        "about.json": reads("the pad beside its log", ref("About")),
        "copy.json": reads("the log as it is stored, for a phone without network", copy),
        "links.json": reads("the links one may pass on", ref("Links")),
        "draft.json": reads("the entry being filled in", ref("Draft")),
        "sheet.csv": csv,
        "entries/": writes("enter and correct (play)", some, schema=ref("Outcomes")),
        "preview/": writes("what an entry would score", tried, schema=ref("Preview")),
        "draft/": writes("fill in a part (play)", parts, schema=ref("Draft")),
        "draft/drop/": writes("throw the draft away (play)", optional(), schema=ref("Draft")),
        "draft/complete/": writes(
            "append the draft (play)", optional(draft=TEXT, who=WHO), schema=ref("Outcomes")
        ),
    }


def _table_addresses() -> dict[str, Any]:
    """The addresses around the log."""
    seat = record(seat=maybe({"type": "integer"}), device=TEXT, role=ROLE, watches=BOOLEAN)
    given = record("keep claim", given=BOOLEAN, wait={"type": "integer"}, keep=TEXT, claim=TEXT)
    asks = optional(claim=TEXT, accept=BOOLEAN, decline=BOOLEAN)
    code = record("role ends", code=maybe(TEXT), role=ROLE, ends=SCHEMAS["About"]["properties"]["ends"])
    table = optional(players=listed(TEXT), dealer=maybe(TEXT))
    return {
        "checks/": writes("count the chips (play)", CHIP_COUNT, schema=ref("Check")),
        "seat/": writes("choose this phone's seat", optional(who=WHO, watches=BOOLEAN), schema=seat),
        "join/": writes("a short code", optional(role=ROLE, close=BOOLEAN), "201", code, s200=code),
        "keep/": writes("ask to become an owner (play)", asks, schema=given, s202=given),
        "rematch/": writes(
            "the next game, or another (play)",
            optional(dealer=maybe(TEXT), game=maybe(TEXT)),
            "201",
            ref("Next"),
        ),
        "again/": writes("start again with other seats (keep)", table, "201", ref("Next")),
        "names/": writes("rename the seats (keep)", table),
        "settings/": writes("what stands beside the log (keep)", optional(settings=ANY)),
        "links/": writes(
            "rotate or revoke links (keep)", optional(rotate=TEXT, revoke=TEXT), schema=ref("Links")
        ),
        "stay/": writes("nobody used it, and it stays (play)", optional()),
        "stop/": writes("no more entries (keep)", optional()),
        "reopen/": writes("entries again (keep)", optional()),
        "delete/": writes("the whole pad (keep)", optional(), schema=record(deleted=TEXT)),
        "club/": writes(
            "make a club of its evening, or add it to one (keep)",
            optional(club=maybe(TEXT)),
            "201",
            ref("Club"),
            s200=ref("Club"),
        ),
        "leave/": writes("leave a club (keep)", optional(club=TEXT), schema=record(left=TEXT)),
    }

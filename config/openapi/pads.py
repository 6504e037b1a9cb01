"""OpenAPI paths of the pads: what every JSON address takes and answers; the words are in openapi.schemas."""

from typing import Any

from config.openapi.schemas import (
    ANY,
    ENTRY,
    PUT,
    ROLE,
    SCHEMAS,
    TEXT,
    WHO,
    WISH,
    YES,
    listed,
    maybe,
    record,
    ref,
    tagged,
)

COUNTED = {"type": "object", "properties": {"counted": ANY, "who": WHO}, "required": ["counted"]}
CODE = {
    "name": "code",
    "in": "path",
    "required": True,
    "schema": {"type": "string", "pattern": "^[-a-z0-9]+$"},
}
AT = {"name": "at", "in": "query", "required": False, "schema": {"type": "string"}}
ALWAYS = {"404": "no live link to this pad was shown", "429": "too many wrong links from one address"}
TROUBLE = {"503": "the database is busy", "507": "the disk is full"}
READING = {**ALWAYS, **TROUBLE}
WRITING = {
    **READING,
    "400": "no JSON object, or broken text",
    "403": "the link does not let one do this, or the page's token is missing",
    "408": "it came too slowly",
    "413": "too large",
    "415": "not JSON",
    "422": "a rule is broken by the whole request",
}
HOLDER: list[dict[str, list[str]]] = [{"link": []}, {"cookie": []}]


def answers(told: dict[str, Any], refusals: dict[str, str]) -> dict[str, Any]:
    """The answers of an address: what it tells, by status, and how it refuses."""
    shown = {
        status: {"description": "as asked", "content": {"application/json": {"schema": schema}}}
        for status, schema in told.items()
    }
    error: dict[str, Any] = {"application/json": {"schema": ref("Error")}}
    told = shown | {status: {"description": words, "content": error} for status, words in refusals.items()}
    # What no text can hold is refused before anybody asks what kind of answer is wanted.
    plain = error | {"text/plain": {"schema": TEXT}}
    told["400"] = {
        "description": refusals.get("400", "broken text, or a number that is none"),
        "content": plain,
    }
    return told


def reads(summary: str, schema: Any, *more: Any) -> dict[str, Any]:
    """GET by whoever holds a link."""
    told = answers({"200": schema}, {**READING, "409": "the engine refuses the log"})
    parameters = [CODE, *more]
    return {"get": {"summary": summary, "parameters": parameters, "responses": told, "security": HOLDER}}


def writes(summary: str, body: Any, status: str = "200", schema: Any = None, **more: Any) -> dict[str, Any]:
    """POST of JSON by whoever holds a link; `more` are further statuses, as s202=schema."""
    told = {status: schema or ref("Beside"), **{key[1:]: one for key, one in more.items()}}
    return {
        "post": {
            "summary": summary,
            "parameters": [CODE],
            "requestBody": {"required": True, "content": {"application/json": {"schema": body}}},
            "responses": answers(told, WRITING),
            "security": HOLDER,
        }
    }


def opens(summary: str, body: Any, status: str, schema: Any) -> dict[str, Any]:
    """POST of JSON by anyone."""
    refusals = {key: words for key, words in WRITING.items() if key not in ("403", "404")}
    content = {"application/json": {"schema": body}}
    told = answers({status: schema}, refusals)
    return {
        "post": {"summary": summary, "requestBody": {"required": True, "content": content}, "responses": told}
    }


def whole(**fields: Any) -> dict[str, Any]:
    """A body with these fields, all of them optional."""
    return {"type": "object", "properties": fields}


def paths() -> dict[str, Any]:
    csv = reads("one row per line, with running totals", TEXT)
    csv["get"]["responses"]["200"]["content"] = {"text/csv": {"schema": TEXT}}
    seat = record(seat=maybe({"type": "integer"}), device=TEXT, role=ROLE)
    given = record("keep", given=YES, wait={"type": "integer"}, keep=TEXT)
    code = record("role ends", code=maybe(TEXT), role=ROLE, ends=SCHEMAS["About"]["properties"]["ends"])
    parts = {
        "type": "object",
        "properties": {"type": TEXT, "put": listed(PUT), "who": WHO},
        "required": ["type"],
    }
    some = {"type": "object", "properties": {"entries": listed(ENTRY), "who": WHO}, "required": ["entries"]}
    table = whole(players=listed(TEXT), dealer=maybe(TEXT))
    inside = {
        "result.json": tagged(reads("the engine's result", ref("Result"), AT)),
        "sheet.json": tagged(reads("the tally sheet", ref("Sheet"))),
        "pad.json": reads("the sheet with who and when", ref("Pad")),
        "log.json": tagged(reads("every entry with its lines", ref("Log"))),
        "play.json": reads("the finished game as a link", record(link=maybe(TEXT))),
        "about.json": reads("the pad beside its log", ref("About")),
        "links.json": reads("the links one may pass on", ref("Links")),
        "draft.json": reads("the entry being filled in", ref("Draft")),
        "sheet.csv": csv,
        "entries/": writes("enter and correct (play)", some, schema=ref("Outcomes")),
        "preview/": writes("what an entry would score", whole(entry=ENTRY), schema=ref("Preview")),
        "draft/": writes("fill in a part (play)", parts, schema=ref("Draft")),
        "draft/drop/": writes("throw the draft away (play)", whole(), schema=ref("Draft")),
        "draft/complete/": writes(
            "append the draft (play)", whole(draft=TEXT, who=WHO), schema=ref("Outcomes")
        ),
        "checks/": writes("count the chips (play)", COUNTED, schema=ref("Check")),
        "seat/": writes("choose this phone's seat", whole(who=WHO), schema=seat),
        "join/": writes("a short code", whole(role=ROLE, close=YES), "201", code, s200=code),
        "keep/": writes("ask to keep the pad (play)", whole(decline=YES), schema=given, s202=given),
        "rematch/": writes("the next game (play)", whole(dealer=maybe(TEXT)), "201", ref("Next")),
        "again/": writes("start again with other seats (keep)", table, "201", ref("Next")),
        "names/": writes("rename the seats (keep)", table),
        "settings/": writes("what stands beside the log (keep)", whole(settings=ANY)),
        "links/": writes(
            "rotate or revoke links (keep)", whole(rotate=TEXT, revoke=TEXT), schema=ref("Links")
        ),
        "stay/": writes("nobody used it, and it stays (play)", whole()),
        "stop/": writes("no more entries (keep)", whole()),
        "reopen/": writes("entries again (keep)", whole()),
        "delete/": writes("the whole pad (keep)", whole(), schema=record(deleted=TEXT)),
    }
    joined = record(pad=TEXT, role=ROLE, link=TEXT)
    evening = reads("the games of an evening", ref("Evening"))
    return {
        "/pads/": opens("begin a pad", WISH, "201", ref("Opened")),
        "/pads/import/": opens(
            "a tally sheet or a pad.json back into a pad", ref("Sheet"), "201", ref("Opened")
        ),
        "/pads/join/": opens("a link for a short code", whole(code=TEXT), "200", joined),
        **{f"/pads/{{code}}/{place}": what for place, what in inside.items()},
        "/evenings/{code}/evening.json": evening,
    }

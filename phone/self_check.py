"""The hand that a phone plays against itself before it says that it is ready: one of the golden sheets."""

import json
from typing import Any
from urllib.parse import urlencode

FORM = {"content-type": "application/x-www-form-urlencoded"}
ENTRIES_LEAST = 3


def sheet() -> dict[str, Any]:
    """The first golden sheet of the first game that is long enough to be a hand."""
    from django.conf import settings

    import engine

    for game in engine.GAMES:
        for case in json.loads((settings.FIXTURES / "sheets" / f"{game}.json").read_text()):
            found: dict[str, Any] = case["sheet"]
            if "error" not in case and len(found.get("entries", [])) >= ENTRIES_LEAST:
                return found
    raise LookupError("There is no golden sheet to play.")


def differences(expected: str) -> list[str]:
    """Play the hand through the pages of a pad; what comes out otherwise than the site says, in words."""
    from phone import application, pad_records

    wanted, hand = json.loads(expected), sheet()
    begun = _post("/pads/import/", {}, [("sheet", json.dumps({**hand, "entries": []}))])
    path = dict(begun.headers).get("Location", "")
    held = {"cookie": "; ".join(f"{name}={value}" for name, value in begun.cookies.items())}
    try:
        for entry in hand["entries"]:
            _post(f"{path}tap/", {**held, "accept": "text/vnd.pad"}, [("enter", json.dumps(entry))])
        page = application.answer("GET", path, held)
        told = application.answer("GET", f"{path}result.json", held)
    finally:
        pad_records.restore(path.split("/")[2], "")
    if page.status != 200 or told.status != 200:
        return [f"The pad answers {page.status} and {told.status}."]
    found = json.loads(told.body)
    return [f"{key} is not what the site says." for key in wanted if found.get(key) != wanted[key]]


def _post(path: str, held: dict[str, str], fields: list[tuple[str, str]]) -> Any:
    from phone import application

    return application.answer("POST", path, {**FORM, **held}, urlencode(fields).encode())

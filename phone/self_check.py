"""The hand that a phone plays against itself before it says that it is ready."""

import json
from typing import Any
from urllib.parse import urlencode

from phone import application

SHEET: dict[str, Any] = {
    "tally": 1,
    "game": "victory-rummy",
    "players": ["Ada", "Ben"],
    "entries": [
        {"type": "victory", "player": "Ada", "color": "red"},
        {"type": "capture", "player": "Ben"},
        {"type": "victory", "player": "Ben", "color": "white"},
    ],
}
FORM = {"content-type": "application/x-www-form-urlencoded"}


def differences(expected: str) -> list[str]:
    """Play the hand through the pages of a pad; what comes out otherwise than the site says, in words."""
    from phone import records

    wanted = json.loads(expected)
    names = [("name", name) for name in SHEET["players"]]
    begun = _post("/pads/here-new/", {}, [("game", SHEET["game"]), *names])
    path = dict(begun.headers).get("Location", "")
    held = {"cookie": "; ".join(f"{name}={value}" for name, value in begun.cookies.items())}
    try:
        for entry in SHEET["entries"]:
            _post(f"{path}tap/", {**held, "accept": "text/vnd.pad"}, [("enter", json.dumps(entry))])
        page = application.answer("GET", path, held)
        told = application.answer("GET", f"{path}result.json", held)
    finally:
        records.restore(path.split("/")[2], "")
    if page.status != 200 or told.status != 200:
        return [f"The pad answers {page.status} and {told.status}."]
    found = json.loads(told.body)
    return [f"{key} is not what the site says." for key in wanted if found.get(key) != wanted[key]]


def _post(path: str, held: dict[str, str], fields: list[tuple[str, str]]) -> application.Answer:
    return application.answer("POST", path, {**FORM, **held}, urlencode(fields).encode())

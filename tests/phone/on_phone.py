"""The phone's side of the tests, in a process of its own: its settings are not the site's.

Reads a JSON object from standard input, and writes what came of it.
"""

import json
import re
import sys
from urllib.parse import urlencode

from phone import application

FORM = {"content-type": "application/x-www-form-urlencoded"}
PAGES = ("", "fragment/", "help/", "history/", "after/", "print/", "result.json", "pad.json", "log.json")


class Phone:
    """The application with the cookies that its pages keep."""

    def __init__(self, content, clips):
        application.start(json.dumps(content))
        application.take_clips(json.dumps(clips))
        self.cookies = {}

    def ask(self, method, path, body=b"", **headers):
        held = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        answer = application.answer(method, path, {"cookie": held, "host": "testserver", **headers}, body)
        self.cookies |= answer.cookies
        return answer

    def begin(self, sheet):
        answer = self.ask("POST", "/pads/import/", urlencode({"sheet": json.dumps(sheet)}).encode(), **FORM)
        return dict(answer.headers)["Location"]

    def tap(self, path, **fields):
        sent = urlencode({name: json.dumps(value) for name, value in fields.items()}).encode()
        return self.ask("POST", f"{path}tap/", sent, accept="text/vnd.pad", **FORM)


def pages(phone, asked):
    """Every page of every sheet."""
    found = []
    for sheet in asked["sheets"]:
        path = phone.begin(sheet)
        found.append(
            {
                "code": path.split("/")[2],
                "pages": [phone.ask("GET", path + page).body.decode() for page in PAGES],
            }
        )
    return found


def play(phone, asked):
    """A game whose record is kept and put back after every tap; then its file for the site."""
    from phone import pad_records
    from scorepad import pads
    from scorepad.ledger import pad_verification
    from scorepad.models import Pad

    path = phone.begin(asked["sheet"])
    code = path.split("/")[2]
    for entry in asked["taps"]:
        known = [pad.code for pad in Pad.objects.all()]
        phone.tap(path, enter=entry)
        kept = pad_records.changed_by(f"{path}tap/", known)
        before = phone.ask("GET", f"{path}pad.json").body
        pad_records.restore(code, "")
        assert not Pad.objects.filter(code=code).exists()
        pad_records.restore(code, kept[code])
        assert phone.ask("GET", f"{path}pad.json").body == before
    phone.ask("POST", f"{path}rematch/", b"", **FORM)
    pad = Pad.objects.get(code=code)
    verified = pad_verification.verify(pad.pk)
    return {
        "verified": list(verified),
        "next": re.match("here-", pads.next_pad(pad).code) is not None,
        "changed": sorted(pad_records.changed_by(f"{path}rematch/", [code])) != [code],
        "total": json.loads(phone.ask("GET", f"{path}result.json").body)["totals"],
        "file": json.loads(phone.ask("GET", f"{path}move.json").body),
        "kept": [code, kept[code]],
    }


def shared(phone, asked):
    """What is drawn of a shared pad after each of these lists of taps."""
    from phone import shared_pads

    path = f"/pads/{asked['copy']['pad']['code']}/"
    told = {"copy": json.dumps(asked["copy"]), "headers": {"host": "testserver"}, "path": f"{path}fragment/"}
    played = [json.loads(shared_pads.play(json.dumps({**told, "taps": taps}))) for taps in asked["taps"]]
    why = {**told, "taps": asked["taps"][-1], "path": f"{path}why/0/"}
    return [*played, json.loads(shared_pads.play(json.dumps(why)))]


def open_again(phone, asked):
    """The totals on a phone that was switched off meanwhile, and has only what its browser kept."""
    from phone import pad_records
    from scorepad import snapshots
    from scorepad.models import Pad

    code, kept = asked["kept"]
    pad_records.restore(code, kept)
    shown = phone.ask("GET", "/pads/here/").body.decode()
    return {"total": snapshots.state_without_draft(Pad.objects.get()).result.totals, "list": shown}


def listed(phone, asked):
    """The list of pads, as the browser asks for it with the copies that it has."""
    kept = {"x-pads-here": json.dumps({"shared": asked["copies"]})}
    return phone.ask("GET", "/pads/here/", **kept).body.decode()


def ask(phone, asked):
    """Status and text of each of these addresses."""
    answers = [phone.ask("GET", path) for path in asked["paths"]]
    return [[answer.status, answer.body.decode()] for answer in answers]


def check(phone, asked):
    from phone.self_check import differences

    return differences(json.dumps(asked["expected"]))


DEEDS = {
    "ask": ask,
    "pages": pages,
    "play": play,
    "check": check,
    "shared": shared,
    "open_again": open_again,
    "listed": listed,
}


def main():
    asked = json.load(sys.stdin)
    phone = Phone(asked["content"], asked.get("clips", {}))
    json.dump(
        DEEDS[asked["do"]](phone, asked),
        sys.stdout,
    )


if __name__ == "__main__":
    main()

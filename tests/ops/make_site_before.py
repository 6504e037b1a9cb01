"""Makes site_before.tar.xz and site_before.json: a small site as commit 7a871ff had it, and the ways into it.

    git worktree add /tmp/before 7a871ff      # with a .venv and node_modules, as make install leaves them
    /tmp/before/.venv/bin/python tests/ops/make_site_before.py /tmp/before

All is done by that version's own commands and addresses. The archive is a backup as that version writes it,
compressed; pages are not typeset, since they can be at any time. The accounts, links and keys in it open
nothing else. What would grow too old to be used is dated into the far future.
"""

import base64
import hashlib
import hmac
import io
import json
import lzma
import os
import re
import struct
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
ARCHIVE, WAYS_IN = HERE / "site_before.tar.xz", HERE / "site_before.json"
BOOK = "victory-rummy-1942"
PASSWORD = "plain words for a test"
LATE = 4_000_000_000
"""The year 2096: cookies and sessions that were made then are never too old."""
PAD_PAGES = ("result.json", "sheet.json", "pad.json", "log.json", "draft.json", "links.json", "sheet.csv")
BOOK_PAGES = (
    f"/books/{BOOK}/book.json", f"/books/{BOOK}/text.txt", f"/books/{BOOK}/revisions/1/text.txt",
    f"/books/{BOOK}/revisions/2/notes.toml", "/books/thumbs-up-1941/book.json",
    f"/iiif/3/{BOOK}/manifest.json", f"/iiif/3/{BOOK}/notes.json", f"/books/{BOOK}/tei.xml", "/changes.atom",
)  # fmt: skip


def main(checkout):
    with tempfile.TemporaryDirectory() as folder:
        var = Path(folder) / "var"
        own = {**os.environ, "TALLYROOM_VAR": str(var), "DEBUG": "1"}
        own.pop("DATABASE_URL", None)

        def run(*words):
            done = subprocess.run(
                [sys.executable, *words], cwd=checkout, env=own, check=True, stdout=subprocess.PIPE
            )
            return done.stdout.decode()

        run("manage.py", "migrate", "--verbosity=0")
        (var / "images").mkdir(exist_ok=True)
        run("manage.py", "load_books")
        links = {
            role: run("manage.py", "invite", f"--role={role}", "--days=20000").strip().rpartition("/")[2]
            for role in ("keeper", "curator", "contributor")
        }
        (Path(folder) / "links").write_text(json.dumps(links))
        ways_in = json.loads(run(__file__, "--seed", f"{folder}/links").splitlines()[-1])
        run("manage.py", "verify")
        run("manage.py", "backup", f"{folder}/site.tar")
        ARCHIVE.write_bytes(
            lzma.compress((Path(folder) / "site.tar").read_bytes(), preset=9 | lzma.PRESET_EXTREME)
        )
        WAYS_IN.write_text(json.dumps(ways_in, indent=1) + "\n")


def seed(links):
    """Fill the site of the present folder by its addresses; return what opens it, and what it answers."""
    os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings"
    sys.path.insert(0, os.getcwd())
    import django

    django.setup()
    from django.core import signing

    from archive.curation import pages

    pages.stop()  # No page is typeset meanwhile.
    signing.time = type("Clock", (), {"time": staticmethod(lambda: LATE)})
    ways_in = {"password": PASSWORD, **accounts(links), "pads": {"playing": pad(), "chips": chips()}}
    ways_in["addresses"] = {path: digest(client().get(path)) for path in BOOK_PAGES}
    return ways_in


def client(**more):
    from django.test import Client

    return Client(HTTP_HOST="127.0.0.1:8000", **more)


def accounts(links):
    from people.models import Session

    keeper, curator, contributor = client(), client(), client()
    for who, role, name in ((keeper, "keeper", "Kim"), (curator, "curator", "Conrad")):
        sent(who.post(f"/people/invitation/{links[role]}", {"name": name, "password": PASSWORD}), 302)
    secret = re.search(
        r"secret=([A-Z2-7]+)|((?:[A-Z2-7]{4} ){7}[A-Z2-7]{4})", keeper.get("/people/me/").content.decode()
    )
    secret = (secret[1] or secret[2]).replace(" ", "")
    sent(keeper.post("/people/me/code/", {"present": PASSWORD, "code": code_of(secret)}), 302)
    note = {"parent": 1, "kind": "gloss", "title": "Fifty", "anchor": "score-capture", "quote": "50 points",
            "body": "A *large* number.", "reason": "Asked at the table."}  # fmt: skip
    sent(curator.post(f"/books/{BOOK}/notes/new/", note), 302)
    scan(curator)
    sent(client().post("/people/sign-in/", {"name": "Kim", "password": "a wrong guess"}), 422)
    sent(contributor.get(f"/people/invitation/{links['contributor']}"), 200)
    Session.objects.update(expire_date=day(LATE), seen=day(LATE))
    return {"invitation": links["contributor"], "totp": secret, "session": curator.cookies["sessionid"].value}


def scan(curator):
    """A scan on leaf 4 of the book, small and without its tiles' weight."""
    from django.core.files.uploadedfile import SimpleUploadedFile
    from PIL import Image, ImageDraw

    page = Image.new("L", (220, 300), 235)
    draw = ImageDraw.Draw(page)
    for y in range(40, 260, 20):
        draw.rectangle((30, y, 190, y + 8), fill=40)
    file = io.BytesIO()
    page.save(file, "JPEG", quality=60)
    files = {"files": [SimpleUploadedFile("page.jpg", file.getvalue())]}
    sent(curator.post(f"/books/{BOOK}/scans/upload/", files, headers={"Accept": "application/json"}), 200)
    form = {"turns": 0, "angle": 0, "left": 0, "right": 100, "top": 0, "bottom": 100, "fold": 50,
            "tone": "grey", "leaf": 4, "reason": "A photograph of our copy.", "act": "publish"}  # fmt: skip
    sent(curator.post(f"/books/{BOOK}/scans/1/", form), 302)


def pad():
    """A pad in the middle of a game, one entry of which was corrected; another is being filled in."""
    opened = begun("victory-rummy", ["Ann", "Bert", "Cleo"])
    entries = [
        {"id": "a1", "type": "victory", "player": "Ann", "color": "red"},
        {"id": "a2", "type": "capture", "player": "Bert"},
        {"id": "a3", "type": "victory", "player": "Cleo", "color": "blue"},
        {"id": "a4", "type": "void", "of": "a1"},
    ]
    told = posted(opened, "entries/", {"entries": entries, "who": "Ann"}, "play")
    assert [result["status"] for result in told["results"]] == ["stored"] * 4, told
    posted(opened, "names/", {"players": ["Ann", "Robert", "Cleo"]})
    return read(opened)


def chips():
    """A pad of chips: a hand, a draft that waits for its last part, a count of the chips, the next game."""
    opened = begun("thumbs-up", ["Ada", "Ben"])
    blocks = {"blocks": ["blue dot", "blue dash", "green dot", "red dash", "black v"]}
    hand = {"id": "h1", "type": "hand", "winner": "Ben", "losers": {"Ada": blocks}}
    told = posted(opened, "entries/", {"entries": [hand]}, "play")
    assert told["results"][0]["status"] == "stored", told
    posted(opened, "checks/", {"counted": {"Ada": 160, "Ben": 240}}, "play")
    posted(opened, "draft/", {"type": "hand", "put": [{"field": "winner", "value": "Ada"}]}, "play")
    return read(opened)


def begun(game, players):
    answer = sent(
        client().post("/pads/", {"game": game, "players": players}, content_type="application/json"), 201
    )
    links = answer.json()
    tokens = {role: links[role].rpartition("/")[2] for role in ("keep", "play", "watch")}
    return {"code": links["pad"].split("/")[2], **tokens}


def posted(opened, path, body, role="keep"):
    address, bearer = f"/pads/{opened['code']}/{path}", {"Authorization": f"Bearer {opened[role]}"}
    return sent(client().post(address, body, content_type="application/json", headers=bearer), 200).json()


def read(opened):
    """The pad's ways in, with the cookie that its link is traded for, and what its addresses answer."""
    phone = client()
    sent(phone.get(f"/pads/{opened['code']}/{opened['keep']}"), 302)
    name = f"pad-{opened['code']}"
    told = {path: digest(phone.get(f"/pads/{opened['code']}/{path}")) for path in PAD_PAGES}
    totals = phone.get(f"/pads/{opened['code']}/result.json").json()["totals"]
    return {**opened, "cookie": phone.cookies[name].value, "totals": totals, "answers": told}


def sent(answer, status):
    assert answer.status_code == status, (answer.status_code, answer.content[:3000])
    return answer


def digest(answer):
    return hashlib.sha256(b"".join(sent(answer, 200))).hexdigest()


def day(seconds):
    from datetime import UTC, datetime

    return datetime.fromtimestamp(seconds, UTC)


def code_of(secret, at=None):
    """The six figures that an app shows for this secret (RFC 6238), worked out without the site's code."""
    counter = struct.pack(">Q", int(at or time.time()) // 30)
    mac = hmac.new(base64.b32decode(secret), counter, hashlib.sha1).digest()
    (number,) = struct.unpack(">I", mac[mac[-1] & 15 :][:4])
    return f"{(number & 0x7FFFFFFF) % 1_000_000:06}"


if __name__ == "__main__":
    if sys.argv[1] == "--seed":
        print(json.dumps(seed(json.loads(Path(sys.argv[2]).read_text()))))
    else:
        main(Path(sys.argv[1]).resolve())

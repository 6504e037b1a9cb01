"""A site of the version before starts on this code with its data: rows, files and key as commit 7a871ff left
them. make_site_before.py made it, and tells how to make it again."""

import hashlib
import json
import lzma
import os
import re
import subprocess
import sys
import tarfile
from http.cookies import SimpleCookie
from urllib.parse import urlencode

import pytest

from tests.ops.make_site_before import ARCHIVE, BOOK, WAYS_IN, code_of
from tests.scorepad.live_server import ROOT, Server, free_port

TOLD = json.loads(WAYS_IN.read_text())
PADS = TOLD["pads"]
HOST = "127.0.0.1:8000"
"""Where the site was asked before: addresses in its answers begin with it."""

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" in os.environ, reason="the site before was on SQLite")


class OldSite(Server):
    """The site in a folder of its own, on its own SQLite."""

    @property
    def database(self):
        return None

    def manage(self, *words):
        command = [sys.executable, "manage.py", *words]
        return subprocess.run(
            command, cwd=ROOT, env=self.environment, check=True, capture_output=True, text=True
        ).stdout


@pytest.fixture(scope="module")
def backup(tmp_path_factory):
    file = tmp_path_factory.mktemp("before") / "site.tar"
    file.write_bytes(lzma.decompress(ARCHIVE.read_bytes()))
    return file


@pytest.fixture(scope="module")
def site(backup, tmp_path_factory):
    """The files where the version before had them; this version migrates and serves."""
    var = tmp_path_factory.mktemp("site") / "var"
    with tarfile.open(backup) as tar:
        tar.extractall(var, filter="data")
    (var / "database.sqlite3").rename(var / "db.sqlite3")
    # Static files unhashed: they are no part of the data, and collecting them takes long.
    site = OldSite(var, free_port(), settings="tests.security.running_site")
    site.prepare()
    yield site.start()
    site.kill()


class Visitor:
    """A browser that keeps its cookies, or a program with a token; it asks as people asked before."""

    def __init__(self, site, token=None, **cookies):
        self.site, self.cookies = site, dict(cookies)
        self.headers = {"Host": HOST, **({"Authorization": f"Bearer {token}"} if token else {})}

    def ask(self, method, path, body=None, **headers):
        cookies = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        connection = self.site.connect(30)
        connection.request(method, path, body, {**self.headers, "Cookie": cookies, **headers})
        answer = connection.getresponse()
        text = answer.read()
        connection.close()
        for words in answer.headers.get_all("Set-Cookie", []):
            self.cookies |= {name: one.value for name, one in SimpleCookie(words).items()}
        return answer.status, text

    def get(self, path):
        status, text = self.ask("GET", path)
        assert status == 200, (path, status, text[:500])
        return text

    def send_form(self, path, **fields):
        """Open the form, as a person does, and send it."""
        token = re.search(rb'name="csrfmiddlewaretoken" value="(\w+)"', self.get(path))[1].decode()
        body = urlencode({"csrfmiddlewaretoken": token, **fields})
        return self.ask("POST", path, body, **{"Content-Type": "application/x-www-form-urlencoded"})[0]


def digest(text):
    return hashlib.sha256(text).hexdigest()


@pytest.mark.parametrize("pad", PADS.values(), ids=PADS)
def test_a_pad_opens_by_cookie_and_by_token_and_answers_the_same_bytes(site, pad):
    phone = Visitor(site, **{f"pad-{pad['code']}": pad["cookie"]})
    for visitor in (phone, Visitor(site, pad["keep"])):
        told = {path: digest(visitor.get(f"/pads/{pad['code']}/{path}")) for path in pad["answers"]}
        assert told == pad["answers"]
    for page in ("", "table/", "history/", "after/", "print/"):
        assert phone.get(f"/pads/{pad['code']}/{page}")
    assert pad["code"] in phone.get("/").decode(), "among the pads of this phone"


@pytest.mark.parametrize("pad", PADS.values(), ids=PADS)
def test_a_link_is_traded_for_a_cookie_and_a_stranger_sees_nothing(site, pad):
    phone = Visitor(site)
    assert phone.ask("GET", f"/pads/{pad['code']}/result.json")[0] == 404
    assert phone.ask("GET", f"/pads/{pad['code']}/{pad['watch']}")[0] == 302
    assert json.loads(phone.get(f"/pads/{pad['code']}/result.json"))["totals"] == pad["totals"]


ANSWER_MORE = [path for path in TOLD["addresses"] if "/revisions/" not in path]
"""These say more than before: subjects, sources, the source text by its name, permanent addresses."""


def test_books_history_and_feeds_answer_the_same_bytes(site):
    visitor = Visitor(site)
    kept = {path: told for path, told in TOLD["addresses"].items() if path not in ANSWER_MORE}
    assert {path: digest(visitor.get(path)) for path in kept} == kept
    assert all(visitor.get(path) for path in ANSWER_MORE)
    for page in ("", "4/", "revisions/", "revisions/2/", "revisions/1-2/"):
        assert visitor.get(f"/books/{BOOK}/{page}")
    assert b"Fifty" in visitor.get(f"/books/{BOOK}/")
    assert b"capture" in visitor.get("/search/?q=capture").lower()


def test_a_published_scan_is_on_its_leaf(site):
    page = Visitor(site).get(f"/books/{BOOK}/4/").decode()
    image = re.search(rf"/images/({BOOK}-4-s\w+/\w+/full/\d+\.jpg)", page)[0]
    assert Visitor(site).get(image).startswith(b"\xff\xd8")


def test_a_device_that_was_signed_in_still_is(site):
    device = Visitor(site, sessionid=TOLD["session"])
    assert b"Conrad" in device.get("/people/me/")
    assert device.get(f"/books/{BOOK}/scans/1/") and device.get(f"/books/{BOOK}/4/mend/")


def test_people_sign_in_with_password_and_second_step(site):
    assert Visitor(site).send_form("/people/sign-in/", name="Kim", password=TOLD["password"]) == 422
    keeper = Visitor(site)
    code = code_of(TOLD["totp"])
    assert keeper.send_form("/people/sign-in/", name="Kim", password=TOLD["password"], code=code) == 302
    assert b"Conrad" in keeper.get("/people/")


def test_an_open_invitation_makes_an_account(site):
    guest = Visitor(site)
    path = f"/people/invitation/{TOLD['invitation']}"
    assert guest.send_form(path, name="Carla", password=TOLD["password"]) == 302
    assert b"Carla" in guest.get("/people/me/")


def test_play_goes_on_and_all_is_as_it_was_written(site):
    pad = PADS["playing"]
    entry = {"id": "b1", "type": "victory", "player": "Ann", "color": "red"}
    [result] = site.enter(pad, entry)
    assert (result["status"], result["number"]) == ("stored", 5)
    [known] = site.enter(pad, {"id": "a2", "type": "capture", "player": "Robert"})
    assert known["status"] == "known"
    assert "2 pads with 6 entries, 5 books: all is as it was written." in site.manage("verify")


def test_a_backup_of_the_version_before_is_whole_for_this_one(site, backup):
    assert "is whole" in site.manage("restore", "--check", str(backup))


def test_books_that_curators_have_edited_are_kept_by_the_next_start(site):
    assert f"{BOOK}: kept as curators have edited it" in site.manage("load_books", "--keep-edited")

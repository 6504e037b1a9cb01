"""The cast of every pad test: a keeper, a player, a watcher and a stranger, each with a phone."""

import itertools
import json
from contextlib import contextmanager
from dataclasses import dataclass

import pytest
from django.db import connection
from django.test import Client
from django.utils import timezone

from scorepad import new_pads
from scorepad.ledger import cache
from scorepad.models import Pad

NAMES = ["Ann", "Bert", "Cleo"]


@dataclass
class Phone:
    """A phone that speaks JSON and shows its token in the header."""

    token: str | None
    code: str = ""

    def __post_init__(self):
        self.client = Client(enforce_csrf_checks=True)
        self.headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}

    def address(self, path):
        return path if path.startswith("/") else f"/pads/{self.code}/{path}"

    def get(self, path, **headers):
        return self.client.get(self.address(path), headers={**self.headers, **headers})

    def post(self, path, body=None):
        text = body if isinstance(body, str | bytes) else json.dumps({} if body is None else body)
        return self.client.post(
            self.address(path), text, content_type="application/json", headers=self.headers
        )

    def enter(self, *entries, **more):
        answer = self.post("entries/", {"entries": list(entries), **more})
        assert answer.status_code == 200, answer.content
        return answer.json()["results"]

    def result(self):
        return self.get("result.json").json()


@dataclass
class Table:
    """One pad with everyone who has come to it."""

    code: str
    keeper: Phone
    player: Phone
    watcher: Phone
    stranger: Phone

    @property
    def pad(self):
        return Pad.objects.get(code=self.code)


def sit_down(**wish):
    """A table as its address makes it, but without its rate limits, which take longer than the pad itself."""
    return seated(new_pads.create({"game": "victory-rummy", "players": NAMES, **wish}).as_dict())


def seated(opened):
    code = opened["pad"].split("/")[2]
    phones = {role: Phone(opened[role].rsplit("/", 1)[-1], code) for role in ("keep", "play", "watch")}
    return Table(code, phones["keep"], phones["play"], phones["watch"], Phone(None, code))


@pytest.fixture(autouse=True)
def _nothing_remembered():
    """Each test begins as a fresh process does."""
    cache.clear()


@pytest.fixture
def table(db):
    return sit_down()


def victory(name, player="Ann", color="red"):
    return {"id": name, "type": "victory", "player": player, "color": color}


def axis(name, player="Ann", cards=0):
    return {"id": name, "type": "axis", "player": player, "cards": cards}


def capture(name, player="Ann"):
    return {"id": name, "type": "capture", "player": player}


def browser_of(phone):
    """The same holder in a browser: the link traded for its cookie, forms guarded."""
    client = Client(enforce_csrf_checks=True)
    answer = client.get(f"/pads/{phone.code}/{phone.token}")
    assert answer.status_code == 302
    return client


@pytest.fixture
def committed(transactional_db):
    """Real commits, for tests with threads. Afterwards the database lets all entries go."""
    yield
    Pad.objects.update(removed_at=timezone.now())


@contextmanager
def before_question(number, act):
    """Somebody does this right before the database is asked this question."""
    asked = itertools.count(1)

    def ask(execute, *question):
        if next(asked) == number:
            act()
        return execute(*question)

    with connection.execute_wrapper(ask):
        yield asked

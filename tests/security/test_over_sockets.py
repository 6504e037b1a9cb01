"""Every role × every address × every method, asked of the running product over sockets.

At a pad: watch, play, keep, nobody, another pad's keeper, a revoked link; with the token in the header, and
with the cookie a link was traded for. At a club the same, but a player of its pads is a stranger. Elsewhere:
readers, contributors, curators, keepers. Nothing is undone here: each address of a pad that is written to has
pads of its own, and who may least comes first.
"""

import json
import subprocess
import sys
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPMessage
from urllib.parse import urlencode

import pytest

from tests.scorepad.live_server import ROOT, Server, free_port
from tests.security.addresses import ANYONE, ARCHIVE, BEGINNING, CLUBS, KEEP, KEEPER, METHODS, PADS
from tests.security.conftest import ACCOUNTS, CLUB_ROLES, ROLES, ask
from tests.security.test_headers import faults

CARRIED = ("headers", "cookies")
PLAIN = METHODS[:3]
LEAST_FIRST = sorted(ROLES, key=ROLES.__getitem__)
# Whoever signs out is a stranger at every address after it.
ELSEWHERE = dict(sorted({**BEGINNING, **ARCHIVE}.items(), key=lambda item: item[0] == "people/sign-out/"))
DONE_AT_A_PAD = {200, 201, 202, 302, 409, 422}
DONE = {200, 201, 202, 204, 302, 303, 400, 404, 409, 422}
"""400 and 404 only where the row's example names what is not there; a test sees that it is there."""
FOREIGN_SITE = "https://elsewhere.example"
FOREIGN = {
    "no token": {"X-CSRFToken": ""},
    "a wrong token": {"X-CSRFToken": "b" * 32},
    "another origin": {"Origin": FOREIGN_SITE},
    "no origin": {"Origin": "null"},
    "a name like ours": {"Origin": "http://127.0.0.1.elsewhere.example"},
}


@dataclass(frozen=True)
class Answer:
    status_code: int
    headers: HTTPMessage
    content: bytes


@dataclass
class Visitor:
    """Speaks to the site as Django's test client does, but over a socket."""

    connection: HTTPConnection
    cookies: dict

    def generic(self, method, path, body=None, headers=None):
        shown = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        self.connection.request(method, path, body, {"Cookie": shown, **headers})
        answer = self.connection.getresponse()
        return Answer(answer.status, answer.headers, answer.read())

    def post(self, path, sent, content_type="application/x-www-form-urlencoded", headers=None):
        body = sent if isinstance(sent, str) else urlencode(sent)
        return self.generic("POST", path, body, {**headers, "Content-Type": content_type})


@dataclass
class Running:
    server: Server
    pads: dict
    elsewhere: dict
    places: dict
    accounts: dict
    halls: list
    clubs: list

    def visitor(self, **cookies):
        return Visitor(self.server.connect(30), {"csrftoken": "a" * 32, **cookies})


@dataclass
class Verdict:
    """Who got too much or too little, where a foreign form was heard, and which answers were lax."""

    roles: set = field(default_factory=set)
    forms: set = field(default_factory=set)
    lax: set = field(default_factory=set)


def run(var, pads, elsewhere, **environment):
    server = Server(var, free_port(), "tests.security.running_site", more=environment)
    server.prepare()
    count = len(CARRIED) * (1 + sum(row.post is not None for row in pads.values()))
    command = [sys.executable, "-m", "tests.security.seed_data", str(count)]
    seeded = subprocess.run(
        command, cwd=ROOT, env=server.environment, capture_output=True, text=True, check=True
    )
    return Running(server.start(), pads, elsewhere, **json.loads(seeded.stdout))


@pytest.fixture
def running(tmp_path):
    site = run(tmp_path, PADS, ELSEWHERE)
    yield site
    site.server.kill()


@pytest.fixture
def careless(tmp_path):
    """The control. The addresses that are a keeper's alone are enough for it."""
    few = [
        {route: row for route, row in table.items() if row.post == least}
        for table, least in ((PADS, KEEP), (ELSEWHERE, KEEPER))
    ]
    site = run(tmp_path, *few, CARELESS="1")
    yield site
    site.server.kill()


def expected(row, method, rank):
    """The statuses that are right for this rank at a pad or a club."""
    least = row.methods.get(method)
    if least is None:
        # Whether there is a pad at all may come first.
        return {405} if rank >= 0 else {404, 405}
    if least == ANYONE:
        return DONE_AT_A_PAD
    if rank < 0:
        return {404}
    return DONE_AT_A_PAD if rank >= ROLES[least] else {403}


def judge_pads(running):
    verdict, halls = Verdict(), iter(running.halls)
    for carried in CARRIED:
        only_read = next(halls)
        for route, row in running.pads.items():
            hall = only_read if row.post is None else next(halls)
            for role in LEAST_FIRST:
                judge_by_link(verdict, running, route, row, hall, role, ROLES[role], carried)
    return verdict


def judge_clubs(running):
    """One club for each way is enough: nothing that is tried ends a link, and deleting it comes last."""
    verdict = Verdict()
    for carried, hall in zip(CARRIED, running.clubs, strict=True):
        for route, row in CLUBS.items():
            for role in sorted(CLUB_ROLES, key=CLUB_ROLES.__getitem__):
                judge_by_link(verdict, running, route, row, hall, role, CLUB_ROLES[role], carried)
    return verdict


def judge_by_link(verdict, running, route, row, hall, role, rank, carried):
    path, shown = row.example.format(**hall["places"]), hall["roles"][role]
    # Forms and pages ask for the page's own token before they look at anything else.
    visitor = running.visitor(**(shown["cookies"] if carried == "cookies" else {}))
    headers = shown["headers"] if carried == "headers" else {}
    # Of those whom it would use a foreign form takes the mightiest.
    if carried == "cookies" and row.post is not None and role == "keep":
        for kind, foreign in FOREIGN.items():
            if ask(visitor, "POST", path, row, foreign).status_code != 403:
                verdict.forms.add(f"{route} as {role} with {kind}")
    # What is left comes first, for the last of the plain ones may delete the pad.
    for method in (*METHODS[3:], *PLAIN) if role in ("keep", "none") else PLAIN:
        answer = ask(visitor, method, path, row, headers)
        if answer.status_code not in expected(row, method, rank):
            verdict.roles.add(f"{method} {route} as {role}: {answer.status_code}")
        if rank < 0 and b"Bert" in answer.content:
            verdict.roles.add(f"{method} {route} tells {role} who plays")
        verdict.lax |= {f"{method} {route}: {fault}" for fault in faults(answer.headers)}


def is_right(answer, row, role, method):
    """Whether this is right for this role elsewhere."""
    least = row.methods.get(method)
    if least is None:
        refused = answer.status_code in (405, row.refuses)
        return refused or (ACCOUNTS[role] < 2 and answer.status_code in (302, 403))
    if least == ANYONE or ACCOUNTS[role] >= ACCOUNTS[least]:
        return answer.status_code in DONE and not asks_to_sign_in(answer)
    if role == "reader" and method in ("GET", "HEAD"):
        return asks_to_sign_in(answer)
    return answer.status_code == 403


def asks_to_sign_in(answer):
    return answer.headers.get("Location", "").startswith("/people/sign-in/?next=")


def judge_accounts(running):
    verdict = Verdict()
    for role in ACCOUNTS:
        visitor = running.visitor(**running.accounts[role])
        for route, row in running.elsewhere.items():
            judge_as_an_account(verdict, visitor, route, row, row.example.format(**running.places), role)
    return verdict


def takes_json_from_anyone(route, row):
    """These make something new out of JSON, or only ask; there is nothing a cookie could authorise."""
    return row.asks or (route in BEGINNING and row.body is not None)


def judge_as_an_account(verdict, visitor, route, row, path, role):
    if role in ("contributor", "curator") and row.get == ANYONE and row.post is None:
        # What is open to readers is tried as a reader and as a keeper; those between come as far.
        return
    if role == "keeper" and row.post is not None and not takes_json_from_anyone(route, row):
        for kind, foreign in FOREIGN.items():
            if ask(visitor, "POST", path, row, foreign).status_code != 403:
                verdict.forms.add(f"{route} as {role} with {kind}")
    for method in ("PUT", "PATCH", "DELETE", "GET", "POST") if role == "keeper" else ("GET", "POST"):
        answer = ask(visitor, method, path, row)
        if not is_right(answer, row, role, method):
            verdict.roles.add(f"{method} {route} as {role}: {answer.status_code}")
        verdict.lax |= {f"{method} {route}: {fault}" for fault in faults(answer.headers)}


def test_each_gets_exactly_where_he_may_no_foreign_form_is_heard_and_no_answer_is_lax(running):
    assert judge_pads(running) == Verdict()
    assert judge_clubs(running) == Verdict()
    assert judge_accounts(running) == Verdict()


def test_a_careless_site_is_found_out(careless):
    """Lesser roles, foreign forms and lax answers are each noticed."""
    for judge, role in ((judge_pads, "watch"), (judge_accounts, "contributor")):
        verdict = judge(careless)
        assert any(f"as {role}" in one for one in verdict.roles) and verdict.forms and verdict.lax

"""/openapi.json says what is true: the running product is asked whatever it allows, and what it does not."""

import itertools
import json
import os
import re
import subprocess
import sys

import hypothesis
import jsonschema
import pytest
import schemathesis
from hypothesis import HealthCheck, Phase
from schemathesis.checks import not_a_server_error
from schemathesis.core.failures import FailureGroup
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from config.openapi.views import description
from scorepad.urls import programs
from tests.scorepad.live_server import ROOT, Server, free_port
from tests.security.addresses import routes

SOAK = bool(os.environ.get("SOAK"))
CASES = int(os.environ.get("CASES") or (10_000 if SOAK else 100))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
NOT_JSON = {"pads/<slug:code>/next/"}
BY_A_STANDARD = ("iiif/", "openapi.json")
"""IIIF describes its own documents, and the description need not describe itself."""


def told_routes(paths):
    """The described paths as the resolver writes them."""
    written = {"code": "slug:code", "slug": "slug:slug", "game": "slug:game"}
    return {re.sub(r"{(\w+)}", lambda name: f"<{written[name[1]]}>", path.lstrip("/")) for path in paths}


def json_routes():
    """Every address that answers JSON to programs: all the pads' own, and whatever else ends like it."""
    pads = {str(one.pattern) for one in programs} - NOT_JSON
    named = {route for route in routes() if route.endswith(".json") and not route.startswith(BY_A_STANDARD)}
    return {route for route in pads | named if route and not route.startswith("^")} | {"health", "ready"}


def test_every_json_address_is_described_and_no_other():
    assert told_routes(description()["paths"]) == json_routes()


@pytest.mark.parametrize(
    "path", ["/books/{slug}/book.json", "/variants/of/{game}.json", "/pads/{code}/seat/"]
)
def test_an_address_left_out_of_the_description_is_missed(path):
    paths = dict(description()["paths"])
    del paths[path]
    [missed] = json_routes() - told_routes(paths)
    assert missed.split("<")[0] == path.lstrip("/").split("{")[0]


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("described"), free_port())
    free = (
        "PADS_MADE_PER_MINUTE_MOST",
        "PADS_MADE_PER_ADDRESS_MOST",
        "PADS_MADE_IN_ALL_MOST",
        "TOKEN_GUESSES_PER_ADDRESS_MOST",
    )
    # Short codes stay limited, so that their 429 is asked for too.
    server.more = {**dict.fromkeys(free, "1000000"), "JOIN_GUESSES_PER_ADDRESS_MOST": "5"}
    (server.var / "images").mkdir()
    server.prepare()
    for command in (["load_books"], ["collectstatic", "--noinput"]):
        words = [sys.executable, "manage.py", *command]
        subprocess.run(words, cwd=ROOT, env=server.environment, check=True, stdout=subprocess.DEVNULL)
    server.start()
    yield server
    server.kill()


class Shelf:
    """Names of books, variants and games that are there, each third one as it was made up."""

    def __init__(self, server):
        games = ["victory-rummy", "thumbs-up", "rap-rummy", "rummy-1916", "rummy-1926", "victor-or-victim"]
        books = sorted(folder.name for folder in (ROOT / "fixtures/books").iterdir() if folder.is_dir())
        of = [server.call("GET", f"/variants/of/{game}.json")[1]["variants"] for game in games]
        variants = [variant["slug"] for told in of for variant in told]
        assert len(books) >= 5 and len(variants) > 10
        self.names = {"books": itertools.cycle(books), "of": itertools.cycle(games)}
        self.names["variants"] = itertools.cycle(variants)
        self.turns = itertools.count()

    def put(self, case):
        parts = case.operation.path.split("/")
        kind = "of" if "of" in parts else parts[1]
        if kind in self.names and next(self.turns) % 3:
            [name] = case.path_parameters
            case.path_parameters = {name: next(self.names[kind])}


class Tables:
    """Pads to ask about, of all games; one that was deleted or locked up is replaced."""

    GAMES = itertools.cycle(
        ["victory-rummy", "thumbs-up", "rap-rummy", "rummy-1916", "rummy-1926", "victor-or-victim"]
    )
    ROLES = itertools.cycle(["keep", "keep", "play", "watch", "keep", "none"])

    def __init__(self, server):
        self.server, self.pad, self.uses = server, None, 0

    def played(self, game):
        """A pad with a log: a golden sheet of this game, brought in."""
        cases = json.loads((ROOT / f"fixtures/sheets/{game}.json").read_text())
        sheet = next(case["sheet"] for case in cases if "error" not in case and case["sheet"]["entries"])
        status, opened = self.server.call("POST", "/pads/import/", sheet)
        assert status == 201, opened
        return {role: address.split("/")[3] for role, address in opened.items()} | {
            "code": opened["pad"].split("/")[2]
        }

    def headers(self, case):
        """Put a real pad into the case, and give the headers of somebody who holds a link to it."""
        role = next(self.ROLES)
        if "code" not in case.operation.path:
            return {}
        if self.pad is None or self.uses > 25:
            self.pad, self.uses = self.played(next(self.GAMES)), 0
        self.uses += 1
        case.path_parameters = {"code": self.pad["code"]}
        token = self.pad.get(role)
        if "clubs" in case.operation.path:
            return self.club_headers(case, role)
        if "evenings" in case.operation.path:
            status, next_pad = self.server.call(
                "POST", f"/pads/{self.pad['code']}/rematch/", {}, self.pad["keep"]
            )
            if status == 201:
                case.path_parameters = {"code": next_pad["evening"].split("/")[2]}
        return {"Authorization": f"Bearer {token}"} if token else {}

    def club_headers(self, case, role):
        """Put a club of the pad into the case instead; each pad makes one."""
        if "club" not in self.pad:
            _, made = self.server.call("POST", f"/pads/{self.pad['code']}/club/", {}, self.pad["keep"])
            self.pad["club"] = made["club"].split("/")[2]
            self.pad["club keep"], self.pad["club watch"] = (
                made[role].rsplit("/", 1)[-1] for role in ("keep", "watch")
            )
        case.path_parameters = {"code": self.pad["club"]}
        token = self.pad.get(f"club {role}")
        return {"Authorization": f"Bearer {token}"} if token else {}

    def note(self, case):
        if case.operation.path.endswith(("/links/", "/delete/", "/stop/")):
            self.pad = None


def asking(operation, mode, most, seed, ask):
    """Ask up to `most` cases that this operation allows, or does not allow."""

    @hypothesis.seed(seed)
    @hypothesis.settings(
        max_examples=most,
        phases=[Phase.generate],
        deadline=None,
        database=None,
        suppress_health_check=list(HealthCheck),
    )
    @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
    def each(case):
        ask(case)

    each()


def test_the_running_product_answers_as_described(server):
    schema = schemathesis.openapi.from_dict(description())
    schema.config.update(base_url=f"http://127.0.0.1:{server.port}")
    operations = [found.ok() for found in schema.get_all_operations()]
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    wanted = [
        (operation, mode)
        for operation, mode in itertools.product(operations, modes)
        if mode is modes[0] or operation.body or operation.query
    ]
    tables, shelf, answers = Tables(server), Shelf(server), []

    def ask(case):
        shelf.put(case)
        headers = tables.headers(case)
        answer = case.call(headers=headers)
        tables.note(case)
        answers.append((case.operation.path, answer.status_code))
        case.validate_response(answer, checks=CHECKS, headers=headers)

    # Some addresses can be asked in a few ways only; the rest is then asked of all of them again.
    for seed in itertools.count(1942):
        many = -(-(CASES - len(answers)) // len(wanted))
        for operation, mode in wanted:
            asking(operation, mode, many, seed, ask)
        if len(answers) >= CASES:
            break
    assert len(answers) >= CASES
    assert {path for path, _ in answers} == set(description()["paths"])
    for path in ("/books/{slug}/book.json", "/variants/{slug}/variant.json"):
        assert {(path, 200), (path, 404)} <= set(answers)
    print(f"{len(answers)} cases, none refused with 5xx, nothing undocumented")


def test_the_check_notices_what_is_not_described(server):
    """The control: without one of its statuses, the same description fails."""
    lean = schemathesis.openapi.from_dict(
        {
            **description(),
            "paths": {
                "/pads/": {
                    "post": {
                        **description()["paths"]["/pads/"]["post"],
                        "responses": {"201": {"description": "made"}},
                    }
                }
            },
        }
    )
    lean.config.update(base_url=f"http://127.0.0.1:{server.port}")
    case = lean["/pads/"]["POST"].Case(body={"game": "chess", "players": []}, media_type="application/json")
    answer = case.call()
    assert answer.status_code == 422
    with pytest.raises(FailureGroup) as told:
        case.validate_response(answer, checks=CHECKS)
    assert "Undocumented status code" in str(told.value.exceptions[0])


def checked(name, shown):
    """Hold this against one of the description's schemas."""
    words = {"$ref": f"#/components/schemas/{name}", "components": description()["components"]}
    jsonschema.validate(shown, words, cls=jsonschema.Draft202012Validator)


def test_a_book_with_pages_is_as_described_and_more_or_less_is_not(house):
    shown = house.account("reader").get("/books/victory-rummy-1942/book.json").json()
    assert any("image" in leaf for leaf in shown["leaves"])
    checked("Book", shown)
    with pytest.raises(jsonschema.ValidationError, match="surprise"):
        checked("Book", shown | {"surprise": 1})
    del shown["leaves"][0]["image"]["service"]
    with pytest.raises(jsonschema.ValidationError, match="service"):
        checked("Book", shown)

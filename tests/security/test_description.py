"""/openapi.json says what is true: the running product is asked whatever it allows, and what it does not."""

import itertools
import os

import hypothesis
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

from config.description import description
from scorepad.urls import urlpatterns
from tests.scorepad.conftest import victory
from tests.scorepad.serving import Server, free_port

SOAK = bool(os.environ.get("SOAK"))
CASES = int(os.environ.get("CASES") or (10_000 if SOAK else 160))
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
NOT_JSON = {"pads/<slug:code>/next/"}


def test_every_json_address_of_the_pads_is_described_and_no_other():
    routes = {str(one.pattern) for one in urlpatterns if hasattr(one, "callback")} - NOT_JSON
    told = {path.lstrip("/").replace("{code}", "<slug:code>") for path in description()["paths"]}
    assert {route for route in routes if route and not route.startswith("^")} == told - {"health", "ready"}


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    server = Server(tmp_path_factory.mktemp("described"), free_port())
    free = ("PADS_MADE_PER_ADDRESS_MOST", "PADS_MADE_IN_ALL_MOST", "TOKEN_GUESSES_PER_ADDRESS_MOST")
    # Short codes stay limited, so that their 429 is asked for too.
    server.more = {**dict.fromkeys(free, "1000000"), "JOIN_GUESSES_PER_ADDRESS_MOST": "5"}
    (server.var / "images").mkdir()
    server.prepare()
    server.start()
    yield server
    server.kill()


class Tables:
    """Pads to ask about, of all games; one that was deleted or locked up is replaced."""

    GAMES = itertools.cycle(["victory-rummy", "thumbs-up", "rap-rummy", "rummy-1916", "victor-or-victim"])
    ROLES = itertools.cycle(["keep", "keep", "play", "watch", "keep", "none"])

    def __init__(self, server):
        self.server, self.pad, self.uses = server, None, 0

    def headers(self, case):
        """Put a real pad into the case, and give the headers of somebody who holds a link to it."""
        role = next(self.ROLES)
        if "code" not in case.operation.path:
            return {}
        if self.pad is None or self.uses > 25:
            self.pad, self.uses = self.server.make_pad(game=next(self.GAMES)), 0
            status, _ = self.server.call(
                "POST", f"/pads/{self.pad['code']}/entries/", {"entries": [victory("a1")]}, self.pad["play"]
            )
            assert status == 200
        self.uses += 1
        case.path_parameters = {"code": self.pad["code"]}
        token = self.pad.get(role)
        if "evenings" in case.operation.path:
            status, next_pad = self.server.call(
                "POST", f"/pads/{self.pad['code']}/rematch/", {}, self.pad["keep"]
            )
            if status == 201:
                case.path_parameters = {"code": next_pad["evening"].split("/")[2]}
        return {"Authorization": f"Bearer {token}"} if token else {}

    def note(self, case):
        if case.operation.path.endswith(("/links/", "/delete/", "/stop/")):
            self.pad = None


def test_the_running_product_answers_as_described(server):
    schema = schemathesis.openapi.from_dict(description())
    schema.config.update(base_url=f"http://127.0.0.1:{server.port}")
    operations = [found.ok() for found in schema.get_all_operations()]
    modes = [schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE]
    tables, asked = Tables(server), 0
    many = -(-CASES // (len(operations) * len(modes)))
    for operation, mode in itertools.product(operations, modes):
        if mode is modes[1] and not (operation.body or operation.query):
            continue

        @hypothesis.seed(1942)
        @hypothesis.settings(
            max_examples=many * (2 if not operation.body else 1),
            phases=[Phase.generate],
            deadline=None,
            database=None,
            suppress_health_check=list(HealthCheck),
        )
        @hypothesis.given(case=operation.as_strategy(generation_mode=mode))
        def ask(case):
            nonlocal asked
            headers = tables.headers(case)
            answer = case.call(headers=headers)
            tables.note(case)
            asked += 1
            case.validate_response(answer, checks=CHECKS, headers=headers)

        ask()
    assert asked >= CASES * 0.9, asked
    print(f"{asked} cases, none refused with 5xx, nothing undocumented")


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

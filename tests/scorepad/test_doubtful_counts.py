"""A count that no hand can come to is asked about on the pad, and stored only when it is said again."""

import json

import pytest

from tests.scorepad.conftest import browser_of, sit_down
from tests.scorepad.test_twins import Script, head, refusal

pytestmark = pytest.mark.django_db
TWO = ["Ann", "Bert"]


def asked_of(game, count, players=TWO):
    script = Script(sit_down(game=game, players=players))
    opens = "winner" if game.startswith("rummy") else "rapper"
    script.put([opens], players[0])
    return script, script.put(["hands", players[1], "count"], count)


@pytest.mark.parametrize(
    ("game", "players", "most"),
    [
        ("rummy-1926", TWO, 84),
        ("rummy-1926", [*TWO, "Cleo"], 64),
        ("rap-rummy", TWO, 83),
        ("rap-rummy", [*TWO, "Cleo"], 68),
    ],
)
def test_the_highest_count_is_taken_and_one_more_is_asked_about(game, players, most):
    assert asked_of(game, most, players)[1].status_code == 200
    asked = refusal(asked_of(game, most + 1, players)[1])
    assert asked["code"] == "doubtful"
    assert asked["message"].startswith(f"No hand can come to {most + 1}. ")
    assert asked["message"].endswith(f" {most}.")


def test_a_pack_that_is_not_described_raises_no_doubt():
    assert asked_of("rummy-1916", 200)[1].status_code == 200


def test_said_again_it_is_stored():
    script, answer = asked_of("rummy-1926", 85)
    ask = refusal(answer)["ask"]
    assert (ask["keep"], ask["change"]) == ("Count again", "Enter 85 all the same")
    assert b'"count": 85' not in script.client.get(f"{script.pad}draft.json").content
    assert script.post(part=ask["instead"]["body"]).status_code == 200
    assert script.client.get(f"{script.pad}result.json").json()["totals"] == {"Ann": 0, "Bert": 85}


def test_a_program_is_not_asked():
    table = sit_down(game="rummy-1926", players=TWO)
    table.player.enter({"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 200}}})
    assert head(table) == 1


def test_without_a_script_the_page_asks_and_takes_the_answer():
    table = sit_down(game="rummy-1926", players=TWO)
    client = browser_of(table.player)
    address = f"/pads/{table.code}/"
    token = client.get(address).context["csrf_token"]

    def tap(**sent):
        fields = {name: json.dumps(value) for name, value in sent.items()}
        return client.post(f"{address}tap/", {"csrfmiddlewaretoken": str(token), **fields})

    tap(part={"at": ["winner"], "put": "Ann"})
    page = tap(part={"at": ["hands", "Bert", "count"], "put": 99})
    assert page.status_code == 422
    assert "The 8 highest cards" in page.content.decode()
    assert (page.context["entered_as"], json.loads(page.context["entered"])["meant"]) == ("part", True)
    assert tap(part=json.loads(page.context["entered"])).status_code == 302
    assert head(table) == 1


def test_the_correction_page_says_it_before_it_is_stored():
    table = sit_down(game="rummy-1926", players=TWO)
    table.player.enter({"id": "one", "type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 9}}})
    client = browser_of(table.player)
    address = f"/pads/{table.code}/correct/one/"
    token = client.get(address).context["csrf_token"]
    part = json.dumps({"at": ["hands", "Bert", "count"], "put": 99})
    page = client.post(address, {"csrfmiddlewaretoken": str(token), "part": part}).content.decode()
    assert "No hand can come to 99." in page
    assert "Store the correction" in page

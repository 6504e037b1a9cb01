"""POST /pads/"""

import pytest

import engine
from scorepad.models import Link, Pad
from tests.scorepad.conftest import NAMES, Phone, sit_down

pytestmark = pytest.mark.django_db


def make(**wish):
    return Phone(None).post("/pads/", wish)


def test_a_pad_is_made_with_its_three_links():
    answer = make(game="victory-rummy", players=NAMES)
    shown = answer.json()
    assert answer.status_code == 201
    assert answer.headers["Location"] == shown["pad"]
    assert all(shown[role].startswith(shown["pad"]) for role in ("keep", "play", "watch"))
    assert len({shown[role] for role in ("keep", "play", "watch")}) == 3


def test_making_a_pad_needs_no_cookie_and_leaves_none():
    assert not make(game="victory-rummy", players=NAMES).cookies


def test_the_options_are_stored_in_full_with_the_engines_version():
    table = sit_down(options={"target": 300})
    assert table.pad.options == {
        "target": 300,
        "bonus_order": "first-of-each",
        "grand_victory_clears": "everyone",
        "finish": "at-once",
    }
    assert table.pad.engine == engine.__version__


def test_the_dealer_is_kept_as_a_seat():
    assert sit_down(dealer="Cleo").pad.dealer == 2
    assert sit_down().pad.dealer == 0


def test_tokens_are_long_and_kept_only_as_hashes():
    table = sit_down()
    stored = " ".join(str(value) for row in Link.objects.values() for value in row.values())
    for phone in (table.keeper, table.player, table.watcher):
        assert len(phone.token) * 6 >= 128
        assert phone.token not in stored


@pytest.mark.parametrize(
    ("wish", "code"),
    [({}, "unknown-game"), ({"game": "chess"}, "unknown-game"), ({"game": "victory-rummy"}, "bad-players"),
     ({"game": "victory-rummy", "players": ["Ann"]}, "bad-players"),
     ({"game": "victory-rummy", "players": ["Ann", "ann"]}, "bad-players"),
     ({"game": "victory-rummy", "players": NAMES, "dealer": "Zoe"}, "unknown-player"),
     ({"game": "victory-rummy", "players": NAMES, "options": {"nose": 1}}, "unknown-option"),
     ({"game": "victory-rummy", "players": NAMES, "options": {"target": 5}}, "bad-option"),
     ({"game": "victory-rummy", "players": NAMES, "options": []}, "bad-option"),
     ({"game": "victory-rummy", "players": NAMES, "entries": []}, "bad-sheet"),
     ({"game": "victory-rummy", "players": NAMES, "variant": "no-such-variant"}, "unknown-variant"),
     ({"game": "victory-rummy", "players": NAMES, "variant": {"a": 1}}, "unknown-variant"),
     ({"game": "victory-rummy", "players": NAMES, "settings": {"a": "x" * 9000}}, "bad-settings"),
     ({"game": "victory-rummy", "players": NAMES, "settings": 3}, "bad-settings"),
     ({"game": "victory-rummy", "players": NAMES, "title": "x" * 3000}, "bad-sheet")],
)  # fmt: skip
def test_a_pad_that_cannot_be_played_is_refused_and_not_stored(wish, code):
    answer = make(**wish)
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, code)
    assert not Pad.objects.exists()


def test_options_override_the_variants(monkeypatch):
    variant = {"game": "victory-rummy", "options": {"target": 200, "finish": "end-of-deal"}}
    _publish(monkeypatch, variant)
    table = sit_down(variant="house-rules", options={"target": 300})
    assert (table.pad.options["target"], table.pad.options["finish"]) == (300, "end-of-deal")
    assert table.pad.variant == "house-rules"


def test_a_variant_of_another_game_is_refused(monkeypatch):
    _publish(monkeypatch, {"game": "rap-rummy", "options": {}})
    answer = make(game="victory-rummy", players=NAMES, variant="house-rules")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "unknown-variant")


def test_a_variant_may_bring_settings_of_the_pad(monkeypatch):
    _publish(
        monkeypatch, {"game": "thumbs-up", "options": {"stake": 300}, "settings": {"chips": [5, 10, 25]}}
    )
    assert sit_down(game="thumbs-up", variant="house-rules").pad.settings == {"chips": [5, 10, 25]}


def _publish(monkeypatch, variant):
    def published(slug):
        assert slug == "house-rules"
        return variant

    monkeypatch.setattr("archive.lookup.variant", published)


@pytest.mark.parametrize("game", engine.GAMES)
def test_every_game_can_be_begun(game):
    seats = engine.GAMES[game].seats[1]
    names = [f"Player {number}" for number in range(seats)]
    table = sit_down(game=game, players=names)
    assert table.watcher.result()["players"] == names
    assert table.watcher.result()["head"] == 0


def test_a_variant_of_the_real_archive_is_found_at_its_address():
    from django.utils import timezone

    from archive.models import Book, Variant

    book = Book.objects.create(slug="a-book", published=timezone.now())
    Variant.objects.create(
        book=book,
        order=1,
        slug="club-rules",
        game="thumbs-up",
        options={"stake": 300},
        pad={"chips": [5, 10, 25]},
    )
    table = sit_down(game="thumbs-up", variant="club-rules")
    assert (table.pad.options["stake"], table.pad.settings) == (300, {"chips": [5, 10, 25]})

"""The result as a picture: for those who may watch, drawn once, and readable whatever the names are."""

from io import BytesIO

import pytest
from PIL import Image

import engine
from scorepad.layouts import PadState
from scorepad.result_pictures import card_cache, typefaces
from scorepad.result_pictures.result_card import SHAPES, Words, result_card, shapes

pytestmark = pytest.mark.django_db
NAMES = [
    "Ann",
    "Łukasz",
    "Наталья",
    "Maximiliane-Henriette von Hohenstein",
    "محمد",
    "田中",
    "Nguyễn",
    "W" * 40,
]


def hand_of_eight():
    losers = {name: {"points": 15} for name in NAMES[1:]}
    hand = {"type": "hand", "winner": "Ann", "losers": losers}
    options = {"sets": 2, "hands": 1, "stake": 300}
    sheet = {"tally": 1, "game": "thumbs-up", "players": NAMES, "options": options, "entries": [hand]}
    return PadState(engine.replay(sheet), may_write=False, settings={})


def test_both_shapes_are_pngs_of_their_size_for_all_who_may_watch(table):
    table.player.enter({"type": "capture", "player": "Bert"})
    for shape, size in SHAPES.items():
        answer = table.watcher.get(f"result-{shape}.png")
        assert answer.headers["Content-Type"] == "image/png"
        assert Image.open(BytesIO(answer.content)).size == size
        assert table.stranger.get(f"result-{shape}.png").status_code == 404
    assert table.watcher.get("result-round.png").status_code == 404


def test_a_picture_is_drawn_once_for_each_entry(table, monkeypatch):
    drawn = []
    monkeypatch.setattr(card_cache, "draw_png", lambda card, shape: drawn.append(card) or b"png")
    for _ in range(3):
        table.watcher.get("result-wide.png")
    assert len(drawn) == 1
    table.player.enter({"type": "capture", "player": "Bert"})
    table.watcher.get("result-wide.png")
    assert [card.places[0].figure for card in drawn] == ["0", "50"]


def test_drawing_is_paid_for_by_the_address(table, settings):
    settings.REPLAY_SECONDS_PER_ADDRESS_MOST = 0
    settings.REPLAY_PERCENT_PER_ADDRESS_MOST = 1
    answers = [table.watcher.get(f"result-{shape}.png") for shape in ("wide", "square", "wide")]
    assert answers[-1].status_code == 429
    assert "pictures" in answers[-1].content.decode()


def test_names_our_fonts_cannot_write_are_told_by_their_seat():
    card = result_card(hand_of_eight(), typefaces)
    assert {place.name for place in card.places} == {*NAMES[:4], "Seat 5", "Seat 6", *NAMES[6:]}
    assert (card.heading, card.places[0].has_won) == ("Ann wins.", True)


@pytest.mark.parametrize("shape", SHAPES)
def test_no_name_and_no_number_leaves_the_picture_or_runs_into_another(shape):
    written = []
    for one in shapes(result_card(hand_of_eight(), typefaces), shape, typefaces):
        if isinstance(one, Words):
            long = typefaces.width(one.face, one.size, one.text)
            left = one.x - (long if one.right else 0)
            written.append((one.y, left, left + long))
    width, height = SHAPES[shape]
    assert len(written) > 2 * len(NAMES)
    assert all(left >= 0 and right <= width and y <= height for y, left, right in written)
    for number, (y, left, right) in enumerate(written):
        beside = [other for other in written[number + 1 :] if other[0] == y]
        assert all(right <= other[1] or other[2] <= left for other in beside)

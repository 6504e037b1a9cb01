"""Starting a pad: it plays what it is labelled with, whichever way the form was opened."""

import re

import pytest
from django.test import Client

from scorepad import archive_lookup
from scorepad.access import links
from scorepad.models import Pad
from scorepad.presentation import house_rules
from tests.html import holds, squeezed

pytestmark = pytest.mark.django_db

PRINTED = {"slug": "printed", "title": "As printed", "reasons": "Its own.", "options": {}, "settings": {}}
STRICT = PRINTED | {"slug": "strict", "title": "Strict", "options": {"bonus_order": "exact"}}


@pytest.fixture(autouse=True)
def _two_variants(monkeypatch):
    shown = {one["slug"]: one for one in (PRINTED, STRICT)}
    monkeypatch.setattr(archive_lookup, "variants_of_game", lambda game: list(shown.values()))
    monkeypatch.setattr(archive_lookup, "find_variant", lambda slug: found(**shown[slug]))


def found(slug, title, options, settings, reasons):
    return archive_lookup.Variant(slug, "victory-rummy", options, settings, title)


def sent(page):
    """What a browser sends of this form when nothing is touched."""
    page = squeezed(page)
    radios = re.findall(r'<input type="radio" name="(\w+)" value="([^"]*)" checked', page)
    numbers = re.findall(r'type="number"[^>]* name="(\w+)"[^>]* value="([^"]*)"', page)
    return {**dict(radios), **dict(numbers), "game": "victory-rummy", "name": ["Ann", "Bert"]}


def started(query, **turned):
    page = Client().get(f"/pads/new/?game=victory-rummy&{query}").content.decode()
    answer = Client().post("/pads/new/", {**sent(page), **turned})
    assert answer.status_code == 302, answer.content
    return Pad.objects.get(code=answer["Location"].split("/")[2])


def test_a_variant_turned_back_to_is_played():
    pad = started("variant=strict", variant="printed")
    assert (pad.variant, pad.options["bonus_order"]) == ("printed", "first-of-each")


def test_a_variant_turned_to_is_played_beside_an_option_of_the_address():
    pad = started("finish=end-of-deal", variant="strict")
    assert (pad.variant, pad.options["bonus_order"]) == ("strict", "exact")
    assert pad.options["finish"] == "end-of-deal"


def test_the_variant_of_the_address_is_played_when_nothing_is_touched():
    assert started("variant=strict").options["bonus_order"] == "exact"


def test_a_reading_chosen_by_hand_outranks_the_variant():
    assert started("variant=strict", bonus_order="first-of-each").options["bonus_order"] == "first-of-each"


def test_every_reading_can_be_left_to_the_variant_in_words():
    page = Client().get("/pads/new/?game=victory-rummy").content.decode()
    assert page.count("As in the variant above") == squeezed(page).count('value="" checked') > 0


@pytest.mark.parametrize(
    ("query", "head"),
    [
        ("variant=strict", '/variants/strict/">Strict</a>'),
        ("bonus_order=exact", '/variants/strict/">Strict</a>'),
        (
            "variant=strict&target=300",
            'table/#plays">Strict, 1 option changed</a>',
        ),
        ("target=300&finish=end-of-deal", "2 options changed</a>"),
    ],
)
def test_the_head_of_a_pad_says_what_is_not_played_as_usual(query, head):
    pad = started(query)
    client = Client()
    client.get(links.addresses(pad, links.PLAY)[links.PLAY])
    page = client.get(f"/pads/{pad.code}/").content.decode()
    assert holds(page.replace('<span class="unseen">Played with: </span>', ""), head)
    assert "How this table plays" in client.get(f"/pads/{pad.code}/table/").content.decode()


def test_a_pad_that_is_played_as_printed_needs_no_word_for_it():
    pad = started("variant=printed")
    assert house_rules.house_rules(pad).words == ""


def test_two_boxes_seat_eight(monkeypatch):
    """The seats and the words beside the question follow the variant, by its own mark in the form."""
    two = PRINTED | {"slug": "two", "title": "Two boxes", "options": {"sets": 2}}
    monkeypatch.setattr(archive_lookup, "variants_of_game", lambda game: [PRINTED, two])
    monkeypatch.setattr(
        archive_lookup, "find_variant", lambda slug: archive_lookup.Variant("two", "thumbs-up", {"sets": 2})
    )
    page = Client().get("/pads/new/?game=thumbs-up&variant=two").content.decode()
    assert holds(page, 'value="two" data-more-seats checked')
    assert holds(page, '<span class="seats-few">4</span><span class="seats-more">8, with two boxes</span>')
    assert page.count('name="name"') == 8
    names = ["Ann", "Bert", "Cora", "Dan", "Emil", "Fay", "Gus", "Hal"]
    answer = Client().post("/pads/new/", {"game": "thumbs-up", "variant": "two", "name": names})
    pad = Pad.objects.get(code=answer["Location"].split("/")[2])
    assert (len(pad.players), pad.options["stake"]) == (8, 300)


def test_a_stake_hides_no_variant_that_was_chosen_by_its_options(monkeypatch):
    open_ended = PRINTED | {"slug": "open", "title": "Open", "options": {"hands": 0}}
    monkeypatch.setattr(archive_lookup, "variants_of_game", lambda game: [PRINTED, open_ended])
    pad = Pad(code="x", game="thumbs-up", options={"hands": 0, "stake": 300}, players=["Ann", "Bert"])
    assert house_rules.house_rules(pad).words == "Open"
    pad.options = {"hands": 5, "stake": 300}
    assert house_rules.house_rules(pad).words == ""

"""Starting a pad: it plays what it is labelled with, whichever way the form was opened."""

import re

import pytest
from django.test import Client

from scorepad import variants
from scorepad.models import Pad
from scorepad.pages import starting

pytestmark = pytest.mark.django_db

PRINTED = {"slug": "printed", "title": "As printed", "reasons": "The leaflet's own.", "options": {}}
STRICT = {"slug": "strict", "title": "Strict", "reasons": "In order.", "options": {"bonus_order": "exact"}}


@pytest.fixture(autouse=True)
def _two_variants(monkeypatch):
    shown = {one["slug"]: one for one in (PRINTED, STRICT)}
    monkeypatch.setattr(starting, "variants_of", lambda game: list(shown.values()))
    monkeypatch.setattr(
        variants, "find", lambda slug: variants.Variant(slug, "victory-rummy", shown[slug]["options"])
    )


def sent(page):
    """What a browser sends of this form when nothing is touched."""
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
    assert page.count("As the variant above says") == page.count('value="" checked') > 0

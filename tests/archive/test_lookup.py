"""The module the pads ask for variants and passages: it says what the public addresses say."""

import pytest
from django.test import Client

import engine
from archive.models import Passage
from scorepad import archive_lookup, samples
from scorepad.layouts import PadState, layout_of

pytestmark = pytest.mark.django_db


def test_the_pads_are_told_what_the_addresses_say(shelf):
    public = Client().get("/variants/of/thumbs-up.json").json()["variants"]
    assert public
    told = archive_lookup.variants_of_game("thumbs-up")
    assert [{**one, "first_sentence": ""} for one in told] == [
        {**one, "first_sentence": ""} for one in public
    ]
    for one in public:
        found = archive_lookup.find_variant(one["slug"])
        assert (found.game, found.options, found.settings) == ("thumbs-up", one["options"], one["settings"])


def test_a_passage_is_quoted_as_its_fragment(shelf):
    address = "/books/victory-rummy-1942/passages/score-bonus/?fragment=1"
    fragment = Client().get(address).content.decode()
    assert archive_lookup.passage_html("victory-rummy-1942", "score-bonus") == fragment
    assert archive_lookup.passage_html("victory-rummy-1942", "no-such-passage") == ""


def test_a_passage_is_found_by_its_other_names(shelf):
    passage = shelf["victory-rummy-1942"].passages.get(anchor="score-bonus")
    passage.names.create(book=passage.book, name="the-bonus")
    by_anchor = archive_lookup.passage_html("victory-rummy-1942", "score-bonus")
    assert by_anchor
    assert archive_lookup.passage_html("victory-rummy-1942", "the-bonus") == by_anchor


@pytest.mark.parametrize("slug", ["", "no such", "a/b", "nul\0", "ä", "of"])
def test_what_is_no_slug_is_no_variant(shelf, slug):
    assert archive_lookup.find_variant(slug) is None


def test_without_an_archive_nothing_is_found(settings, db):
    settings.SCOREPAD_ARCHIVE = ""
    assert archive_lookup.find_variant("as-printed") is None
    assert archive_lookup.variants_of_game("thumbs-up") == []
    assert archive_lookup.passage_html("victory-rummy-1942", "score-bonus") == ""


def test_every_sign_and_every_line_in_brief_leads_to_its_passage(shelf):
    for game in engine.GAMES.values():
        state = PadState(engine.replay({"tally": 1, "game": game.key, "players": list("ABC")}))
        signs = [sign.cite for sign in layout_of(game.key).legend(state) if sign.cite]
        lines = [cite for _, cites in archive_lookup.brief_of_game(game.key) for cite in cites]
        wanted = {*signs, *lines}
        assert Passage.objects.cited(tuple(wanted)).keys() == wanted
        assert len(archive_lookup.brief_of_game(game.key)) >= 8
    for sample in samples.samples():
        assert Passage.objects.cited((sample.cite,)), sample


def test_a_number_leads_to_its_sentence_lit_on_the_page_with_a_way_back(shelf, client):
    address = archive_lookup.passage_page("victory-rummy-1942", "score-victory")
    assert address == "/books/victory-rummy-1942/5/?lit=score-victory"
    assert archive_lookup.passage_page("victory-rummy-1942", "no-such-sentence") == ""
    page = client.get(f"{address}&pad=abc23456").content.decode()
    assert 'href="/pads/abc23456/">Back to the pad</a>' in page
    assert "Back to the pad" not in client.get(address).content.decode()
    assert "Back to the pad" not in client.get(f"{address}&pad=//elsewhere").content.decode()

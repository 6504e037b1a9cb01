"""The module the pads ask for variants and passages: it says what the public addresses say."""

import pytest
from django.test import Client

from scorepad import archive_lookup

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

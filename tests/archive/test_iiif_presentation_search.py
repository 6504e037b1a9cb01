"""Content Search, both versions: the same hits, each on its place."""

import re

import pytest

from archive.iiif import content_search
from tests.archive.page_images import set_pages, take_pages

BOOK = "victory-rummy-1942"
CANVAS = re.compile(rf"http://testserver/iiif/3/{BOOK}/canvas/(\d+)#xywh=(\d+),(\d+),(\d+),(\d+)")


@pytest.fixture(scope="module")
def paged(loaded, django_db_blocker):
    with django_db_blocker.unblock():
        set_pages(BOOK)
        yield
        take_pages()


@pytest.fixture
def ask(paged, db, client):
    def asked(version, query, **more):
        answer = client.get(f"/iiif/search/{version}/{BOOK}", {"q": query, **more})
        assert answer.status_code == 200
        return answer.json()

    return asked


def test_version_1_gives_hits_with_their_context_and_annotations(ask):
    found = ask(1, "consecutive order", motivation="painting")
    ids = {resource["@id"] for resource in found["resources"]}
    assert found["@type"] == "sc:AnnotationList"
    assert found["within"]["total"] == len(ids) > 0
    assert "consecutive order" in {hit["match"] for hit in found["hits"]}
    assert {name for hit in found["hits"] for name in hit["annotations"]} == ids
    assert all(CANVAS.fullmatch(resource["on"]) for resource in found["resources"])


def test_version_2_gives_the_same_places(ask):
    first, second = ask(1, "bonus"), ask(2, "bonus")
    assert second["type"] == "AnnotationPage"
    assert [item["target"] for item in second["items"]] == [resource["on"] for resource in first["resources"]]


def test_version_2_tells_the_words_around_each_hit(ask):
    found = ask(2, "bonus", motivation="supplementing")
    contexts = found["annotations"][0]["items"]
    assert len(contexts) == len(found["items"])
    for item, context in zip(found["items"], contexts, strict=True):
        (selector,) = context["target"]["selector"]
        assert context["target"]["source"] == item["id"]
        assert selector["exact"].casefold() == "bonus"
        assert selector["exact"] in item["body"]["value"]


def test_a_phrase_over_a_line_end_is_one_hit_with_a_box_on_each_row(ask):
    found = ask(1, '"points win the game"')
    several = [hit for hit in found["hits"] if hit["match"] == "points win the game"]
    assert len(several) == 1
    phrase = ask(1, '"scores all his cards receives, in addition to points"')
    (hit,) = phrase["hits"]
    assert len(hit["annotations"]) > 1
    places = [CANVAS.fullmatch(resource["on"]) for resource in phrase["resources"]]
    assert len({place[3] for place in places}) == len(places)


def test_a_mended_word_is_found_where_the_misprint_stands(ask):
    found = ask(1, '"a dash and a V"', motivation="painting")
    assert {CANVAS.fullmatch(resource["on"])[1] for resource in found["resources"]} >= {"4"}


def test_a_hit_in_a_note_stands_where_the_note_stands(ask):
    found = ask(2, "Strong Museum", motivation="commenting")
    assert {item["motivation"] for item in found["items"]} == {"commenting"}
    assert {CANVAS.match(item["target"])[1] for item in found["items"]} == {"1"}
    assert ask(2, "Strong Museum", motivation="supplementing")["items"] == []


def test_what_we_do_not_answer_is_named(ask):
    assert ask(1, "bonus", user="http://example.org/me")["within"]["ignored"] == ["user"]
    assert ask(2, "bonus", date="2020-01-01T00:00:00Z/2021-01-01T00:00:00Z")["ignored"] == ["date"]


def test_words_that_never_stand_together_find_nothing(ask):
    assert ask(1, "bonus conquistador")["resources"] == []


HOSTILE = [
    '"',
    "'",
    "a* OR b",
    "NEAR(",
    "x" * 10_000,
    "\x01",
    "{text}:",
    "(((",
    "\ud7ff🂡",
    "<script>",
    "-",
    "",
    " ",
    "%00",
]


@pytest.mark.parametrize("version", [1, 2])
@pytest.mark.parametrize("query", HOSTILE)
def test_any_query_is_harmless(ask, version, query):
    ask(version, query)


def test_there_is_no_third_version(shelf, client):
    assert client.get(f"/iiif/search/3/{BOOK}?q=bonus").status_code == 404


def test_the_example_holds():
    import doctest

    assert doctest.testmod(content_search).failed == 0

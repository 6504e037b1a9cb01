"""The catalogue by form: plain questions, faults at their fields, joined or shown as a clash, never lost."""

import os
import re
import threading
from dataclasses import replace

import pytest
from django.conf import settings
from django.db import connection
from django.http import QueryDict

from archive.curation import book_files
from archive.curation.forms import catalogue
from archive.curation.views.catalogue import preview_of, question_context
from archive.edition.transcript import read_text
from archive.images import facsimiles
from archive.models import Book
from archive.models.history import Proposal, Revision
from archive.publication import publish
from tests.archive.curators import BOOK, as_written, signed_in, source
from tests.html import holds
from tests.people.conftest import make_person

ADDRESS = f"/books/{BOOK}/catalogue/"
ROUNDS = 200 if os.environ.get("SOAK") else 3
FOLDERS = sorted((settings.FIXTURES / "books").iterdir())

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_pages(monkeypatch):
    """Setting pages takes seconds and has its own tests."""
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)


def form(card=None, **change):
    """What the form sends, drawn from the book in the folder, with something changed."""
    card = card or catalogue.draft_of(book_files.catalogue_in({"book.toml": source("book.toml")}))
    sent = dict(card.answers) | {"rights": card.rights, "game": list(card.games), "parent": 1}
    sent |= {
        "cover-text": [text for text, _ in card.cover],
        "cover-style": [style for _, style in card.cover],
    }
    sent |= {"section-anchor": [anchor for anchor, _ in card.sections]}
    sent |= {"section-title": [title for _, title in card.sections], "reason": "From the box."}
    return sent | change


def as_sent(fields):
    sent = QueryDict(mutable=True)
    for name, value in fields.items():
        sent.setlist(name, value if isinstance(value, list) else [str(value)])
    return sent


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_form_sent_back_untouched_gives_the_same_bytes(folder):
    files = {name: (folder / name).read_text() for name in ("book.toml", "text.txt")}
    old = book_files.catalogue_in(files)
    card = catalogue.draft_from(as_sent(form(catalogue.draft_of(old))))
    anchors = [passage.anchor for passage in read_text(files["text.txt"]).passages]
    assert catalogue.with_catalogue(files, catalogue.catalogue_from(card, anchors, old)) == {
        "book.toml": files["book.toml"]
    }


def test_every_key_of_the_file_has_its_question():
    asked = question_context(
        catalogue.draft_of(book_files.catalogue_in({"book.toml": source("book.toml")})), {}
    )
    names = {row["question"].name for group in ("what", "table", "told", "why") for row in asked[group]}
    others = {"rights", "games", "cover", "subject", "section", "leaf"}
    assert names - {"reasons", "subjects"} | others == set(book_files.CATALOGUE_KEYS)


def test_a_changed_answer_is_a_revision_that_differs_in_that_line_alone(curated, client):
    answer = signed_in(curated["curator"]).post(ADDRESS, form(maker="E. E. Fairchild of Rochester"))
    assert answer["Location"] == f"{ADDRESS}?saved=2"
    before, after = source("book.toml").split("\n"), Book.objects.get().files["book.toml"].split("\n")
    assert [line for line in after if line not in before] == ['maker = "E. E. Fairchild of Rochester"']
    assert Revision.objects.get(number=2).reason == "From the box."
    assert "E. E. Fairchild of Rochester" in client.get(f"/books/{BOOK}/").content.decode()
    assert client.get(f"/books/{BOOK}/revisions/1-2/").status_code == 200


def test_a_line_that_is_left_empty_says_what_it_means(curated):
    signed_in(curated["curator"]).post(ADDRESS, form(year="", date="", place="", language=""))
    book = Book.objects.get()
    assert (book.year, book.date, book.place, book.language) == (None, "Not known", "Not known", "en")
    assert "\nyear = " not in book.files["book.toml"]


def test_cover_and_sections_are_rows(curated):
    rows = {"cover-text": ["VICTORY", "", "RUMMY"], "cover-style": ["title", "centre", "display"]}
    sections = {"section-anchor": ["score-capture", "win-500"], "section-title": ["Scores", "The end"]}
    signed_in(curated["curator"]).post(ADDRESS, form(**rows, **sections))
    book = Book.objects.get()
    assert [line["text"] for line in book.cover] == ["VICTORY", "RUMMY"]
    # They follow the text, in whatever order they were written.
    assert [section["title"] for section in book.sections] == ["The end", "Scores"]


def test_a_line_of_the_cover_moves_without_a_script_and_nothing_is_saved(curated):
    sent = form(**{"cover-text": ["one", "two"], "cover-style": ["title", "centre"], "act": "up:1"})
    page = signed_in(curated["curator"]).post(ADDRESS, sent).content.decode()
    assert page.index('value="two"') < page.index('value="one"')
    assert Revision.objects.count() == 1


BAD = [
    ({"title": " "}, "title", "needs an answer"),
    ({"title": "x" * 301}, "title", "at most 300"),
    ({"year": "MCMXLII"}, "year", "Four digits, such as 1930."),
    ({"year": "1930s"}, "year", "under the date in words"),
    ({"year": "9999"}, "year", "four digits"),
    ({"language": "American"}, "language", "as a code"),
    ({"reasons": ""}, "reasons", "needs an answer"),
    ({"rights": "http://example.org/"}, "rights", "Choose one"),
    ({"cover-text": ["x"], "cover-style": ["running-head"]}, "", "Choose how"),
    ({"section-anchor": ["nowhere"], "section-title": ["There"]}, "", "No passage is called"),
    ({"section-anchor": ["win-500"], "section-title": [""]}, "", "a title"),
    ({"section-anchor": ["win-500"] * 2, "section-title": ["a", "b"]}, "", "remove one"),
    ({"reason": ""}, "", "Say briefly why"),
]


def test_what_cannot_stand_is_said_at_its_field_and_nothing_is_lost(curated):
    curator = signed_in(curated["curator"])
    for change, field, says in BAD:
        answer = curator.post(ADDRESS, form(pieces="A pack nobody has seen") | change)
        page = answer.content.decode()
        assert answer.status_code == 422 and says in page and "A pack nobody has seen" in page, change
        assert f'id="{field}-fault"' in page or not field
    assert Revision.objects.count() == 1


def test_the_field_of_the_year_takes_what_is_typed_and_gives_it_back(curated):
    page = signed_in(curated["curator"]).post(ADDRESS, form(year="in the 1930s")).content.decode()
    assert holds(page, 'name="year" value="in the 1930s" inputmode="numeric" maxlength="60"')


@pytest.mark.parametrize("year", [None, 1931])
def test_not_known_is_no_answer_and_is_written_again_where_none_is_given(year):
    names = ("maker", "place", "players", "pieces", "provenance", "holding", "date")
    known = book_files.catalogue_in({"book.toml": source("book.toml")})
    old = replace(known, year=year, sections=(), **dict.fromkeys(names, "Not known"))
    card = catalogue.draft_of(old)
    shown = {name: card.answers[name] for name in names}
    assert shown == dict.fromkeys(names, "") | ({"date": "Not known"} if year else {})
    again = catalogue.catalogue_from(catalogue.draft_from(as_sent(form(card))), [], old)
    assert book_files.write_catalogue(again, []) == book_files.write_catalogue(old, [])
    assert preview_of(card, BOOK)["answers"]["maker"] == "Not known"


def test_preview_shows_the_card_and_stores_nothing(curated):
    answer = signed_in(curated["curator"]).post(ADDRESS, form(maker="Somebody else", act="preview"))
    assert "<dd>Somebody else</dd>" in answer.content.decode() and Revision.objects.count() == 1


def test_two_who_change_different_answers_are_joined_even_side_by_side(curated):
    one, two = signed_in(curated["curator"]), signed_in(curated["keeper"])
    one.post(ADDRESS, form(maker="One", year=""))
    assert two.post(ADDRESS, form(place="Two")).status_code == 302
    book = Book.objects.get()
    assert (book.maker, book.place, book.year) == ("One", "Two", None)


def test_a_clash_with_oneself_names_the_other_window_and_with_another_the_person(curated):
    one = signed_in(curated["curator"])
    one.post(ADDRESS, form(maker="One"))
    own = one.post(ADDRESS, form(maker="Two"))
    assert own.status_code == 412
    assert holds(own.content.decode(), "You, in another window, changed the same place")
    other = signed_in(make_person("Clara", "curator")).post(ADDRESS, form(maker="Three")).content.decode()
    name = curated["curator"].name
    assert holds(other, f"{name} changed the same place") and "another window" not in other


def test_two_who_change_one_answer_get_412_with_both_texts_and_nothing_else_goes_back(curated):
    one, two = signed_in(curated["curator"]), signed_in(curated["keeper"])
    one.post(ADDRESS, form(maker="One", place="Here"))
    answer = two.post(ADDRESS, form(maker="Two"))
    page = as_written(answer.content.decode())
    assert answer.status_code == 412 and "maker = &quot;One&quot;" in page and 'value="Two"' in page
    assert Book.objects.get().maker == "One" and 'value="Here"' in page
    # The form now rests on revision 2, with what the first one changed elsewhere: saving again is a choice.
    assert 'name="parent" value="2"' in page


def test_a_contributors_answer_waits_and_is_amended_on_the_same_page(curated):
    signed_in(curated["contributor"]).post(ADDRESS, form(maker="Fairchild Corp."))
    proposal = Proposal.objects.get()
    assert (proposal.place, Book.objects.get().maker != "Fairchild Corp.") == ("Catalogue", True)
    curator = signed_in(curated["curator"])
    assert "Fairchild Corp." in curator.get(f"{ADDRESS}?proposal={proposal.pk}").content.decode()
    amended = form(maker="Fairchild Corporation", proposal=proposal.pk)
    assert curator.post(ADDRESS, amended).status_code == 302
    revision = Revision.objects.get(number=2)
    assert (Book.objects.get().maker, revision.signed) == ("Fairchild Corporation", "Carla")


def test_hostile_answers_are_shown_as_text(curated, client):
    evil = "<script>alert(1)</script>"
    sent = form(maker=evil, blurb=evil, unknown=evil, reasons=evil, **{"cover-text": [evil]})
    assert signed_in(curated["curator"]).post(ADDRESS, sent | {"cover-style": ["title"]}).status_code == 302
    for address in (f"/books/{BOOK}/", "/", f"/books/{BOOK}/revisions/2/", ADDRESS):
        page = signed_in(curated["curator"]).get(address).content.decode()
        assert "<script>alert" not in page


@pytest.mark.django_db(transaction=True)
def test_two_editors_race_over_the_site_and_one_wins_each_time():
    """The other gets 412, with what both wrote on the page."""
    publish.load([settings.FIXTURES / "books" / BOOK])
    clients = [signed_in(make_person(name, "curator")) for name in ("Ada", "Ben")]

    def send(client, maker, parent, came):
        try:
            came.append((maker, client.post(ADDRESS, form(maker=maker, parent=parent))))
        finally:
            connection.close()

    for parent in range(1, ROUNDS + 1):
        came = []
        calls = [
            (client, f"Maker {name} {parent}", parent, came)
            for client, name in zip(clients, "ab", strict=True)
        ]
        threads = [threading.Thread(target=send, args=call) for call in calls]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        (won, stored), (lost, told) = sorted(came, key=lambda pair: pair[1].status_code)
        assert (stored.status_code, told.status_code) == (302, 412)
        assert Book.objects.get().maker == won and Revision.objects.count() == parent + 1
        page = as_written(told.content.decode())
        assert won in page and f'value="{lost}"' in page


def subjects_by_oai(client):
    asked = {"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": f"oai:testserver:{BOOK}"}
    return re.findall(r"<dc:subject>([^<]*)<", client.get("/oai", asked).content.decode())


def test_subjects_of_the_catalogue_reach_harvesters_with_their_addresses(curated, client):
    assert "Rummy (Game)" in subjects_by_oai(client)
    lines = "Dominoes\nRummy https://www.wikidata.org/wiki/Q1\nBlocks of wood"
    curator = signed_in(curated["curator"])
    assert curator.post(ADDRESS, form(subjects=lines)).status_code == 302
    told = subjects_by_oai(client)
    assert told[:4] == ["Dominoes", "Rummy", "https://www.wikidata.org/wiki/Q1", "Blocks of wood"]
    assert "Rummy (Game)" not in told
    tei = client.get(f"/books/{BOOK}/tei.xml").content.decode()
    assert '<term ref="https://www.wikidata.org/wiki/Q1">Rummy</term>' in tei
    refused = curator.post(ADDRESS, form(subjects="https://www.wikidata.org/wiki/Q1", parent=2))
    assert refused.status_code == 422 and "Write the term before" in refused.content.decode()

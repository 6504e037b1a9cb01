"""The TEI text: both layers in it, nothing lost, every pointer leading somewhere."""

import re
from xml.etree import ElementTree

import pytest
from django.db import connection

from archive.curation import edits
from archive.models import Book
from archive.publication import revisions
from archive.tei.notes import from_markdown
from tests.archive.page_images import set_pages, take_pages

TEI = "{http://www.tei-c.org/ns/1.0}"
ID = "{http://www.w3.org/XML/1998/namespace}id"
BOOK = "victory-rummy-1942"
BOOKS = ("rap-rummy-1926", "rummy-1916", "thumbs-up-1941", BOOK)


@pytest.fixture(scope="module")
def paged(loaded, django_db_blocker):
    with django_db_blocker.unblock():
        set_pages(*BOOKS)
        yield
        take_pages()


@pytest.fixture
def tei(paged, db, client):
    def read(slug=BOOK):
        answer = client.get(f"/books/{slug}/tei.xml")
        assert answer.status_code == 200
        return ElementTree.fromstring(answer.content)

    return read


def layer(root, leave_out):
    """The words of one layer: the other one's elements left out, line and page breaks as spaces."""
    name = root.tag.removeprefix(TEI)
    if name in leave_out:
        return ""
    own = " " if name in ("lb", "pb", "cell", "head", "p", "ab", "item", "fw") else ""
    if name == "lb" and root.get("break") == "no":
        own = ""
    text = own + (root.text or "")
    for child in root:
        text += layer(child, leave_out) + (child.tail or "")
    return text + own


def close(text):
    return "".join(re.sub("[⟨⟩…]", "", text).split())


PRINTED = {"corr", "supplied", "gap", "figure"}
READING = {"sic", "surplus", "fw", "gap", "pc", "figure"}


@pytest.mark.parametrize("slug", BOOKS)
def test_both_layers_of_every_passage_can_be_read_from_it(tei, slug):
    body = tei(slug).find(f"{TEI}text/{TEI}body")
    passages = Book.objects.get(slug=slug).passages.all()
    printed, reading = close(layer(body, PRINTED)), close(layer(body, READING))
    for passage in passages:
        if passage.kind == "text" and len(passage.leaves) == 1:
            for line in passage.reading.split("\n"):
                assert close(line) in reading, passage.anchor
    whole = "".join(close(p.printed) for p in passages if p.kind == "text" and p.leaves)
    assert sorted(whole) == sorted(close(layer(body, PRINTED | {"fw"})))
    assert printed


@pytest.mark.parametrize("slug", BOOKS)
def test_every_pointer_leads_to_an_element_and_no_name_is_used_twice(tei, slug):
    root = tei(slug)
    names = [name for thing in root.iter() if (name := thing.get(ID))]
    assert len(names) == len(set(names))
    for thing in root.iter():
        for attribute in ("facs", "corresp", "target", "resp", "who"):
            for pointer in (thing.get(attribute) or "").split():
                if pointer.startswith("#"):
                    assert pointer[1:] in names, pointer


@pytest.mark.parametrize("slug", BOOKS)
def test_every_passage_keeps_all_its_names(tei, slug):
    names = {thing.get(ID) for thing in tei(slug).iter()}
    for passage in Book.objects.get(slug=slug).passages.all():
        assert {*passage.anchors, *passage.aliases} <= names


def test_a_mend_has_both_readings_its_certainty_and_its_note(tei):
    root = tei()
    (choice,) = [c for c in root.iter(f"{TEI}choice") if c.findtext(f"{TEI}sic") == "cash"]
    corr = choice.find(f"{TEI}corr")
    assert corr.text == "dash"
    assert (corr.get("cert"), corr.get("corresp"), corr.get("resp")) == ("high", "#note.a-dash", "#editors")


def test_what_is_lost_is_supplied_or_a_gap(tei):
    root = tei()
    supplied = [thing.text for thing in root.iter(f"{TEI}supplied")]
    assert "ten or five cards.)" in supplied
    assert next(gap.get("corresp") for gap in root.iter(f"{TEI}gap")) == "#note.legend-bonus-lost"


def test_zones_are_boxes_on_the_page_and_sentences_lead_to_them(tei):
    root = tei()
    zones = {zone.get(ID): zone for zone in root.iter(f"{TEI}zone")}
    (capture,) = [s for s in root.iter(f"{TEI}seg") if s.get(ID) == "score-capture"]
    names = [name[1:] for name in capture.get("facs").split()]
    assert names and all(int(zones[name].get("lrx")) > int(zones[name].get("ulx")) for name in names)


def test_every_leaf_has_its_page_break_with_the_certainty_of_the_break(tei):
    breaks = list(tei().iter(f"{TEI}pb"))
    assert [page.get("n") for page in breaks] == ["1", "2", "3", "4", "5", "6"]
    assert breaks[4].get("cert") == "low"
    assert [page.get("facs") for page in breaks] == [f"#leaf.{n}" for n in range(1, 7)]


def test_furniture_is_forme_work_and_the_blank_pad_is_described(tei):
    root = tei()
    assert "AGCA ARCHIVES" in ["".join(fw.itertext()) for fw in root.iter(f"{TEI}fw")]
    assert "whether anything is written on it" in root.findtext(f".//{TEI}figDesc")


def test_the_header_names_the_source_the_rights_and_why(tei):
    header = tei().find(f"{TEI}teiHeader")
    licence = header.find(f".//{TEI}licence")
    assert licence.get("target") == "http://rightsstatements.org/vocab/NKC/1.0/"
    assert "had to be renewed" in header.findtext(f".//{TEI}availability/{TEI}p")
    assert header.find(f".//{TEI}sourceDesc//{TEI}date").get("when") == "1942"
    assert "Typeset by Tallyroom from the transcription" in "".join(header.itertext())


def test_every_note_is_there_with_its_kind(tei):
    notes = {note.get(ID): note.get("type") for note in tei().iter(f"{TEI}note") if note.get(ID)}
    assert notes == {f"note.{note.slug}": note.kind for note in Book.objects.get(slug=BOOK).notes.all()}


def test_a_paragraph_goes_on_over_the_end_of_a_page(tei):
    (idea,) = [
        p for p in tei("rap-rummy-1926").iter(f"{TEI}p") if "The idea of the game" in "".join(p.itertext())
    ]
    assert idea.find(f"{TEI}pb").get("n") == "3"


def test_without_page_images_there_is_text_but_no_facsimile(tei):
    take_pages()
    root = tei()
    assert root.find(f"{TEI}facsimile") is None
    assert "A CAPTURE counts 50 points." in "".join(root.itertext())


def test_markdown_becomes_tei():
    (p, items) = from_markdown("See *this* and [that](/books/x/).\n\n- one\n- **two**", "http://a.example/b/")
    assert p.find("emph").text == "this"
    assert p.find("ref").get("target") == "http://a.example/books/x/"
    assert ["".join(item.itertext()).strip() for item in items] == ["one", "two"]


def test_signs_that_xml_cannot_write_do_no_harm(shelf, client):
    nul = "" if connection.vendor == "postgresql" else "\x00"  # Which PostgreSQL does not take at all.
    Book.objects.filter(slug=BOOK).update(blurb=f"a\x0bb <&> {nul}")
    ElementTree.fromstring(client.get(f"/books/{BOOK}/tei.xml").content)


def test_superior_letters_and_doubts_are_marked(shelf, client):
    book = Book.objects.get(slug=BOOK)
    text = book.files["text.txt"].replace(" the ", " N{^o} {?the} ", 1)
    edits.save(BOOK, {"text.txt": text}, 1, revisions.Signature("Marks.", None))
    root = ElementTree.fromstring(client.get(f"/books/{BOOK}/tei.xml").content)
    assert [one.text for one in root.iter(f"{TEI}hi") if one.get("rend") == "superscript"] == ["o"]
    assert [(one.text, one.get("cert")) for one in root.iter(f"{TEI}unclear")] == [("the", "low")]
    page = client.get(f"/books/{BOOK}/").content.decode()
    assert "N<sup>o</sup>" in page and 'class="doubt"' in page
    assert "No the " in client.get(f"/books/{BOOK}/text.txt").content.decode()


def test_facts_in_our_own_words_have_a_text_without_pages_that_says_so(tei):
    root = tei("victor-or-victim")
    book = Book.objects.get(slug="victor-or-victim")
    names = {thing.get(ID) for thing in root.iter()}
    assert {name for passage in book.passages.all() for name in passage.anchors} <= names
    for kind in ("facsimile", "front", "pb", "figure"):
        assert root.find(f".//{TEI}{kind}") is None
    body = "".join(root.find(f"{TEI}text/{TEI}body").itertext())
    assert "A player who has the six letters of VICTOR in front of him in one colour wins" in body
    assert "facts in our own words" in "".join(root.find(f"{TEI}teiHeader/{TEI}encodingDesc").itertext())

"""PDF and EPUB of a rulebook: what stands in them, when they are made, who may see them."""

import io
import re
import sys
import zipfile
from dataclasses import replace
from xml.etree import ElementTree

import pypdfium2
import pytest

from archive.images.storage import files_in, pages
from archive.models import Book
from archive.models.history import Revision
from archive.offprints import note_text, typst_pdf
from archive.offprints import shelf as offprints
from archive.offprints.content import Paragraph, Piece, PrintedPage, offprint_of
from archive.offprints.epub import as_epub
from archive.publication import book_states
from ratelimit import limiter
from tests.people.conftest import make_person

pytestmark = pytest.mark.django_db
BOOK = "victory-rummy-1942"
FACING = f"/books/{BOOK}/facing.pdf"


def content(slug=BOOK):
    book = Book.objects.for_reading().get(slug=slug)
    return offprint_of(book, Revision.objects.filter(book=book).latest("number"), "https://example.org")


@pytest.fixture
def empty_shelf(monkeypatch):
    """Orders are kept in a list, and nothing is made until it is asked for; what was made goes again."""
    orders = []
    monkeypatch.setattr(offprints, "enqueue", orders.append)
    yield orders
    offprints.remove(BOOK)
    offprints.remove("rummy-1916")


@pytest.fixture(scope="module")
def printed(loaded, django_db_blocker):
    with django_db_blocker.unblock():
        return content(), typst_pdf.as_pdf(content(), "facing")


def words_of(file):
    document = pypdfium2.PdfDocument(file)
    return " ".join(" ".join(page.get_textpage().get_text_range().split()) for page in document), document


def test_a_pdf_is_tagged_and_says_what_it_is(printed):
    shown, file = printed
    text, document = words_of(file)
    assert document.is_tagged() and document.get_metadata_value("Title") == shown.title
    assert b"/Lang(en-US)" in file and b"pdfuaid" in file and b"/DisplayDocTitle true" in file
    marks = [mark.get_title() for mark in document.get_toc()]
    assert "Page 4. How to play" in marks and "About this edition" in marks and len(marks) > 8
    assert b"/Alt(QR code of https://example.org/" in file and "revision 1" in text


def test_a_pdf_has_both_layers_the_notes_the_key_the_citation_and_the_rights(printed):
    shown, file = printed
    text, _ = words_of(file)
    assert "form a discount rile" in text and "to form a discard pile" in text
    assert "⟨ ⟩ holds lost words" in text and "⟨G⟩" in text
    assert "Two words beside the stamp" in text and "Cite as. Rules for playing" in text
    assert all(label in text for label, _ in shown.facts)


def test_a_word_of_a_table_is_neither_divided_nor_printed_over_the_next(printed):
    page = pypdfium2.PdfDocument(printed[1])[1].get_textpage()
    text = page.get_text_range()
    for word, following in (("ACWBG", "10 10 10"), ("BWBWAC", "10 10 10")):
        start = text.index(word)
        right = page.get_charbox(start + len(word) - 1)[2]
        assert right < page.get_charbox(text.index(following, start))[0]


def test_every_word_of_the_reading_text_and_every_note_is_in_the_reading_pdf(loaded):
    book, shown = Book.objects.get(slug="rummy-1916"), content("rummy-1916")
    text, _ = words_of(typst_pdf.as_pdf(shown, "reading"))
    letters = re.sub(r"[\s\xad\ufffe0-9-]", "", text)
    for leaf in book.leaves.all():
        for line in leaf.text_lines:
            words = re.sub(r"[\s0-9¬-]", "", line.reading)
            assert all(word in letters for word in words.split("(")), line
    assert {note.number for note in (*shown.notes, *shown.loose_notes)} == {
        note.number for note in book.notes.all()
    }
    for note in shown.notes:
        assert re.sub(r"[\s0-9-]", "", note.title) in letters, note.title


def test_the_same_revision_gives_the_same_bytes(printed):
    shown, file = printed
    assert typst_pdf.as_pdf(content(), "facing") == file
    assert as_epub(content()) == as_epub(shown)
    assert as_epub(replace(shown, revision=2)) != as_epub(shown)


def test_a_language_may_name_more_than_a_country(loaded):
    shown = content("victor-or-victim")
    for language, said in (
        ("de-Latn-AT", b"/Lang(de-AT)"),
        ("de-1901", b"/Lang(de)"),
        ("sr-Cyrl", b"/Lang(sr)"),
    ):
        assert said in typst_pdf.as_pdf(replace(shown, language=language), "reading")


def test_superior_letters_stand_above_the_line(loaded):
    shown = content("victor-or-victim")
    raised = Paragraph("body", reading=(Piece("Zz"), Piece("zzz", superior=True), Piece(" 5")))
    shown = replace(shown, pages=(PrintedPage(1, "One", "", (raised,)),))
    epub = zipfile.ZipFile(io.BytesIO(as_epub(shown)))
    assert "Zz<sup>zzz</sup> 5" in epub.read("book/reading.xhtml").decode()
    page = pypdfium2.PdfDocument(typst_pdf.as_pdf(shown, "reading"))[0].get_textpage()
    at = page.get_text_range().index("Zzzzz")
    bottoms = [page.get_charbox(letter)[1] for letter in (at + 1, at + 2)]
    assert bottoms[1] > bottoms[0] + 1


def test_words_are_never_commands(loaded):
    shown = content("victor-or-victim")
    hostile = '#read("/etc/passwd") #import "@preview/cetz:0.2.0" $ ] } \\ // *a* <b>'
    text, _ = words_of(typst_pdf.as_pdf(replace(shown, title=hostile, key=(hostile,)), "reading"))
    assert '#read("/etc/passwd")' in text and "root:" not in text
    assert (
        "&lt;b&gt;"
        in zipfile.ZipFile(io.BytesIO(as_epub(replace(shown, title=hostile))))
        .read("book/package.opf")
        .decode()
    )


@pytest.mark.parametrize(
    "program", ['#read("/etc/hostname")', '#read("../x")', '#import "@preview/cetz:0.2.0"', "#while true {}"]
)
def test_typesetting_reads_no_file_reaches_no_network_and_ends_in_time(
    loaded, monkeypatch, tmp_path, settings, program
):
    settings.OFFPRINT_SECONDS_MAX = 1
    template = tmp_path / "other.typ"
    template.write_text(program)
    monkeypatch.setattr(typst_pdf, "TEMPLATE", template)
    with pytest.raises(typst_pdf.OffprintError):
        typst_pdf.as_pdf(content("victor-or-victim"), "reading")


def test_typst_is_loaded_by_the_child_alone(printed):
    assert printed and "typst" not in sys.modules


def test_an_epub_is_well_formed_navigates_and_says_how_accessible_it_is(loaded):
    for slug in Book.objects.values_list("slug", flat=True):
        epub = zipfile.ZipFile(io.BytesIO(as_epub(content(slug))))
        first = epub.infolist()[0]
        assert (first.filename, first.compress_type, epub.read(first)) == (
            "mimetype",
            0,
            b"application/epub+zip",
        )
        files = {name: epub.read(name).decode() for name in epub.namelist()}
        ids = {}
        for name, words in files.items():
            if name.endswith(("xhtml", "opf", "xml")):
                ids[name.rpartition("/")[2]] = {one.get("id") for one in ElementTree.fromstring(words).iter()}
        for target in re.findall(r'href="([^":]+)"', "".join(files.values())):
            page, _, anchor = target.partition("#")
            assert page == "style.css" or page in ids, target
            assert not anchor or anchor in ids[page], target
        package = files["book/package.opf"]
        assert "schema:accessModeSufficient" in package and "dcterms:modified" in package


def test_a_file_is_made_on_demand_outside_the_request_and_kept(client, shelf, empty_shelf):
    page = client.get(FACING)
    assert page.status_code == 202 and page["Retry-After"] and 'http-equiv="refresh"' in page.content.decode()
    (order,) = empty_shelf
    offprints.make(order)
    answer = client.get(FACING)
    assert answer.status_code == 200 and answer.content.startswith(b"%PDF")
    assert answer["Content-Disposition"] == f'inline; filename="{BOOK}-revision-1-facing.pdf"'
    assert client.get(FACING, headers={"If-None-Match": answer["ETag"]}).status_code == 304
    assert len(empty_shelf) == 1


def test_a_stranger_has_only_so_many_made_and_those_that_are_there_cost_nothing(
    client, loaded, empty_shelf, settings
):
    settings.OFFPRINTS_PER_ADDRESS_MOST = 2
    limiter._blocked.clear()
    answers = [client.get(f"/books/{slug}/book.epub") for slug in (BOOK, "rummy-1916", "rap-rummy-1926")]
    assert [answer.status_code for answer in answers] == [202, 202, 429]
    assert "Wait" in answers[2].content.decode() and answers[2]["Retry-After"]
    offprints.make(empty_shelf[0])
    assert client.get(f"/books/{BOOK}/book.epub").status_code == 200
    limiter._blocked.clear()


def test_an_older_revision_goes_when_a_new_one_is_made_and_all_go_with_a_withdrawn_book(
    client, shelf, empty_shelf
):
    client.get(f"/books/{BOOK}/book.epub")
    (order,) = empty_shelf
    pages().save(f"offprints/{BOOK}/old/book.epub", io.BytesIO(b"old"))
    offprints.make(order)
    assert list(files_in(pages(), f"offprints/{BOOK}")) == [order.file]
    assert client.get(f"/images/{order.file}").status_code == 404
    person = make_person("Kim", "curator")
    book_states.withdraw_book(BOOK, person, "It was asked for.")
    assert not list(files_in(pages(), f"offprints/{BOOK}"))
    assert client.get(FACING).status_code == 410


def test_a_site_of_several_names_has_a_file_for_each_within_a_bound(loaded, empty_shelf, monkeypatch):
    """Two who asked by two names had it made anew in turn, each time."""
    monkeypatch.setattr(offprints, "_content", lambda shown, form: b"made")
    monkeypatch.setattr(offprints, "NAMES_OF_SITE_MOST", 2)
    book = Book.objects.for_reading().get(slug=BOOK)
    orders = [offprints.order_of(book, "book", f"https://{name}.example.org") for name in "abc"]
    for order in orders[:2]:
        offprints.make(order)
    assert [offprints.find(order) for order in orders] == [b"made", b"made", None]
    offprints.make(orders[2])
    assert [offprints.find(order) for order in orders] == [None, None, b"made"]


def test_what_could_not_be_made_is_said_and_not_tried_again_at_once(client, loaded, empty_shelf, monkeypatch):
    def fails(shown, layout):
        raise typst_pdf.OffprintError("no room")

    monkeypatch.setattr(offprints, "as_pdf", fails)
    client.get(FACING)
    offprints.make(empty_shelf[0])
    answer = client.get(FACING)
    assert (
        answer.status_code == 503 and "could not be made" in answer.content.decode() and len(empty_shelf) == 1
    )
    offprints._failed.clear()


def test_a_fault_nobody_thought_of_is_not_tried_again_at_once(client, loaded, empty_shelf, monkeypatch):
    monkeypatch.setattr(offprints, "as_epub", lambda shown: 1 / 0)
    client.get(f"/books/{BOOK}/book.epub")
    with pytest.raises(ZeroDivisionError):
        offprints._make(empty_shelf[0])
    assert client.get(f"/books/{BOOK}/book.epub").status_code == 503
    offprints._failed.clear()


def test_a_file_is_made_anew_when_the_site_names_other_editors(client, shelf, empty_shelf, settings):
    client.get(f"/books/{BOOK}/book.epub")
    offprints.make(empty_shelf[0])
    assert client.get(f"/books/{BOOK}/book.epub").status_code == 200
    settings.ARCHIVE_EDITORS = ["Doe, Ann"]
    assert client.get(f"/books/{BOOK}/book.epub").status_code == 202


def test_the_example_of_note_text():
    assert note_text.paragraphs_of("<p>One <em>word</em>.</p><ul><li><p>first</p></li></ul>") == (
        "One word.",
        "• first",
    )

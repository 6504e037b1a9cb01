"""A leaf without text gets a first one from its scan, and its words keep their ink through every mend."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from archive import ocr_proposals
from archive.curation import proposals
from archive.curation.forms import leaf_text
from archive.images import facsimiles
from archive.models import Book, Leaf
from archive.models.history import Proposal, Revision
from archive.models.scans import FirstReading, Original
from archive.ocr import tesseract
from archive.scans import publication, word_search
from archive.scans.geometry import Steps, affine, page_size, record_of
from tests.archive.curators import signed_in
from tests.archive.scan_files import a_scan, set_facsimile
from tests.archive.test_curation_books import ASKED, SLUG
from tests.archive.test_ocr_transcription import alto, string
from tests.people.conftest import make_person

pytestmark = pytest.mark.django_db
MEND = f"/books/{SLUG}/2/mend/"
SIZE = (1000, 500)
READ = alto(
    f"<TextLine>{string('Shuffle', 80, 60, 150, 40)}{string('tbe', 250, 60, 60, 40)}"
    f"{string('pack.', 330, 60, 90, 40)}</TextLine>"
    f"<TextLine>{string('Deal', 80, 130, 90, 40)}{string('eight', 190, 130, 100, 40)}"
    f"{string('cards.', 310, 130, 120, 40)}</TextLine>"
)


@pytest.fixture(autouse=True)
def _here_and_now(monkeypatch):
    """What happens behind an answer happens when a test says so; nothing is looked for unless it says."""

    def refuse(*_):
        raise AssertionError("nobody should have to look")

    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)
    monkeypatch.setattr(word_search, "enqueue_search", lambda scan: None)
    monkeypatch.setattr(word_search, "align", refuse)


@pytest.fixture
def curator(db):
    """With a new book of two leaves, both without text."""
    client = signed_in(make_person("Conrad", "curator"))
    client.post("/curation/books/new/", ASKED | {"leaves": "2"})
    return client


@pytest.fixture
def scan(curator):
    book = Book.objects.get(slug=SLUG)
    leaf = Leaf.objects.get(book=book, number=2)
    one = a_scan(book, None)
    publication.publish_page(one, leaf, Image.new("RGB", SIZE, (240, 230, 210)), None, "Ours.")
    word_search.search(one)
    one.refresh_from_db()
    return one


def take(curator, scan, content=READ, of=""):
    file = SimpleUploadedFile("page.xml", content)
    return curator.post(f"{scan.get_absolute_url()}read/", {"file": file, "of": of})


def publish(curator, rows, **more):
    """What the form of the leaf sends; then everything that follows behind the answer."""
    now = Revision.objects.filter(book__slug=SLUG).count()
    sent = {"line": rows, "reason": "Read and mended.", "parent": now, **more}
    answer = curator.post(MEND, sent)
    assert answer.status_code == 302, answer.content.decode()
    leaf = Leaf.objects.get(book__slug=SLUG, number=2)
    set_facsimile(leaf)
    word_search.search_again(SLUG)


def boxes(scan):
    scan.image.refresh_from_db()
    return {word["text"]: (word["x"], word["y"], word["w"], word["h"]) for word in scan.image.words}


def rows_of_form(page):
    return re.findall(r'name="line"[^>]*data-line="[1-9]\d*"[^>]*>([^<]*)</textarea>', page)


def test_a_file_becomes_a_first_text_that_is_published_by_nobody_but_a_curator(curator, scan):
    answer = take(curator, scan)
    proposal = Proposal.objects.get()
    assert answer["Location"] == f"{MEND}?proposal={proposal.pk}"
    assert not Leaf.objects.get(pk=scan.image.leaf.pk).lines, "nothing is published yet"
    page = curator.get(answer["Location"]).content.decode()
    assert rows_of_form(page) == ["{#leaf-2} Shuffle tbe pack.", "Deal eight cards."]
    lit = dict(re.findall(r'<path data-line="(\d+)" d="(M\d+ \d+h\d+)', page))
    assert lit == {"1": "M70 50h360", "2": "M70 120h370"}, "its lines are lit where they were read"


def test_published_words_stand_where_they_were_read_and_mended_ones_too(curator, scan):
    take(curator, scan)
    publish(curator, ["{#leaf-2} Shuffle the pack.", "Deal eight cards."], proposal=Proposal.objects.get().pk)
    assert boxes(scan)["the"] == (250, 60, 60, 40) and boxes(scan)["cards."] == (310, 130, 120, 40)
    scan.refresh_from_db()
    assert scan.missing == [] and Leaf.objects.get(pk=scan.image.leaf.pk).image == scan.image
    assert "Not proofread" in curator.get(f"/books/{SLUG}/leaves/").content.decode()
    # A line before them, and another spelling: the ink stays where it is.
    publish(curator, ["{#leaf-2} Shuffle the pack.", "Deale eight cards."])
    assert boxes(scan)["Deale"] == (80, 130, 90, 40) and boxes(scan)["pack."] == (330, 60, 90, 40)


def test_what_is_new_in_the_text_is_looked_for_and_else_shown_as_missing(curator, scan, monkeypatch):
    take(curator, scan)
    publish(curator, ["{#leaf-2} Shuffle the pack.", "Deal eight cards."], proposal=Proposal.objects.get().pk)
    asked = []

    def look(page, known, language, regions):
        asked.append(page.size)
        found = next(word for word in known if word["text"] == "well.")
        return {"words": [{**found, "x": 440, "y": 60, "w": 70, "h": 40}], "missing": []}

    monkeypatch.setattr(word_search, "align", look)
    publish(curator, ["{#leaf-2} Shuffle the pack well.", "Deal eight cards to each."])
    assert asked == [SIZE] and boxes(scan)["well."] == (440, 60, 70, 40)
    assert boxes(scan)["Shuffle"] == (80, 60, 150, 40)
    scan.refresh_from_db()
    assert [word["text"] for word in scan.missing] == ["to", "each."]
    page = curator.get(scan.get_absolute_url()).content.decode()
    assert f"{MEND}#line-2" in page and "to each." in page


@pytest.fixture
def wanting(curator, scan):
    """A scan on which one word has no place."""
    take(curator, scan)
    publish(curator, ["{#leaf-2} Shuffle the pack.", "Deal eight cards."], proposal=Proposal.objects.get().pk)
    scan.refresh_from_db()
    lost = next(word for word in scan.image.words if word["text"] == "eight")
    scan.image.words = [word for word in scan.image.words if word != lost]
    scan.image.save()
    scan.missing = [lost]
    scan.save()
    return scan, f"{scan.get_absolute_url()}words/2-5/"


def test_a_word_gets_its_place_by_hand_and_keeps_it(curator, wanting, monkeypatch):
    scan, address = wanting
    assert address in curator.get(scan.get_absolute_url()).content.decode()
    page = curator.get(address).content.decode()
    assert "Where is" in page and "/0,10,800,280/!1200,1200/" in page
    # A likely place is drawn already: between the words before and after it.
    drawn = dict(re.findall(r'name="(left|width)"[^>]*value="([\d.]+)"', page))
    assert drawn == {"left": "22.5", "width": "15.0"}
    over = {"left": "90", "width": "90"}
    for bad in ({"left": "x"}, {"left": "101"}, {"width": "0"}, {"top": "nan"}, over):
        refused = curator.post(address, {"left": "19", "top": "40", "width": "30", "height": "15", **bad})
        assert refused.status_code == 422 and 'role="alert"' in refused.content.decode()
    answer = curator.post(address, {"left": "23.75", "top": "42.9", "width": "12.5", "height": "14.3"})
    assert answer["Location"] == scan.get_absolute_url()
    assert boxes(scan)["eight"] == (190, 130, 100, 40)
    assert [word["text"] for word in scan.image.words][3:] == ["Deal", "eight", "cards."]
    assert curator.get(address)["Location"] == scan.get_absolute_url(), "it has a place now"
    # Neither a mend elsewhere nor looking again takes it away.
    publish(curator, ["{#leaf-2} Shuffle this pack.", "Deal eight cards."])
    monkeypatch.setattr(
        word_search, "align", lambda page, known, language, regions: {"words": [], "missing": known}
    )
    scan.refresh_from_db()
    word_search.search_afresh(scan)
    word_search.search_once(scan.pk)
    assert boxes(scan) == {"eight": (190, 130, 100, 40)}


def test_a_place_given_while_words_are_looked_for_is_kept(curator, wanting, monkeypatch):
    scan, address = wanting
    where = {"left": "23.75", "top": "42.9", "width": "12.5", "height": "14.3"}

    def slowly(page, known, language, regions):
        assert curator.post(address, where).status_code == 302
        return {"words": [], "missing": known}

    monkeypatch.setattr(word_search, "align", slowly)
    word_search.search(scan)
    assert boxes(scan)["eight"] == (190, 130, 100, 40)


def test_places_are_given_by_curators_alone(curator, wanting):
    _, address = wanting
    helper = signed_in(make_person("Carla", "contributor"))
    assert helper.get(address).status_code == 403
    assert helper.post(address, {}).status_code == 403
    assert curator.get(address.replace("2-5", "2-6")).status_code == 302


def test_what_we_only_describe_is_not_looked_for(curator, scan):
    take(curator, scan)
    rows = ["[described] A picture of a hand.", "{#leaf-2} Shuffle the pack.", "Deal eight cards."]
    publish(curator, rows, proposal=Proposal.objects.get().pk)
    scan.refresh_from_db()
    assert scan.missing == [] and boxes(scan)["the"] == (250, 60, 60, 40)


@pytest.mark.parametrize("content", [b"", b"%PDF", READ[:-30], alto("")])
def test_a_bad_file_is_refused_with_a_sentence_and_leaves_nothing(curator, scan, content):
    answer = take(curator, scan, content) if content else take(curator, scan, b" ")
    assert answer.status_code == 422 and 'role="alert"' in answer.content.decode()
    assert not Proposal.objects.exists() and not FirstReading.objects.exists()


def test_where_tesseract_is_missing_the_page_says_so(curator, scan, monkeypatch):
    monkeypatch.setattr(tesseract.shutil, "which", lambda name: None)
    assert "Tesseract is not installed here" in curator.get(scan.get_absolute_url()).content.decode()


@pytest.mark.skipif(not tesseract.is_installed(), reason="Tesseract is not installed")
def test_tesseract_reads_the_page_in_a_child_and_its_boxes_are_kept(curator, scan, monkeypatch):
    from tests.archive.test_ocr_transcription import LINES, page

    monkeypatch.setattr(ocr_proposals, "open_page", lambda image: page.__wrapped__())
    answer = curator.post(f"{scan.get_absolute_url()}read/")
    rows = rows_of_form(curator.get(answer["Location"]).content.decode())
    assert [row.removeprefix("{#leaf-2} ") for row in rows] == LINES
    reading = FirstReading.objects.get()
    assert reading.by == "Tesseract" and reading.words[0]["text"] == "RULES"
    assert leaf_text.rows_of(Book.objects.get(slug=SLUG).files["text.txt"], 2) is not None


def test_the_language_of_the_reading_is_chosen_for_a_page_or_for_the_book(curator, scan, monkeypatch):
    asked = []

    def read(page, language, anchor):
        asked.append(language)
        return {"rows": ["{#a} Regeln"], "words": []}

    installed = (("eng", "English"), ("deu_latf", "German in Fraktur"), ("dan", "Danish"))
    monkeypatch.setattr(tesseract, "installed_languages", lambda: installed)
    monkeypatch.setattr(tesseract, "is_installed", lambda: True)
    monkeypatch.setattr(ocr_proposals.sandbox, "read", read)
    address = f"{scan.get_absolute_url()}read/"
    editor = f"/books/{SLUG}/2/mend/"
    assert "German in Fraktur" in curator.get(scan.get_absolute_url()).content.decode()
    assert f'action="{address}"' in curator.get(editor).content.decode()
    curator.post(address)
    curator.post(address, {"language": "dan"})
    curator.post(address, {"language": "deu_latf", "for_book": "1"})
    curator.post(address)
    curator.post(address, {"language": ""})
    assert asked == ["eng", "dan", "deu_latf", "deu_latf", "deu_latf"]
    # A stack of many pages is not stopped by what waits already, as other proposals are.
    monkeypatch.setattr(proposals, "MAX_WAITING", 0)
    curator.post(address)
    assert Proposal.objects.count() == len(asked) == 6
    for wrong in ("fra", "osd", "--psm", "../eng"):
        assert curator.post(address, {"language": wrong}).status_code == 422
    assert len(asked) == 6 and "selected" in curator.get(editor).content.decode()


def test_a_language_is_named_as_catalogues_or_as_tesseract_names_it(monkeypatch):
    installed = (("eng", ""), ("deu", ""), ("grc", ""))
    monkeypatch.setattr(tesseract, "installed_languages", lambda: installed)
    for book, chosen, code in (
        ("de-AT", "", "deu"), ("de", "grc", "grc"), ("de", "lat", "deu"), ("grc", "", "grc"),
        ("ja", "", "eng"),
    ):  # fmt: skip
        assert tesseract.language_for(book, chosen) == code


STEPS = {
    "cropped": {"left": 10.0, "top": 5.0, "right": 90.0, "bottom": 85.0},
    "turned": {"turns": 1, "left": 6.0, "bottom": 92.0},
    "upside down and straightened": {"turns": 2, "angle": 2.5, "top": 7.0},
    "turned back and straightened": {"turns": 3, "angle": -4.0, "left": 12.0, "top": 12.0, "right": 88.0},
    "right half": {"part": "right", "split": 48.0, "left": 50.0, "top": 6.0, "angle": 1.0},
}
ON_THE_PAGE = {"Shuffle": (80, 60, 150, 40), "cards.": (310, 130, 120, 40)}


def as_seen_on_picture(box, steps, size):
    """The box that a reader of the whole picture draws around a word of the cut page: its four corners."""
    a, b, c, d, e, f = affine(*PICTURE_SIZE, steps, size)
    x, y, w, h = box
    corners = [(x, y), (x + w, y), (x, y + h), (x + w, y + h)]
    xs, ys = [a * u + b * v + c for u, v in corners], [d * u + e * v + f for u, v in corners]
    return min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys)


PICTURE_SIZE = (1600, 1200)


@pytest.mark.parametrize("name", STEPS)
def test_boxes_of_a_file_go_through_the_steps_of_the_scan(curator, name):
    book, steps = Book.objects.get(slug=SLUG), Steps(**STEPS[name])
    one = a_scan(book, None)
    Original.objects.update(width=PICTURE_SIZE[0], height=PICTURE_SIZE[1])
    one.steps = record_of(steps)
    one.part = steps.part
    one.save()
    one.refresh_from_db()
    size = page_size(*PICTURE_SIZE, steps)
    leaf = Leaf.objects.get(book=book, number=2)
    publication.publish_page(one, leaf, Image.new("L", size, 240), None, "Ours.")
    seen = {word: as_seen_on_picture(box, steps, size) for word, box in ON_THE_PAGE.items()}
    # Beside the page: the table, the other half, or what is cut away.
    beyond = as_seen_on_picture((-60, 20, 30, 20), steps, size)
    if 0 < beyond[0] < PICTURE_SIZE[0] - 60 and 0 < beyond[1] < PICTURE_SIZE[1] - 60:
        seen["beyond"] = beyond
    strings = [string(word, *(round(n, 2) for n in box)) for word, box in seen.items()]
    page = f'WIDTH="{PICTURE_SIZE[0]}" HEIGHT="{PICTURE_SIZE[1]}"'
    read = alto("".join(f"<TextLine>{text}</TextLine>" for text in strings), page=page)
    assert take(curator, one, read).status_code == 302
    words = {word["text"]: (word["x"], word["y"], word["w"], word["h"]) for word in _read_words()}
    assert words.keys() == ON_THE_PAGE.keys()
    for word, box in ON_THE_PAGE.items():
        assert words[word] == pytest.approx(box, abs=2), name
    # The control: read as a file of the published page, the same boxes lie elsewhere.
    answer = take(curator, one, read, of="page")
    moved = answer.status_code == 302 and any(
        word["x"] != pytest.approx(ON_THE_PAGE.get(word["text"], (-99,))[0], abs=20) for word in _read_words()
    )
    assert moved or answer.status_code == 422


def _read_words():
    return FirstReading.objects.get().words


def test_a_file_whose_size_does_not_tell_what_it_was_made_from_is_asked_about(curator):
    one = a_scan(Book.objects.get(slug=SLUG), None)
    steps = Steps(left=10.0, top=10.0, right=90.0, bottom=90.0)
    Original.objects.update(width=PICTURE_SIZE[0], height=PICTURE_SIZE[1])
    one.steps = record_of(steps)
    one.save()
    one.refresh_from_db()
    leaf = Leaf.objects.get(book__slug=SLUG, number=2)
    image = Image.new("L", page_size(*PICTURE_SIZE, steps), 240)
    publication.publish_page(one, leaf, image, None, "Ours.")
    read = alto(
        f"<TextLine>{string('Shuffle', 400, 300, 80, 20)}</TextLine>", page='WIDTH="800" HEIGHT="600"'
    )
    answer = take(curator, one, read)
    assert answer.status_code == 422 and "Choose which" in answer.content.decode()
    assert Proposal.objects.count() == 0
    answer = take(curator, one, read, of="picture")
    assert answer.status_code == 302 and [word["x"] for word in _read_words()] == [640]

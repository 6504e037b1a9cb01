"""The picture of a cited sentence: in the kit, shown by the phone as the site does, new when the page is."""

import base64
import io
import json
import re

import pytest
from django.conf import settings
from django.core.management import call_command
from PIL import Image, ImageChops, ImageOps, ImageStat

from archive import search
from archive.images.derivatives import cut
from archive.images.storage import store_image_files
from archive.models import Book, PageImage
from archive.publication import publish
from phone.kit import content, kit_manifest, program
from tests.archive.conftest import clear_shelf

BOOK, ANCHOR = "victory-rummy-1942", "score-victory"
NAME = f"{BOOK}/{ANCHOR}"
PASSAGE = f"/books/{BOOK}/passages/{ANCHOR}/"
TYPESET = "Typeset by Tallyroom from the transcription; not a scan."
SIMILAR = 12


@pytest.fixture(scope="module")
def typeset(django_db_setup, django_db_blocker):
    with django_db_blocker.unblock():
        publish.load([settings.FIXTURES / "books" / BOOK])
        call_command("make_pages")
        yield
        clear_shelf()
        search.index().rebuild()


@pytest.fixture
def pages(typeset, db):
    """One real book with its pages, as they are typeset; what a test does to them is undone."""


def figure_of(page):
    """The figure of a clip, and the address of its picture."""
    (figure,) = re.findall(r'<figure class="clip">.*?</figure>', page, flags=re.S)
    source = re.search(r'src="([^"]*)"', figure)[1]
    bare = re.sub(r'src(set)?="[^"]*"|sizes="[^"]*"', "", figure)
    return " ".join(bare.split()), source


def test_a_phone_shows_the_place_of_a_sentence_on_its_page_as_the_site_does(on_phone, pages, client):
    told = {"content": json.loads(content.as_json({**content.content(), "static": {}}))}
    site = client.get(PASSAGE).content.decode()
    number = re.search(r"Its place on page (\d+)", site)[1]
    leaf = f"/books/{BOOK}/{number}/"
    paths = [PASSAGE, f"{leaf}?lit={ANCHOR}&pad=here-ab12cd34", leaf, f"{leaf}?lit={ANCHOR}&pad=%22%3E"]
    answers = on_phone("ask", **told, clips=content.clips(), paths=paths)
    assert [status for status, _ in answers] == [200, 200, 503, 200]
    (_, own), (_, lit), _, (_, strange) = answers
    (figure, source), (sites_figure, sites_source) = figure_of(own), figure_of(site)
    assert figure == sites_figure and TYPESET in figure
    # What the reason of a number calls the page shows the sentence and its picture, and leads back.
    assert figure_of(lit) == (figure, source)
    assert 'href="/pads/here-ab12cd34/"' in lit and "Back to the pad" not in own + strange
    with Image.open(io.BytesIO(base64.b64decode(source.partition("base64,")[2]))) as kept:
        sites = Image.open(io.BytesIO(client.get(sites_source).content)).convert("L").resize(kept.size)
        assert ImageStat.Stat(ImageChops.difference(kept.convert("L"), sites)).mean[0] < SIMILAR
        assert ImageStat.Stat(sites).stddev[0] > SIMILAR


def test_of_more_pictures_than_there_is_room_for_the_kit_has_as_many_as_fit(pages, monkeypatch):
    whole = content.clips()
    assert NAME in whole and len(whole) > 50
    room = sum(map(len, whole.values())) // 2
    monkeypatch.setattr(content, "CLIPS_BYTES_MOST", room)
    fewer = content.clips()
    assert fewer.items() < whole.items()
    assert room - max(map(len, whole.values())) < sum(map(len, fewer.values())) <= room


def test_a_book_that_is_withdrawn_or_whose_files_are_gone_has_no_picture(pages):
    Book.objects.update(state=Book.WITHDRAWN)
    assert content.clips() == {}
    Book.objects.update(state=Book.PUBLIC)
    PageImage.objects.update(checksum="0" * 64)
    assert content.clips() == {}


def test_a_page_image_that_changes_makes_another_kit(pages, monkeypatch, tmp_path):
    names = {name: name for name in kit_manifest.SCRIPTS.values()}
    monkeypatch.setattr(content, "static_names", lambda: names)
    monkeypatch.setattr(content, "static_files", list)
    # The program stays what it is, and how files are packed says nothing of their names.
    monkeypatch.setattr(program, "build", lambda kit, quality: {})
    monkeypatch.setattr(program, "compress", lambda kit, places, quality: None)
    before, again = (kit_manifest._make(tmp_path, kit_manifest.FAST) for _ in range(2))
    assert before == again
    page = PageImage.objects.filter(leaf__number=1).get()
    with Image.new("L", (page.width, page.height), 255) as paper:
        other = ImageOps.expand(paper.crop((9, 9, page.width - 9, page.height - 9)), 9, 0)
        page.checksum = store_image_files(page.identifier, other.tobytes(), ".png", cut(other))
    page.save()
    after = kit_manifest._make(tmp_path, kit_manifest.FAST)
    assert after["version"] != before["version"] and after["places"]["clips"] != before["places"]["clips"]
    assert after["places"]["content"] == before["places"]["content"]

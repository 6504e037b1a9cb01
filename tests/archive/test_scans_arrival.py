"""Files as they come in: in the order of their names, under their own names, by their largest layer."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from PIL import Image
from PIL.TiffImagePlugin import ImageFileDirectory_v2

from archive.models import Book
from archive.models.scans import Scan
from archive.scans import pages, word_search
from tests.archive.curators import signed_in
from tests.archive.hostile import picture, saved
from tests.archive.scan_files import BOOK, form_of, lines_of_print, send
from tests.archive.test_curation_books import ASKED, SLUG

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch):
    monkeypatch.setattr(word_search, "enqueue_search", lambda *_, **__: None)


@pytest.fixture
def curator(curated):
    return signed_in(curated["curator"])


def png(seed):
    return saved(picture(240, 180, seed=seed), "PNG")


def names():
    return [scan.name for scan in Scan.objects.of_book(Book.objects.get(slug=BOOK))]


def test_uploads_stand_in_the_order_of_their_names_whatever_comes_first(curator):
    for seed, name in enumerate(["Page 10.png", "page 2.png", "page 1.png", "Page 9b.png", "page 9.png"]):
        send(curator, (name, png(seed)))
    assert names() == ["page 1.png", "page 2.png", "page 9.png", "Page 9b.png", "Page 10.png"]


def test_pages_that_have_their_leaf_stay_where_they_are(curator):
    send(curator, ("b.png", png(1)))
    first = Scan.objects.get()
    curator.post(first.get_absolute_url(), form_of(first, act="save", leaf=4))
    send(curator, ("a.png", png(2)))
    assert names() == ["b.png", "a.png"]


def test_names_are_sorted_as_people_do():
    given = ["10", "9", "a10", "a9", "A1", "", "²", "1" * 40]
    assert sorted(given, key=pages.name_order)[:3] == ["", "9", "10"]


def test_a_file_that_another_book_has_keeps_its_own_name_and_sender_here(curator, curated):
    send(curator, ("IMG_0001.png", png(1)))
    curator.post("/curation/books/new/", ASKED)
    keeper = signed_in(curated["keeper"])
    file = SimpleUploadedFile("title page.png", png(1))
    keeper.post(f"/books/{SLUG}/scans/upload/", {"files": [file]})
    other = Scan.objects.get(book__slug=SLUG)
    page = keeper.get(other.get_absolute_url()).content.decode()
    assert "title page.png" in page and "Kim Lee" in page
    assert "IMG_0001" not in page and "Conrad" not in page
    assert names() == ["IMG_0001.png"]


def test_saving_the_steps_of_a_scan_puts_it_on_no_page_unasked(curator):
    send(curator, ("page.png", saved(lines_of_print(), "PNG")))
    scan = Scan.objects.get()
    form = curator.get(scan.get_absolute_url()).content.decode()
    chosen = form.split('name="leaf"')[1].split("</select>")[0]
    assert " selected" not in chosen and "it may be page 1" in form
    curator.post(scan.get_absolute_url(), form_of(scan, act="save", tone="grey"))
    scan.refresh_from_db()
    assert scan.leaf is None and scan.chosen_steps.tone == "grey"


def pyramid(flagged):
    """A TIFF of one page in four sizes, the last a thumbnail far too small for a page."""
    sizes = [(600, 800), (300, 400), (150, 200), (45, 60)]
    layers = [picture(*size, seed=3).convert("L") for size in sizes]
    out = io.BytesIO()
    directories = []
    for number in range(len(layers)):
        directory = ImageFileDirectory_v2()
        directory[254] = 1 if number and flagged else 0
        directories.append(directory)
    for layer, directory in zip(layers, directories, strict=True):
        layer.encoderinfo = {"tiffinfo": directory}
    layers[0].save(out, "TIFF", save_all=True, append_images=layers[1:], tiffinfo=directories[0])
    return out.getvalue()


@pytest.mark.parametrize("flagged", [True, False])
def test_a_pyramid_is_judged_by_its_largest_layer(curated, tmp_path, capsys, flagged):
    (tmp_path / "page.tif").write_bytes(pyramid(flagged))
    with Image.open(tmp_path / "page.tif") as image:
        assert image.n_frames == 4
    call_command("ingest", BOOK, str(tmp_path / "page.tif"))
    assert "Taken in: 600 × 800 pixels." in capsys.readouterr().out
    assert [(scan.original.frames, scan.original.width) for scan in Scan.objects.all()] == [(1, 600)]


def test_pages_of_one_size_are_no_pyramid(curated, tmp_path, capsys):
    layers = [picture(300, 400, seed=n).convert("L") for n in range(3)]
    layers[0].save(tmp_path / "pages.tif", save_all=True, append_images=layers[1:])
    call_command("ingest", BOOK, str(tmp_path / "pages.tif"))
    assert "3 pages" in capsys.readouterr().out and Scan.objects.count() == 3


def test_export_with_a_path_says_what_to_write_instead(curated, tmp_path):
    with pytest.raises(CommandError, match=f"--folder {tmp_path}"):
        call_command("export_books", str(tmp_path))
    with pytest.raises(CommandError, match=f"There is no rulebook whist. There are: {BOOK}"):
        call_command("export_books", "whist", folder=tmp_path)
    assert not list(tmp_path.iterdir())

"""Scans from the upload to the leaf: kept untouched, cut by steps, put up, taken down, found again."""

import hashlib
from dataclasses import replace

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from PIL import Image, ImageChops, ImageDraw, ImageFont, ImageStat

from archive.curation import edits, leaf_order
from archive.images.page_image_cache import forget_images
from archive.images.storage import files_in, originals, pages
from archive.models import Book, Leaf, PageImage
from archive.models.history import Proposal
from archive.models.scans import Original, Placing, Scan
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.scans import double_pages, publication, uploads, word_search
from archive.scans import pages as scan_pages
from archive.scans.crop import crop_page
from archive.scans.detection import propose_steps
from archive.scans.formats.jpeg import _segments
from archive.scans.geometry import Steps, StepsError, steps_from_form
from tests.archive.curators import signed_in
from tests.archive.hostile import picture, saved
from tests.archive.scan_files import (
    BOOK,
    SCANS,
    form_of,
    lines_of_print,
    opened,
    photograph,
    send,
    set_facsimile,
    spread,
)
from tests.html import holds
from tests.people.conftest import make_person

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch):
    """Words are looked for when a test says so, in its own transaction."""
    monkeypatch.setattr(word_search, "enqueue_search", lambda *_, **__: None)
    forget_images()


@pytest.fixture
def curated(shelved, db):
    """That book and one person of each role."""
    names = {"contributor": "Carla", "curator": "Conrad", "keeper": "Kim Lee"}
    return {role: make_person(name, role) for role, name in names.items()}


@pytest.fixture
def curator(curated):
    return signed_in(curated["curator"])


@pytest.fixture
def page(curator):
    """A photograph of one page, taken in."""
    send(curator, ("page.jpg", photograph(lines_of_print())))
    return Scan.objects.get()


def post(client, scan, **changed):
    scan.refresh_from_db()
    return client.post(scan.get_absolute_url(), form_of(scan, **changed))


def names_of(book):
    return [scan.original.name for scan in Scan.objects.of_book(book)]


def markers(jpeg):
    return {marker for marker, _, _ in _segments(jpeg, 0)}


def test_an_original_is_kept_untouched_and_private(curator, page, curated):
    content = photograph(lines_of_print())
    original = page.original
    assert original.digest == hashlib.sha256(content).hexdigest()
    with originals().open(original.file_name) as kept:
        assert kept.read() == content
    assert (original.name, original.size, original.signed) == ("page.jpg", len(content), "Conrad")
    for folder in ("/images/", "/", "/originals/", "/static/"):
        assert Client().get(folder + original.file_name).status_code == 404


def test_many_files_come_with_one_plain_form_and_each_is_told(curator):
    files = [(f"{n}.png", saved(picture(seed=n), "PNG")) for n in range(3)]
    answer = send(curator, *files, ("bad.jpg", b"<html>"), files[0], script=False)
    assert answer.status_code == 200 and Scan.objects.count() == 3
    text = answer.content.decode()
    assert text.count("Taken in: 240 × 180 pixels.") == 3
    assert "is not a JPEG, PNG, WebP or TIFF image" in text and "here already, as 0.png" in text
    assert [scan.order for scan in Scan.objects.all()] == [1, 2, 3]


def test_a_file_that_is_too_large_is_not_even_kept_on_disk(curator, settings):
    settings.SCAN_BYTES_MAX = 20_000
    answer = send(curator, ("large.png", saved(picture(800, 600), "PNG")))
    assert answer.status_code == 422 and "too large" in answer.json()["files"][0]["sentence"]


def test_an_upload_needs_its_token_and_a_curator(curated):
    picky = Client(enforce_csrf_checks=True)
    picky.force_login(curated["curator"])
    assert send(picky, ("page.png", saved(picture(), "PNG"))).status_code == 403
    assert send(signed_in(curated["contributor"]), ("page.png", b"x")).status_code == 403
    assert send(Client(), ("page.png", b"x")).status_code == 403
    assert not Original.objects.exists()


@pytest.mark.parametrize("form", ["PNG", "JPEG", "WEBP"])
def test_a_picture_of_one_colour_is_refused_with_a_sentence_and_not_kept(curator, form):
    before = list(files_in(originals()))
    blank = saved(Image.new("RGB", (600, 800), (200, 190, 170)), form)
    answer = send(curator, (f"page.{form.lower()}", blank))
    assert answer.status_code < 500
    assert "the same colour all over" in answer.content.decode()
    assert not Scan.objects.exists() and not Original.objects.exists()
    assert list(files_in(originals())) == before


def test_a_picture_of_almost_one_colour_is_left_whole():
    """A speck that is gone on the small copy leaves one level of grey."""
    speck = Image.new("RGB", (3_000, 4_000), "white")
    speck.putpixel((1_500, 2_000), (0, 0, 0))
    assert propose_steps(speck).steps == Steps()


def test_a_file_whose_page_cannot_be_found_leaves_nothing(curator, monkeypatch):
    def fails(*_):
        raise ValueError

    before = list(files_in(originals()))
    monkeypatch.setattr(uploads, "propose_steps", fails)
    with pytest.raises(ValueError):
        send(curator, ("page.png", saved(picture(seed=7), "PNG")))
    assert list(files_in(originals())) == before


def test_names_from_outside_are_only_words(curator):
    send(curator, ("../../<script>.png", saved(picture(), "PNG")))
    original = Original.objects.get()
    assert "/" not in original.name and original.file_name.startswith("scans/")
    assert b"<script>.png" not in curator.get(SCANS).content


@pytest.mark.parametrize("angle", [-3.3, 0.4, 2.0, 5.1])
def test_crooked_lines_are_found_to_a_tenth_of_a_degree(angle):
    photo = spread(lines_of_print(), lines_of_print(), degrees=angle)
    assert abs(propose_steps(photo).steps.angle - angle) <= 0.1


def test_fold_and_edges_of_a_spread_are_found():
    photo = spread(lines_of_print(), lines_of_print())
    left, right = (propose_steps(photo, part=part).steps for part in ("left", "right"))
    assert abs(left.split - 50) < 1 and left.frame[2] == right.frame[0] == left.split
    for steps in (left, right):
        page = crop_page(photo, steps, 1_000)
        edge = page.crop((0, 0, page.width, 4))
        assert min(ImageStat.Stat(edge).mean) > 180, "a rim of table"
        assert abs(page.width / page.height - 0.7) < 0.02


def test_a_picture_without_a_table_around_is_left_whole():
    steps = propose_steps(lines_of_print()).steps
    assert steps.frame == (0, 0, 100, 100) and abs(steps.angle) <= 0.1


def test_steps_on_a_small_copy_and_on_the_whole_are_the_same_page():
    photo = spread(lines_of_print(), lines_of_print())
    steps = Steps(turns=1, angle=-1.5, left=12.5, top=20, right=71, bottom=90)
    whole = crop_page(photo, steps, 5_000)
    small = crop_page(photo.resize((photo.width // 2, photo.height // 2)), steps, 5_000)
    other = small.resize(whole.size)
    assert sum(ImageStat.Stat(ImageChops.difference(whole, other)).mean) < 24


@pytest.mark.parametrize("turns", range(4))
def test_a_quarter_turn_is_a_quarter_turn(turns):
    image = lines_of_print(300, 200)
    turned = crop_page(image, Steps(turns=turns), 1_000)
    assert turned.size == ((300, 200) if turns % 2 == 0 else (200, 300))
    assert sum(ImageStat.Stat(ImageChops.difference(turned, image.rotate(-90 * turns, expand=True))).mean) < 1


def test_black_and_white_loses_shadows_and_keeps_ink():
    shadow = Image.linear_gradient("L").resize((700, 1000)).point(lambda level: 90 + level // 2)
    dark = ImageChops.multiply(lines_of_print(), Image.merge("RGB", [shadow] * 3))
    page = crop_page(dark, Steps(tone="bw"), 2_000)
    assert set(page.get_flattened_data()) <= {0, 255}
    assert page.getpixel((5, 5)) == page.getpixel((5, 990)) == 255 and page.getpixel((90, 117)) == 0


def test_steps_that_cannot_be_meant_are_refused_with_a_sentence():
    for form in (
        {"angle": "crooked"}, {"angle": "90"}, {"left": "-1"}, {"right": "101"},
        {"left": "60", "right": "61"}, {"turns": "7"}, {"tone": "sepia"}, {"top": "nan"}, {"bottom": "1e999"},
    ):  # fmt: skip
        with pytest.raises(StepsError) as fault:
            steps_from_form(form, "whole")
        assert str(fault.value).endswith(".")


def test_steps_are_kept_and_done_anew_from_the_original(curator, page):
    before = originals().open(page.original.file_name).read()
    assert post(curator, page, angle="1.5", left="10", tone="grey", leaf=4).status_code == 302
    page.refresh_from_db()
    assert (page.chosen_steps.angle, page.chosen_steps.left, page.chosen_steps.tone, page.leaf.number) == (
        1.5,
        10,
        "grey",
        4,
    )
    assert post(curator, page, angle="0", left="0", tone="colour").status_code == 302
    assert originals().open(page.original.file_name).read() == before
    answer = post(curator, page, left="99.9")
    assert answer.status_code == 422 and "Nothing would be left" in answer.content.decode()


def test_a_spread_becomes_two_pages_and_one_again(curator):
    send(
        curator,
        ("spread.jpg", photograph(spread(lines_of_print(), lines_of_print()))),
        ("z.png", saved(picture(), "PNG")),
    )
    scan = Scan.objects.get(order=1)
    assert "two pages side by side?" in curator.get(scan.get_absolute_url()).content.decode()
    post(curator, scan, act="divide")
    assert [(one.part, one.order) for one in Scan.objects.all()] == [("left", 1), ("right", 2), ("whole", 3)]
    left, right = Scan.objects.filter(original=scan.original)
    post(curator, left, split="48.5")
    right.refresh_from_db()
    assert right.chosen_steps.split == 48.5 and right.chosen_steps.part == "right"
    post(curator, left, act="unite")
    assert [(one.part, one.order) for one in Scan.objects.all()] == [("whole", 1), ("whole", 2)]


def test_scans_are_moved_by_keys_and_by_number(curator):
    for n in range(3):
        send(curator, (f"{n}.png", saved(picture(seed=n), "PNG")))
    first = Scan.objects.get(order=1)
    curator.post(f"{SCANS}{first.pk}/move/", {"by": "down"})
    assert names_of(first.book) == ["1.png", "0.png", "2.png"]
    curator.post(f"{SCANS}{first.pk}/move/", {"to": "3"})
    assert names_of(first.book) == ["1.png", "2.png", "0.png"]
    curator.post(f"{SCANS}{first.pk}/move/", {"to": "-4"})
    curator.post(f"{SCANS}{first.pk}/move/", {"by": "down"})
    assert names_of(first.book) == ["1.png", "2.png", "0.png"]


def test_a_published_scan_shows_on_its_leaf_and_the_log_says_so(curator, page):
    facsimile = PageImage.objects.create(
        leaf=Leaf.objects.get(book__slug=BOOK, number=4), kind="facsimile", identifier="f4",
        width=10, height=10, checksum="0" * 64, words=[],
    )  # fmt: skip
    assert "Choose the page" in post(curator, page, act="publish", leaf="").content.decode()
    assert "Say briefly why" in post(curator, page, act="publish", leaf=4, reason="").content.decode()
    assert post(curator, page, act="publish", leaf=4, tone="grey").status_code == 302
    leaf = facsimile.leaf
    image = leaf.image
    assert image.kind == "scan" and image.identifier.startswith(f"{BOOK}-4-s")
    placing = Placing.objects.get()
    assert (placing.signed, placing.reason, placing.act) == ("Conrad", "A photograph of our copy.", "up")
    assert "grey" in placing.words and placing.original == page.original.digest
    assert "A photograph of our copy." in Client().get(f"/books/{BOOK}/revisions/").content.decode()
    # Done anew with other steps it is another image; the first one is still where it was.
    post(curator, page, act="publish", leaf=4, tone="bw")
    again = Leaf.objects.get(pk=leaf.pk).image
    assert again.identifier != image.identifier
    for one in (image, again):
        assert Client().get(f"/iiif/image/3/{one.identifier}/full/max/0/default.jpg").status_code == 200
    post(curator, page, act="withdraw", reason="Blurred.", tone="colour")
    assert "black and white" in Placing.objects.first().words
    assert Leaf.objects.get(pk=leaf.pk).image == facsimile
    assert Client().get(f"/iiif/image/3/{again.identifier}/full/max/0/default.jpg").status_code == 200
    assert [one.act for one in Placing.objects.all()] == ["down", "up", "up"]
    # And the first one can be put up again: the same pixels are the same image.
    post(curator, page, act="publish", leaf=4, tone="grey")
    assert Leaf.objects.get(pk=leaf.pk).image.identifier == image.identifier


def test_nothing_that_is_served_says_where_or_with_what_it_was_taken(curator, page):
    post(curator, page, act="publish", leaf=4)
    page.refresh_from_db()
    folders, served = [page.image.identifier], []
    while folders:
        folder = folders.pop()
        inner, files = pages().listdir(folder)
        folders += [f"{folder}/{name}" for name in inner]
        served += [pages().open(f"{folder}/{name}").read() for name in files]
    for view in ("before.jpg", "after.jpg"):
        served.append(curator.get(f"{SCANS}{page.pk}/{view}").content)
    served.append(Client().get(f"/iiif/image/3/{page.image.identifier}/square/200,/90/gray.png").content)
    assert len(served) > 10
    for content in served:
        assert b"Kitchen Camera" not in content and b"Exif" not in content and b"ICC_PROFILE" not in content
        if content.startswith(b"\xff\xd8"):
            assert not {m for m in markers(content) if 0xE1 <= m <= 0xEF or m == 0xFE}


def test_previews_are_for_curators_and_kept_by_nobody(curator, curated, page):
    for view in ("before.jpg", "after.jpg", "after.jpg?turns=1&angle=2&left=10&tone=bw"):
        answer = curator.get(f"{SCANS}{page.pk}/{view}")
        assert answer["Content-Type"] == "image/jpeg" and "no-store" in answer["Cache-Control"]
        assert max(opened(answer).size) <= 1_200
        assert signed_in(curated["contributor"]).get(f"{SCANS}{page.pk}/{view}").status_code == 403
        assert Client().get(f"{SCANS}{page.pk}/{view}").status_code == 302
    assert curator.get(f"{SCANS}{page.pk}/after.jpg?turns=0&angle=x").status_code == 422


ADDRESSES = ["", "{pk}/", "{pk}/before.jpg", "{pk}/after.jpg", "{pk}/words/"]
SENDING = ["upload/", "{pk}/", "{pk}/move/"]


@pytest.mark.parametrize("role", ["reader", "contributor", "curator", "keeper"])
def test_each_role_gets_exactly_where_it_may(curated, page, role):
    client = Client() if role == "reader" else signed_in(curated[role])
    may = role in ("curator", "keeper")
    for address in ADDRESSES:
        answer = client.get(SCANS + address.format(pk=page.pk))
        assert answer.status_code == (200 if may else 302 if role == "reader" else 403), address
    for address in SENDING:
        answer = client.post(SCANS + address.format(pk=page.pk), {"act": "save", "turns": "0"})
        assert (answer.status_code in (200, 302, 422)) if may else (answer.status_code == 403), address
    for address in ADDRESSES[1:]:
        assert signed_in(curated["curator"]).get(SCANS + address.format(pk=999_999)).status_code == 404


def test_taking_an_upload_away_is_asked_twice_and_names_the_half(curator, page):
    whole = curator.get(page.get_absolute_url()).content.decode()
    asked = whole.partition("<summary>Remove this upload…</summary>")[2].partition("</details>")[0]
    assert 'value="remove"' in asked and whole.count('value="remove"') == 1
    assert f"<b>{page.original.name}</b>, the whole picture, is deleted for good." in asked
    post(curator, page, act="divide")
    half = curator.get(page.get_absolute_url()).content.decode()
    assert holds(
        half, f"The left half of <b>{page.original.name}</b> is deleted for good; the right half stays."
    )


def test_what_was_sent_by_mistake_can_be_taken_away_until_it_is_published(curator, page):
    name = page.original.file_name
    post(curator, page, act="remove")
    assert not Scan.objects.exists() and not Original.objects.exists() and not originals().exists(name)
    send(curator, ("page.jpg", photograph(lines_of_print())))
    scan = Scan.objects.get()
    post(curator, scan, act="publish", leaf=4)
    assert "has been published" in post(curator, scan, act="remove").content.decode()
    assert originals().exists(scan.original.file_name)


def two_of(page):
    """The scan as two curators have it before them in the same second."""
    return tuple(Scan.objects.select_related("original", "book", "leaf").get(pk=page.pk) for _ in range(2))


def test_of_two_who_divide_a_picture_at_once_one_does_and_the_other_is_told(curator, page):
    one, other = two_of(page)
    double_pages.split(one, one.chosen_steps)
    with pytest.raises(EditError, match="two pages already"):
        double_pages.split(other, page.chosen_steps)
    with pytest.raises(EditError, match="two pages already"):
        scan_pages.save(page, page.chosen_steps)
    assert [scan.part for scan in Scan.objects.all()] == ["left", "right"]
    left, again = two_of(one)
    double_pages.join(left)
    with pytest.raises(EditError, match="one page already"):
        double_pages.join(again)
    assert [scan.part for scan in Scan.objects.all()] == ["whole"]


def test_a_half_that_was_put_up_a_moment_ago_stays(curator, page, curated):
    other = double_pages.split(page, page.chosen_steps)
    stale = Scan.objects.get(pk=other.pk)
    scan_pages.save_with_leaf(other, other.chosen_steps, Leaf.objects.get(book__slug=BOOK, number=4))
    publication.publish(other, curated["curator"], "A half.")
    with pytest.raises(EditError, match="stay apart"):
        double_pages.join(page)
    with pytest.raises(EditError, match="has been published"):
        scan_pages.remove(stale)
    assert Scan.objects.count() == 2


def test_a_scan_that_was_removed_or_changed_while_its_page_was_cut_is_not_put_up(curator, page, curated):
    leaf = Leaf.objects.get(book__slug=BOOK, number=4)
    one, other = two_of(page)
    scan_pages.save_with_leaf(one, replace(one.chosen_steps, tone="grey"), leaf)
    with pytest.raises(EditError, match="changed while its page was cut"):
        publication.publish_page(other, leaf, lines_of_print(), curated["curator"], "Why not?")
    scan_pages.remove(one)
    with pytest.raises(EditError, match="has been removed meanwhile"):
        publication.publish_page(other, leaf, lines_of_print(), curated["curator"], "Why not?")
    assert not PageImage.objects.exists() and not Placing.objects.exists()


@pytest.mark.parametrize("act", ["propose", "divide", "seek", "withdraw"])
def test_a_leaf_that_somebody_chose_meanwhile_stays_chosen(curator, page, monkeypatch, act):
    one, other = two_of(page)
    scan_pages.save_with_leaf(one, one.chosen_steps, Leaf.objects.get(book__slug=BOOK, number=4))
    monkeypatch.setattr("archive.scans.views.scan.find_scan", lambda *_: other)
    curator.post(other.get_absolute_url(), form_of(other, act=act, leaf=2))
    assert Scan.objects.get(pk=page.pk).leaf.number == 4


@pytest.mark.parametrize("act", ["save", "publish", "withdraw", "propose", "divide", "unite", "remove"])
def test_whoever_acts_on_a_scan_that_was_just_removed_is_told(curator, page, monkeypatch, act):
    found = two_of(page)
    scan_pages.remove(found[0])
    monkeypatch.setattr("archive.scans.views.scan.find_scan", lambda *_: found[1])
    answer = curator.post(found[1].get_absolute_url(), form_of(found[1], act=act, leaf=4))
    assert answer.status_code == 409 and "has been removed meanwhile" in answer.content.decode()
    assert not Placing.objects.exists()


def test_a_file_that_went_while_its_page_was_cut_is_told(curator, page, monkeypatch):
    originals().delete(page.original.file_name)
    answer = post(curator, page, act="publish", leaf=4)
    assert answer.status_code == 422 and "file of this scan is missing" in answer.content.decode()
    originals().delete(page.original.copy_name(0))
    assert curator.get(f"{SCANS}{page.pk}/after.jpg").status_code == 404


def test_words_are_looked_for_and_what_was_not_found_is_shown(curator, page, monkeypatch):
    leaf = Leaf.objects.get(book__slug=BOOK, number=4)
    known = set_facsimile(leaf)
    post(curator, page, act="publish", leaf=4, unfit="on")
    page.refresh_from_db()
    assert "are being found" in curator.get(f"{SCANS}{page.pk}/words/").content.decode()
    given = {}

    def align(image, words, language, regions):
        given.update(size=image.size, words=words, language=language)
        return {"words": words[:-1], "missing": words[-1:]}

    monkeypatch.setattr(word_search, "align", align)
    word_search.search(page)
    page.refresh_from_db()
    assert given["words"] == known and given["size"] == (page.image.width, page.image.height)
    assert page.image.words == known[:-1] and page.missing == known[-1:]
    text = curator.get(f"{SCANS}{page.pk}/words/").content.decode()
    assert holds(text, f"{len(known) - 1} words of page 4") and f"Line {known[-1]['line']}" in text
    # Another text: the words are looked for again, once.
    assert word_search.search_again(BOOK) == 0
    Leaf.objects.filter(pk=leaf.pk).update(fingerprint="other")
    assert word_search.search_again(BOOK) == 1 and word_search.search_again(BOOK) == 0


def test_looking_that_fails_is_said_and_can_be_asked_for_again(curator, page, monkeypatch):
    set_facsimile(Leaf.objects.get(book__slug=BOOK, number=4))
    post(curator, page, act="publish", leaf=4, unfit="on")
    page.refresh_from_db()

    def fail(*_):
        raise OSError("no room")

    monkeypatch.setattr(word_search, "align", fail)
    word_search.search(page)
    assert "could not be found in time" in curator.get(f"{SCANS}{page.pk}/words/").content.decode()
    post(curator, page, act="seek")
    assert "are being found" in curator.get(f"{SCANS}{page.pk}/words/").content.decode()


def test_ingest_takes_folders_and_every_page_of_a_tiff(curated, tmp_path, capsys):
    frames = [picture(600, 800, seed=n).convert("L") for n in range(3)]
    (tmp_path / "in").mkdir()
    frames[0].save(tmp_path / "in" / "b.tif", save_all=True, append_images=frames[1:], compression="tiff_lzw")
    (tmp_path / "in" / "a.png").write_bytes(saved(picture(600, 800, seed=9), "PNG"))
    (tmp_path / "in" / "notes.txt").write_text("no picture")
    call_command("ingest", BOOK, str(tmp_path / "in"), leaf=2, steps="tone=grey")
    said = capsys.readouterr().out
    assert "notes.txt: This file is not a JPEG" in said and "3 pages" in said
    scans = list(Scan.objects.of_book(Book.objects.get(slug=BOOK)))
    assert [(scan.original.name, scan.frame, scan.leaf.number) for scan in scans] == [
        ("a.png", 0, 2), ("b.tif", 0, 3), ("b.tif", 1, 4), ("b.tif", 2, 5)
    ]  # fmt: skip
    assert {scan.chosen_steps.tone for scan in scans} == {"grey"}
    tiff = str(tmp_path / "in" / "b.tif")
    call_command("ingest", BOOK, tiff, leaf=3, publish=True, reason="From the museum.")
    assert "here already" in capsys.readouterr().out
    assert [scan.is_shown for scan in Scan.objects.of_book(scans[0].book)] == [False, True, True, True]
    assert {one.reason for one in Placing.objects.all()} == {"From the museum."}


@pytest.fixture
def wordless(curator, curated):
    """A scan that is up on a leaf which has no text yet."""
    book = Book.objects.get(slug=BOOK)
    files = revisions.files_at(book, 1)
    places = [*leaf_order.places_of(files), leaf_order.LeafPlace(0, "Back cover")]
    edits.save(
        BOOK, leaf_order.reordered(files, places), 1, revisions.Signature("One more.", curated["curator"])
    )
    page = Image.new("L", (900, 400), 250)
    draw, face = ImageDraw.Draw(page), ImageFont.load_default(size=44)
    draw.text((60, 80), "The dealer deals to the left.", fill=20, font=face)
    draw.text((60, 150), "Ten cards to each player.", fill=20, font=face)
    send(curator, ("back.png", saved(page, "PNG")))
    scan = Scan.objects.get()
    post(curator, scan, act="publish", leaf=len(places), left=0, right=100, top=0, bottom=100, angle=0)
    scan.refresh_from_db()
    return scan


def test_a_leaf_without_text_is_read_and_opens_as_a_proposal(curator, wordless, settings):
    settings.TESSERACT_SECONDS_MAX = 45.0
    text = curator.get(wordless.get_absolute_url()).content.decode()
    assert "Read it with Tesseract" in text and "Look for the words again" not in text
    assert "some seconds, 45 at most" in text
    assert "no words to look for" in post(curator, wordless, act="seek").content.decode()
    answer = curator.post(f"{wordless.get_absolute_url()}read/")
    proposal = Proposal.objects.get()
    assert answer["Location"] == f"{proposal.address}?proposal={proposal.pk}"
    text = curator.get(answer["Location"]).content.decode()
    assert "dealer deals to the left" in text and "Read by Tesseract from the scan." in text
    # Nothing was published; once somebody has, there is nothing more to read.
    assert "dealer deals to the left." not in Client().get(f"/books/{BOOK}/text.txt").content.decode()[-200:]


def test_a_first_text_may_come_from_a_file(curator, wordless):
    words = "".join(
        f"<span class='ocrx_word' title='bbox {x} 80 {x + 90} 120'>{word}</span>"
        for x, word in ((60, "Ten"), (170, "cards"), (280, "each."))
    )
    hocr = (
        "<html><body><div class='ocr_page' title='bbox 0 0 900 400'>"
        f"<span class='ocr_line' title='bbox 60 80 400 120'>{words}</span></div></body></html>"
    )
    address = f"{wordless.get_absolute_url()}read/"
    answer = curator.post(address, {"file": SimpleUploadedFile("page.hocr", hocr.encode())})
    assert "Ten cards each." in curator.get(answer["Location"]).content.decode()
    answer = curator.post(address, {"file": SimpleUploadedFile("page.hocr", b"<nothing/>")})
    assert answer.status_code == 422 and "neither hOCR nor ALTO" in answer.content.decode()


def test_a_leaf_with_a_text_is_not_read_over(curator, page):
    post(curator, page, act="publish", leaf=4)
    answer = curator.post(f"{page.get_absolute_url()}read/")
    assert answer.status_code == 422 and "has a text already" in answer.content.decode()
    assert not Proposal.objects.exists()

"""Sizes and tiles: cut once, kept by content, found again by what is asked for."""

import io
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.conf import settings
from django.core.management import call_command
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from archive.edition import Line, Run
from archive.edition.line_json import pack_lines
from archive.images import middleware
from archive.images.assembly import assemble, stored_file_for
from archive.images.clips import clip_address
from archive.images.derivatives import cut, jpeg, png
from archive.images.iiif_request import parse_request
from archive.images.page_image_cache import find_image, forget_images
from archive.images.pictures import page_image
from archive.images.storage import originals, pages
from archive.images.tiles import TILE_SIZE, level_size, scales_of, sizes_of, tile_at, tile_name, tiles_of
from archive.models import Book, Leaf, PageImage, Passage, PassageName
from tests.archive.page_images import forget_files, ingest_scan

SIDES = st.integers(1, 9000)


@pytest.fixture(autouse=True)
def _fresh_memory():
    forget_images()
    forget_files()


def a_book(slug="some-book", leaves=1):
    book = Book.objects.create(
        slug=slug, title="Some book", short_title="Some", fingerprint=slug, published=timezone.now(),
        rights_address="http://rightsstatements.org/vocab/NoC-US/1.0/",
    )  # fmt: skip
    for number in range(1, leaves + 1):
        said = f"Leaf {number} says this."
        line = Line(number, 1, "body", 1, (Run("text", said, said, passage="says"),))
        Leaf.objects.create(
            book=book, number=number, title="Text", break_certainty="certain", lines=pack_lines([line])
        )
    return book


def squares(width=1100, height=700, step=50):
    """A picture in which every place has its own colour."""
    image = Image.new("RGB", (width, height))
    for x in range(0, width, step):
        for y in range(0, height, step):
            image.paste((x * 255 // width, y * 255 // height, (x + y) % 255), (x, y, x + step, y + step))
    return image


def opener(image):
    files = dict(cut(image))
    return lambda name: Image.open(io.BytesIO(files[name]))


@given(SIDES, SIDES)
def test_tiles_of_a_scale_cover_the_image_once(width, height):
    for scale in scales_of(width, height):
        tiles = (
            [tile for tile in tiles_of(width, height) if tile.scale == scale] if width < 3000 > height else []
        )
        if tiles:
            assert sum(tile.w * tile.h for tile in tiles) == width * height
            level = level_size(width, height, scale)
            assert sum(tile.size.width for tile in tiles if tile.row == 0) == level.width
            assert sum(tile.size.height for tile in tiles if tile.column == 0) == level.height
    last = level_size(width, height, scales_of(width, height)[-1])
    assert max(last.width, last.height) <= TILE_SIZE


@given(SIDES, SIDES)
def test_sizes_grow_and_end_with_the_image_itself(width, height):
    sizes = sizes_of(width, height)
    assert [size.width for size in sizes] == sorted({size.width for size in sizes})
    assert (sizes[-1].width, sizes[-1].height) == (width, height)
    assert all(size.height >= 1 for size in sizes)


def test_every_size_and_tile_is_cut_at_its_dimensions():
    image = squares()
    files = dict(cut(image))
    for size in sizes_of(*image.size):
        assert Image.open(io.BytesIO(files.pop(f"full/{size.width}.jpg"))).size == (size.width, size.height)
    for tile in tiles_of(*image.size):
        kept = Image.open(io.BytesIO(files.pop(tile_name(tile.scale, tile.column, tile.row))))
        assert kept.size == (tile.size.width, tile.size.height)
    assert files == {}


def test_what_is_served_carries_no_metadata():
    exif = Image.Exif()
    exif[0x010E] = "taken in a kitchen"
    original = io.BytesIO()
    squares().save(original, "JPEG", exif=exif, comment=b"secret", icc_profile=b"not a profile")
    for name, content in cut(Image.open(original)):
        kept = Image.open(io.BytesIO(content))
        assert not kept.getexif() and not {"comment", "icc_profile", "exif"} & set(kept.info), name
        assert b"kitchen" not in content and b"secret" not in content


def test_whole_pictures_are_progressive():
    files = dict(cut(squares()))
    assert Image.open(io.BytesIO(files["full/640.jpg"])).info.get("progressive")


@pytest.mark.parametrize("mode", ["1", "L", "P", "RGBA", "CMYK", "LA", "I;16"])
def test_pictures_of_any_mode_can_be_cut(mode):
    image = Image.new(mode, (700, 30))
    assert len(list(cut(image))) == len(sizes_of(700, 30)) + len(list(tiles_of(700, 30)))


def test_the_canonical_request_of_every_tile_and_size_is_its_file():
    width, height = 1540, 2400
    for tile in tiles_of(width, height):
        region = f"{tile.x},{tile.y},{tile.w},{tile.h}"
        asked = parse_request(
            width, height, region, f"{tile.size.width},{tile.size.height}", "0", "default", "jpg"
        )
        if (tile.w, tile.h) == (width, height) and tile.size.width in {
            s.width for s in sizes_of(width, height)
        }:
            continue
        assert stored_file_for(width, height, asked) == tile_name(tile.scale, tile.column, tile.row)
    for size in sizes_of(width, height):
        for text in (f"{size.width},", f"{size.width},{size.height}"):
            asked = parse_request(width, height, "full", text, "0", "color", "jpg")
            assert stored_file_for(width, height, asked) == f"full/{size.width}.jpg"


@pytest.mark.parametrize(
    ("region", "size", "rotation", "rest"),
    [
        ("1,0,512,512", "512,512", "0", "default.jpg"),
        ("0,0,512,512", "511,511", "0", "default.jpg"),
        ("0,0,512,512", "512,512", "90", "default.jpg"),
        ("0,0,512,512", "512,512", "!0", "default.jpg"),
        ("0,0,512,512", "512,512", "0", "gray.jpg"),
        ("0,0,512,512", "512,512", "0", "default.png"),
        ("0,0,1024,512", "512,256", "0", "default.jpg"),
    ],
)
def test_a_request_beside_the_tiles_has_no_file(region, size, rotation, rest):
    assert (
        stored_file_for(1540, 2400, parse_request(1540, 2400, region, size, rotation, *rest.split(".")))
        is None
    )


def assembled(image, region, size, rotation="0", rest="default.png"):
    asked = parse_request(*image.size, region, size, rotation, *rest.split("."))
    return Image.open(io.BytesIO(assemble(*image.size, asked, opener(image))))


def near(one, other, slack=10):
    return all(abs(a - b) <= slack for a, b in zip(one, other, strict=True))


@pytest.mark.parametrize("size", ["max", "200,", "pct:37", "^900,", "50,50"])
def test_an_assembled_region_shows_what_is_there(size):
    image = squares()
    got = assembled(image, "400,150,350,400", size)
    for x, y in ((0.1, 0.1), (0.5, 0.5), (0.93, 0.93), (0.93, 0.1)):
        there = image.getpixel((400 + int(350 * x / 50) * 50 + 25, 150 + int(400 * y / 50) * 50 + 25))
        fx, fy = (int(350 * x / 50) * 50 + 25) / 350, (int(400 * y / 50) * 50 + 25) / 400
        here = got.getpixel(
            (min(int(fx * got.width), got.width - 1), min(int(fy * got.height), got.height - 1))
        )
        assert near(here, there, 24), (size, x, y)


@pytest.mark.parametrize(
    ("rotation", "corner"), [("0", (0, 0)), ("90", (0, 1)), ("180", (1, 1)), ("270", (1, 0)), ("!0", (1, 0))]
)
def test_turning_goes_clockwise_and_mirroring_comes_first(rotation, corner):
    image = Image.new("RGB", (600, 300), "white")
    for (x, y), colour in {(0, 0): "red", (1, 0): "green", (0, 1): "blue", (1, 1): "black"}.items():
        image.paste(colour, (x * 300, y * 150, x * 300 + 300, y * 150 + 150))
    got = assembled(image, "full", "max", rotation)
    assert got.size == ((600, 300) if rotation in ("0", "180", "!0") else (300, 600))
    colours = {(0, 0): (255, 0, 0), (1, 0): (0, 128, 0), (0, 1): (0, 0, 255), (1, 1): (0, 0, 0)}
    # What now stands in the upper left corner stood in this one before.
    assert near(got.getpixel((20, 20)), colours[corner], 30)


def test_bitonal_is_black_and_white_and_gray_is_grey():
    image = squares()
    assert assembled(image, "full", "300,", rest="bitonal.png").mode == "1"
    assert assembled(image, "full", "300,", rest="gray.jpg").mode == "L"


def test_a_small_answer_opens_few_tiles():
    width, height = 6000, 8000
    opened = []

    def open_file(name):
        opened.append(name)
        return Image.new("RGB", (TILE_SIZE, TILE_SIZE))

    assemble(
        width, height, parse_request(width, height, "full", "!300,300", "0", "default", "jpg"), open_file
    )
    assert len(opened) <= 1
    opened.clear()
    assemble(
        width,
        height,
        parse_request(width, height, "3000,3100,400,200", "300,", "0", "default", "jpg"),
        open_file,
    )
    assert opened == ["1/5-6.jpg", "1/6-6.jpg"]


def test_no_request_opens_more_than_the_limit_allows():
    width, height = 40_000, 40_000
    opened = []

    def open_file(name):
        opened.append(name)
        return Image.new("L", (TILE_SIZE, TILE_SIZE))

    assemble(width, height, parse_request(width, height, "full", "10000,1", "0", "default", "jpg"), open_file)
    assert len(opened) * TILE_SIZE * TILE_SIZE < 40_000_000


@pytest.mark.django_db
def test_a_scan_is_kept_untouched_and_what_is_served_is_cut_from_it():
    leaf = a_book().leaves.get()
    original = png(squares())
    image = ingest_scan(leaf, "some-book-1-s1", original, ".png")
    assert (image.kind, image.width, image.height) == ("scan", 1100, 700)
    folder = f"some-book-1-s1/{image.checksum[:16]}"
    assert originals().open(f"{folder}.png").read() == original
    assert pages().exists(f"{folder}/full/1100.jpg") and pages().exists(f"{folder}/1/2-1.jpg")
    assert leaf.image == image


@pytest.mark.django_db
def test_a_file_left_half_written_is_put_anew():
    leaf = a_book().leaves.get()
    image = ingest_scan(leaf, "torn", png(squares()), ".png")
    path = Path(pages().path(f"torn/{image.checksum[:16]}/full/640.jpg"))
    whole = path.read_bytes()
    path.write_bytes(whole[:100])
    ingest_scan(leaf, "torn", png(squares()), ".png")
    assert path.read_bytes() == whole


@pytest.mark.django_db
def test_originals_are_never_served(client):
    leaf = a_book().leaves.get()
    image = ingest_scan(leaf, "private", png(squares()), ".png")
    name = f"private/{image.checksum[:16]}.png"
    assert originals().exists(name) and not pages().exists(name)
    assert client.get(originals().url(name)).status_code == 404
    assert client.get(f"/originals/{name}").status_code == 404
    assert settings.MEDIA_ROOT not in Path(originals().path(name)).parents


@pytest.mark.django_db
def test_an_image_that_was_replaced_is_known_anew():
    leaf = a_book().leaves.get()
    ingest_scan(leaf, "twice", png(squares()), ".png")
    first = find_image("twice")
    ingest_scan(leaf, "twice", png(squares(900, 400)), ".png")
    assert first.checksum != find_image("twice").checksum and find_image("twice").width == 900
    assert find_image("never") is None


@pytest.mark.django_db
def test_pages_are_made_once_and_again_only_when_the_text_changes(capsys):
    book = a_book(leaves=2)
    call_command("make_pages")
    assert "2 set and cut" in capsys.readouterr().out
    first = {image.identifier: image for image in PageImage.objects.all()}
    assert set(first) == {"some-book-1-f", "some-book-2-f"}
    assert [word["text"] for word in first["some-book-2-f"].words] == ["Leaf", "2", "says", "this."]
    assert first["some-book-2-f"].words[0]["passage"] == "says"
    call_command("make_pages")
    assert capsys.readouterr().out == ""
    line = Line(2, 1, "body", 1, (Run("text", "It was mended.", ""),))
    Leaf.objects.filter(book=book, number=2).update(lines=pack_lines([line]))
    call_command("make_pages")
    assert "1 set and cut" in capsys.readouterr().out
    second = PageImage.objects.get(identifier="some-book-2-f")
    assert second.pk == first["some-book-2-f"].pk and second.checksum != first["some-book-2-f"].checksum


@pytest.mark.django_db
def test_pages_whose_files_are_gone_are_made_again(capsys):
    a_book()
    call_command("make_pages")
    image = PageImage.objects.get()
    pages().delete(f"{image.identifier}/{image.checksum[:16]}/full/{image.width}.jpg")
    call_command("make_pages")
    assert "1 set and cut" in capsys.readouterr().out.splitlines()[-1]


@pytest.mark.django_db
def test_a_scan_shows_in_place_of_the_facsimile():
    leaf = a_book().leaves.get()
    call_command("make_pages")
    assert (
        page_image(leaf, "Some").alt
        == "Page 1 of Some, “Text”: typeset page, not a scan. Its text is beside it."
    )
    ingest_scan(leaf, "some-book-1-s1", png(squares()), ".png")
    shown = page_image(Leaf.objects.get(), "Some")
    assert "scan" in shown.alt and "/some-book-1-s1/" in shown.src


@pytest.mark.django_db
def test_the_srcset_names_real_files_with_their_real_widths(client):
    leaf = a_book().leaves.get()
    ingest_scan(leaf, "some-book-1-s1", png(squares()), ".png")
    shown = page_image(leaf, "Some")
    assert (shown.width, shown.height) == (1100, 700)
    candidates = [entry.split() for entry in shown.srcset.split(", ")]
    assert shown.src in [address for address, _ in candidates]
    for address, width in candidates:
        answer = client.get(address)
        assert answer.status_code == 200
        assert Image.open(io.BytesIO(answer.content)).width == int(width.rstrip("w"))
    assert page_image(SimpleNamespace(image=None), "Some") is None


@pytest.mark.django_db
def test_kept_files_may_be_kept_for_ever(client):
    leaf = a_book().leaves.get()
    image = ingest_scan(leaf, "kept", png(squares()), ".png")
    address = f"/images/kept/{image.checksum[:16]}/full/640.jpg"
    answer = client.get(address)
    assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer["Content-Type"] == "image/jpeg"
    assert answer["X-Content-Type-Options"] == "nosniff"
    again = client.get(address, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304 and again["Access-Control-Allow-Origin"] == "*"
    assert client.post(address).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        "/images/../secret-key", "/images/%2e%2e/secret-key", "/images/kept/../../db.sqlite3",
        "/images/kept/0000000000000000/full/640.jpg", "/images/", "/images/kept", "/images/a\x01b",
    ],
)  # fmt: skip
def test_nothing_but_kept_files_is_served(client, path):
    assert client.get(path).status_code == 404


def test_the_address_of_kept_files_is_that_of_the_settings():
    assert settings.MEDIA_URL == middleware.FILES_PATH


def test_a_clip_is_asked_for_by_its_region():
    image = SimpleNamespace(identifier="some-book-1-f")
    assert (
        clip_address(image, "1,2,30,40", 600, 400)
        == "/iiif/image/3/some-book-1-f/1,2,30,40/!600,400/0/default.jpg"
    )


def test_tile_at_the_edge_is_what_is_left():
    tile = tile_at(1540, 2400, 1, 3, 4)
    assert (tile.w, tile.h) == (4, 352)
    assert len(jpeg(Image.new("RGB", (4, 352)), 84)) > 0


@pytest.mark.django_db
def test_the_card_of_a_typeset_passage_says_what_it_is(client):
    book = a_book()
    passage = Passage.objects.create(
        book=book,
        order=1,
        anchor="says",
        anchors=["says"],
        kind="text",
        leaves=[1],
        reading="Leaf 1 says this.",
    )
    PassageName.objects.create(book=book, passage=passage, name="says")
    address = "/books/some-book/passages/says/card.jpg"
    assert client.get(address).status_code == 404
    call_command("make_pages")
    with Image.open(io.BytesIO(client.get(address).content)) as card:
        assert card.size == (1200, 630)
        foot = card.convert("L").crop((0, 580, 1200, 630))
        # Light words on a dark foot, and the white page above it.
        assert foot.getpixel((5, 25)) < 80 and foot.getextrema()[1] > 200
        assert card.convert("L").getpixel((5, 5)) > 240

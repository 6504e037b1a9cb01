"""The Image API as a client meets it: what is asked, what is refused, what every answer says of itself."""

import io
import json

import pytest
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from archive.images import assembly
from archive.images.derivatives import png
from archive.images.iiif_request import MAX_AREA, MAX_SIDE, ImageRequestError, parse_request
from archive.images.page_image_cache import forget_images
from archive.images.storage import pages
from archive.models import Book, Leaf
from tests.archive.page_images import forget_files, ingest_scan

BASE = "/iiif/image/3/page"
WIDTH, HEIGHT = 1100, 700


@pytest.fixture
def scan(db):
    forget_images()
    forget_files()
    book = Book.objects.create(
        slug="some-book", title="Some book", short_title="Some", fingerprint="x", published=timezone.now(),
        rights_address="http://rightsstatements.org/vocab/NoC-US/1.0/",
    )  # fmt: skip
    leaf = Leaf.objects.create(book=book, number=1, title="Text", break_certainty="certain")
    yield ingest_scan(leaf, "page", png(Image.linear_gradient("L").resize((WIDTH, HEIGHT))), ".png")
    forget_images()
    forget_files()


def body(answer):
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def size_of(answer):
    assert answer.status_code == 200, answer.content
    return Image.open(io.BytesIO(body(answer))).size


@pytest.mark.parametrize("path", [BASE, f"{BASE}/"])
def test_the_bare_address_leads_to_the_description(client, scan, path):
    answer = client.get(path)
    assert answer.status_code == 303
    assert answer["Location"] == f"http://testserver{BASE}/info.json"


def test_the_description_says_what_can_be_asked(client, scan):
    answer = client.get(f"{BASE}/info.json")
    said = json.loads(answer.content)
    assert answer["Content-Type"] == "application/json"
    assert said["@context"] == "http://iiif.io/api/image/3/context.json"
    assert said["id"] == f"http://testserver{BASE}" and said["type"] == "ImageService3"
    assert said["protocol"] == "http://iiif.io/api/image" and said["profile"] == "level2"
    assert (said["width"], said["height"], said["maxArea"]) == (WIDTH, HEIGHT, MAX_AREA)
    assert said["tiles"] == [{"width": 512, "height": 512, "scaleFactors": [1, 2, 4]}]
    assert said["sizes"][0] == {"width": 160, "height": 102} and said["sizes"][-1]["width"] == WIDTH
    assert said["rights"] == "http://rightsstatements.org/vocab/NoC-US/1.0/"
    assert said["partOf"] == [{"id": "http://testserver/iiif/3/some-book/manifest.json", "type": "Manifest"}]


def test_every_size_and_tile_of_the_description_can_be_had_and_is_a_file(client, scan, monkeypatch):
    monkeypatch.setattr("archive.iiif.views.image_api.assemble", None)
    said = json.loads(client.get(f"{BASE}/info.json").content)
    for size in said["sizes"]:
        wanted = f"{size['width']},{size['height']}"
        assert size_of(client.get(f"{BASE}/full/{wanted}/0/default.jpg")) == (size["width"], size["height"])
    assert size_of(client.get(f"{BASE}/1024,512,76,188/76,188/0/default.jpg")) == (76, 188)
    assert size_of(client.get(f"{BASE}/0,0,1024,700/512,350/0/default.jpg")) == (512, 350)


def test_linked_data_is_given_to_those_who_ask_for_it(client, scan):
    answer = client.get(f"{BASE}/info.json", headers={"Accept": "application/ld+json"})
    assert answer["Content-Type"].startswith("application/ld+json")
    assert "Accept" in answer["Vary"]


@pytest.mark.parametrize(
    ("region", "size", "expected"),
    [
        ("full", "max", (WIDTH, HEIGHT)),
        ("full", "550,", (550, 350)),
        ("full", ",350", (550, 350)),
        ("full", "pct:50", (550, 350)),
        ("full", "pct:12.5", (138, 88)),
        ("full", "300,300", (300, 300)),
        ("full", "!300,300", (300, 191)),
        ("full", "!5000,5000", (WIDTH, HEIGHT)),
        ("full", "^2200,", (2200, 1400)),
        ("full", "^,1400", (2200, 1400)),
        ("full", "^pct:200", (2200, 1400)),
        ("full", "^!2000,2000", (2000, 1273)),
        ("full", "^1200,900", (1200, 900)),
        ("full", "^200,", (200, 127)),
        ("square", "max", (700, 700)),
        ("square", "70,", (70, 70)),
        ("100,100,200,100", "max", (200, 100)),
        ("100,100,200,100", "50,", (50, 25)),
        ("1000,600,500,500", "max", (100, 100)),
        ("pct:0,0,50,50", "max", (550, 350)),
        ("pct:41.6,7.5,40,70", "!100,100", (90, 100)),
        ("1099,699,1,1", "max", (1, 1)),
        ("0,0,1,700", "max", (1, 700)),
        ("full", "1,1", (1, 1)),
    ],
)
def test_regions_and_sizes(client, scan, region, size, expected):
    assert size_of(client.get(f"{BASE}/{region}/{size}/0/default.jpg")) == expected


def test_enlarged_as_far_as_the_limits_allow(client, scan):
    width, height = size_of(client.get(f"{BASE}/full/%5Emax/0/default.jpg"))
    assert width * height <= MAX_AREA < (width + 2) * (height + 2)


@pytest.mark.parametrize(
    ("rotation", "expected"),
    [("0", (100, 64)), ("90", (64, 100)), ("180", (100, 64)), ("270", (64, 100)), ("360", (100, 64)),
     ("!0", (100, 64)), ("!90", (64, 100)), ("90.0", (64, 100))],
)  # fmt: skip
def test_rotations(client, scan, rotation, expected):
    assert size_of(client.get(f"{BASE}/full/100,/{rotation}/default.jpg")) == expected


@pytest.mark.parametrize(
    ("rest", "format", "type_"),
    [("default.jpg", "JPEG", "image/jpeg"), ("color.jpg", "JPEG", "image/jpeg"),
     ("gray.png", "PNG", "image/png"), ("bitonal.png", "PNG", "image/png"),
     ("bitonal.jpg", "JPEG", "image/jpeg")],
)  # fmt: skip
def test_qualities_and_formats(client, scan, rest, format, type_):
    answer = client.get(f"{BASE}/full/200,/0/{rest}")
    assert answer["Content-Type"] == type_
    assert Image.open(io.BytesIO(body(answer))).format == format


@pytest.mark.parametrize(
    ("path", "status"),
    [
        ("fully/max/0/default.jpg", 400),
        ("0,0,0,10/max/0/default.jpg", 400),
        ("1100,0,10,10/max/0/default.jpg", 400),
        ("-1,0,10,10/max/0/default.jpg", 400),
        ("0,0,10/max/0/default.jpg", 400),
        ("1.5,0,10,10/max/0/default.jpg", 400),
        ("pct:101,0,10,10/max/0/default.jpg", 400),
        ("pct:0,0,0,0/max/0/default.jpg", 400),
        ("pct:nan,0,10,10/max/0/default.jpg", 400),
        ("pct:1e3,0,10,10/max/0/default.jpg", 400),
        ("٣,0,10,10/max/0/default.jpg", 400),
        ("0,0,99999999999999999999,1/max/0/default.jpg", 400),
        ("full/full/0/default.jpg", 400),
        ("full/0,/0/default.jpg", 400),
        ("full/,0/0/default.jpg", 400),
        ("full/!0,0/0/default.jpg", 400),
        ("full/1101,/0/default.jpg", 400),
        ("full/,701/0/default.jpg", 400),
        ("full/pct:100.1/0/default.jpg", 400),
        ("full/pct:0/0/default.jpg", 400),
        ("full/-5,/0/default.jpg", 400),
        ("full/,/0/default.jpg", 400),
        ("full/%5E20000,20000/0/default.jpg", 400),
        ("full/%5E10001,1/0/default.jpg", 400),
        ("full/%5Epct:99999/0/default.jpg", 400),
        ("full/%5E/0/default.jpg", 400),
        ("full/max/45/default.jpg", 400),
        ("full/max/22.5/default.jpg", 400),
        ("full/max/361/default.jpg", 400),
        ("full/max/-90/default.jpg", 400),
        ("full/max/!/default.jpg", 400),
        ("full/max/0/grey.jpg", 400),
        ("full/max/0/default.webp", 400),
        ("full/max/0/default.tif", 400),
        ("full/max/0/default.exe", 400),
        ("full/max/0/default", 400),
        ("full/max/0", 400),
        ("full", 400),
        ("full/max/0/default.jpg/more", 400),
        ("full/max/0/<script>.jpg", 400),
        ("full%00/max/0/default.jpg", 400),
        ("9" * 5000 + "/max/0/default.jpg", 400),
    ],
)
def test_what_cannot_be_answered_is_refused_with_a_sentence(client, scan, path, status):
    answer = client.get(f"{BASE}/{path}")
    assert answer.status_code == status
    sentence = answer.content.decode()
    assert sentence.strip().endswith(".") or sentence.strip().endswith(".jpg.")
    assert "<" not in sentence and answer["Content-Type"].startswith("text/plain")
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.parametrize(
    "path", ["nobody", "nobody/info.json", "nobody/full/max/0/default.jpg", "a/b/full/max/0/default.jpg",
             "..%2F..%2Fsecret-key/full/max/0/default.jpg", "page'--/info.json"],
)  # fmt: skip
def test_an_image_we_do_not_have_is_not_found(client, scan, path):
    assert client.get(f"/iiif/image/3/{path}").status_code == 404


@pytest.mark.parametrize(
    ("asked", "canonical"),
    [
        ("full/max/0/color.jpg", "full/max/0/default.jpg"),
        ("full/1100,/0/default.jpg", "full/max/0/default.jpg"),
        ("0,0,1100,700/640,/0/default.jpg", "full/640,407/0/default.jpg"),
        ("pct:0,0,50,50/pct:50/90.0/gray.png", "0,0,550,350/275,175/90/gray.png"),
        ("square/!70,90/360/default.jpg", "200,0,700,700/70,70/0/default.jpg"),
        ("full/^2200,/!180/default.jpg", "full/^2200,1400/!180/default.jpg"),
        ("full/^200,/0/default.jpg", "full/200,127/0/default.jpg"),
    ],
)
def test_every_answer_names_its_canonical_address_and_profile(client, scan, asked, canonical):
    link = client.get(f"{BASE}/{asked}")["Link"]
    assert f'<http://testserver{BASE}/{canonical}>;rel="canonical"' in link
    assert '<http://iiif.io/api/image/3/level2.json>;rel="profile"' in link
    assert f'{canonical}>;rel="canonical"' in client.get(f"{BASE}/{canonical}")["Link"]


@pytest.mark.parametrize("path", ["info.json", "full/640,/0/default.jpg", "full/200,/0/default.jpg", "full"])
def test_other_sites_may_read(client, scan, path):
    answer = client.get(f"{BASE}/{path}")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert client.options(f"{BASE}/full/200,/0/default.jpg").status_code == 204
    assert client.post(f"{BASE}/full/200,/0/default.jpg").status_code == 405


@pytest.mark.parametrize("path", ["full/640,/0/default.jpg", "10,10,300,300/200,/0/default.jpg"])
def test_what_a_client_has_is_not_sent_again(client, scan, path):
    first = client.get(f"{BASE}/{path}")
    again = client.get(f"{BASE}/{path}", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 304 and body(again) == b""
    assert again["Link"] == first["Link"]


def test_a_head_request_has_no_body(client, scan):
    assert body(client.head(f"{BASE}/full/640,/0/default.jpg")) == b""


def test_an_escaped_name_is_the_same_name(client, scan):
    assert client.get("/iiif/image/3/%70age/info.json").status_code == 200


def test_missing_files_are_said_to_be_missing(client, scan):
    pages().delete(f"page/{scan.checksum[:16]}/1/0-0.jpg")
    answer = client.get(f"{BASE}/10,10,300,300/max/0/default.jpg")
    assert answer.status_code == 404 and b"missing" in answer.content


def test_when_too_many_are_cut_at_once_the_client_is_asked_to_wait(client, scan, monkeypatch):
    monkeypatch.setattr(assembly, "WAIT_SECONDS", 0.01)
    for _ in range(assembly.MAX_ASSEMBLIES):
        assembly._slots.acquire()
    try:
        answer = client.get(f"{BASE}/full/200,/0/default.jpg")
    finally:
        for _ in range(assembly.MAX_ASSEMBLIES):
            assembly._slots.release()
    assert answer.status_code == 503 and answer["Retry-After"]
    assert client.get(f"{BASE}/full/200,/0/default.jpg").status_code == 200


NUMBERS = st.one_of(st.integers(0, 12_000), st.floats(0, 400, allow_nan=False)).map(str)
REGIONS = st.one_of(
    st.sampled_from(["full", "square", "", "pct:"]),
    st.lists(NUMBERS, min_size=4, max_size=4).map(",".join),
    st.lists(NUMBERS, min_size=4, max_size=4).map(lambda parts: "pct:" + ",".join(parts)),
    st.text(max_size=12),
)
SIZES = st.one_of(
    st.sampled_from(["max", "^max", "full"]),
    st.tuples(st.sampled_from(["", "^", "!", "^!"]), NUMBERS, NUMBERS).map(lambda t: f"{t[0]}{t[1]},{t[2]}"),
    st.tuples(st.sampled_from(["", "^"]), NUMBERS).map(lambda t: f"{t[0]}{t[1]},"),
    st.tuples(st.sampled_from(["pct:", "^pct:"]), NUMBERS).map("".join),
    st.text(max_size=12),
)


@given(
    st.integers(1, 20_000), st.integers(1, 20_000), REGIONS, SIZES, st.one_of(NUMBERS, st.text(max_size=4))
)
def test_whatever_is_asked_is_understood_within_the_limits_or_refused(width, height, region, size, rotation):
    try:
        asked = parse_request(width, height, region, size, rotation, "default", "jpg")
    except ImageRequestError as refused:
        unfit = refused
    else:
        unfit = None
    if unfit:
        assert unfit.status == 400 and unfit.sentence
        return
    area = asked.region
    assert area.w >= 1 and area.h >= 1 and area.x + area.w <= width and area.y + area.h <= height
    assert 1 <= asked.width <= MAX_SIDE and 1 <= asked.height <= MAX_SIDE
    assert asked.width * asked.height <= MAX_AREA
    if "^" not in size:
        assert asked.width <= area.w and asked.height <= area.h
    # The canonical form means itself.
    again = parse_request(width, height, *asked.canonical.rsplit("/", 1)[0].split("/"), "default", "jpg")
    assert again == asked

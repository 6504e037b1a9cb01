"""Credits of a scan, shown with its image, in manifest and TEI; a scan as the cover on the front page."""

import pytest

from archive.images.page_image_cache import forget_images
from archive.models import PageImage
from archive.models.scans import Scan
from archive.scans import word_search
from tests.archive.curators import signed_in
from tests.archive.hostile import saved
from tests.archive.scan_files import BOOK, form_of, lines_of_print, send
from tests.archive.test_curation_catalogue import form as catalogue_form

pytestmark = pytest.mark.django_db
RIGHTS = "http://rightsstatements.org/vocab/NKC/1.0/"
CREDITS = {
    "credits-credit": "Ada <Lens>",
    "credits-holder": "The Toy Museum",
    "credits-captured": "2024-05",
    "credits-rights": RIGHTS,
}


@pytest.fixture(autouse=True)
def _no_worker(monkeypatch):
    monkeypatch.setattr(word_search, "enqueue_search", lambda *_, **__: None)
    forget_images()


@pytest.fixture
def curator(curated):
    return signed_in(curated["curator"])


@pytest.fixture
def scan(curator):
    send(curator, ("page.png", saved(lines_of_print(), "PNG")))
    return Scan.objects.get()


def test_credits_are_shown_with_the_image_in_the_manifest_and_in_tei(curator, scan, client):
    page = scan.get_absolute_url()
    answer = curator.post(page, form_of(scan, act="publish", leaf=1, **CREDITS))
    assert answer.status_code == 302, answer.content.decode()
    for address in (f"/books/{BOOK}/1/", f"/books/{BOOK}/"):
        text = client.get(address).content.decode()
        assert "Image by: Ada &lt;Lens&gt;." in text and "Rights: No Known Copyright." in text
    canvas = client.get(f"/iiif/3/{BOOK}/canvas/1").json()
    assert canvas["rights"] == RIGHTS
    assert canvas["requiredStatement"]["value"] == {"en": ["Image by Ada <Lens>; Held by The Toy Museum"]}
    assert {"label": {"en": ["Captured"]}, "value": {"en": ["2024-05"]}} in canvas["metadata"]
    tei = client.get(f"/books/{BOOK}/tei.xml").content.decode()
    assert "<desc>Held by: The Toy Museum</desc>" in tei
    # Changed later, the page that was remembered is made anew; other images say nothing.
    curator.post(page, form_of(scan, act="save", leaf=1, **CREDITS | {"credits-holder": "A club"}))
    assert "Held by: A club." in client.get(f"/books/{BOOK}/").content.decode()
    assert PageImage.objects.exclude(credits={}).count() == 1


@pytest.mark.parametrize(
    ("field", "written", "says"),
    [
        ("captured", "May 2024", "Write a day, a month or a year"),
        ("captured", "2024-13", "Write a day, a month or a year"),
        ("captured", "9999-01-01", "Write a day, a month or a year"),
        ("rights", "http://example.org/mine", "Choose one of the statements."),
        ("holder", "x" * 201, "at most 200 letters"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(curator, scan, field, written, says):
    sent = form_of(scan, act="save", **CREDITS | {f"credits-{field}": written})
    answer = curator.post(scan.get_absolute_url(), sent)
    page = answer.content.decode()
    assert answer.status_code == 422 and says in page.split(f'id="{field}-fault"')[1].split("</p>")[0]
    scan.refresh_from_db()
    assert scan.credits == {}


def test_the_same_is_said_of_all_scans_by_one_tick(curator, scan):
    send(curator, ("two.png", saved(lines_of_print(500, 700), "PNG")))
    curator.post(scan.get_absolute_url(), form_of(scan, act="save", **CREDITS))
    other = Scan.objects.exclude(pk=scan.pk).get()
    assert other.credits == {}
    curator.post(scan.get_absolute_url(), form_of(scan, act="save", **CREDITS, **{"credits-for-all": "1"}))
    other.refresh_from_db()
    assert other.credits["holder"] == "The Toy Museum"


def test_the_cover_on_the_front_page_may_be_its_scan(curator, scan, client):
    curator.post(scan.get_absolute_url(), form_of(scan, act="publish", leaf=1))
    assert "cover--scan" not in client.get("/").content.decode(), "only if the catalogue says so"
    catalogue = f"/books/{BOOK}/catalogue/"
    for bad, says in (("x", "Write the number of a page"), ("99", "no such page")):
        refused = curator.post(catalogue, catalogue_form(cover_leaf=bad))
        assert refused.status_code == 422 and says in refused.content.decode()
    assert curator.post(catalogue, catalogue_form(cover_leaf="1")).status_code == 302
    page = client.get("/").content.decode()
    assert "cover--scan" in page and f"/images/{PageImage.objects.get(kind='scan').identifier}/" in page
    curator.post(scan.get_absolute_url(), form_of(scan, act="withdraw"))
    assert "cover--scan" not in client.get("/").content.decode(), "a scan that was taken down is no cover"

"""Scans that contributors propose: private until they are taken in, talked about, accepted or refused."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image

from archive.images.storage import originals
from archive.models import Book, PageImage, ProposedScan
from archive.models.history import Proposal
from archive.models.scans import Original, Placing, Scan
from archive.scans import sandbox
from tests.archive.curators import BOOK, signed_in
from tests.archive.hostile import saved
from tests.archive.scan_files import files_under, lines_of_print, opened, photograph
from tests.people.conftest import make_person

FORM = f"/books/{BOOK}/3/scan/"
PICTURE = photograph(lines_of_print())

pytestmark = pytest.mark.django_db


@pytest.fixture
def carla(curated):
    return signed_in(curated["contributor"])


@pytest.fixture
def curator(curated):
    return signed_in(curated["curator"])


def asked(content=PICTURE, name="IMG_3.jpg", **more):
    file = {"file": SimpleUploadedFile(name, content)} if content is not None else {}
    return {"reason": "From my own copy.", "credits-holder": "A drawer in Leeds", **file, **more}


def stored(settings):
    return files_under(settings.STORAGES["originals"]["OPTIONS"]["location"])


def proposed(client, **more):
    answer = client.post(FORM, asked(**more))
    assert answer.status_code == 302, answer.content.decode()
    return answer["Location"]


def test_a_proposed_scan_is_seen_by_its_author_and_curators_beside_the_page_and_by_nobody_else(
    curated, carla, curator, client
):
    images = list(PageImage.objects.values_list("identifier", flat=True))
    page = proposed(carla)
    for one in (carla, curator):
        told = one.get(page).content.decode()
        assert "Scan of page 3" in told and "A drawer in Leeds" in told and "IMG_3.jpg" in told
        picture = one.get(f"{page}picture.jpg")
        # Bare pixels of our own making: neither place nor camera.
        assert opened(picture).size == (700, 1000) and not opened(picture).getexif()
        assert "no-store" in picture["Cache-Control"]
    for other in (client, signed_in(make_person("Eve", "contributor"))):
        assert other.get(page).status_code in (302, 404)
        assert other.get(f"{page}picture.jpg").status_code in (302, 404)
    assert images == list(PageImage.objects.values_list("identifier", flat=True))
    assert not Scan.objects.exists() and not Placing.objects.exists()
    desk = curator.get("/curation/").content.decode()
    assert "Scan of page 3" in desk.split('id="waiting"')[1].split("</section>")[0]


def test_whoever_taps_twice_has_one_proposal_and_comes_to_it(carla, curator):
    page = proposed(carla)
    assert proposed(carla) == page and Proposal.objects.count() == 1
    # For another page, or by somebody else, it is no slip of the finger.
    other = carla.post(FORM.replace("/3/", "/4/"), asked())
    assert other.status_code == 422 and "sent for this rulebook already" in other.content.decode()
    assert curator.post(FORM, asked()).status_code == 422


def test_two_taps_of_one_moment_make_one_proposal(carla, monkeypatch):
    examine, pages = sandbox.examine, []

    def while_another_comes(content):
        monkeypatch.setattr(sandbox, "examine", examine)
        pages.append(proposed(carla))
        return examine(content)

    monkeypatch.setattr(sandbox, "examine", while_another_comes)
    assert proposed(carla) == pages[0]
    assert Proposal.objects.count() == ProposedScan.objects.count() == 1


def test_an_accepted_one_is_a_scan_under_its_authors_name_and_the_talk_stays(carla, curator):
    page = proposed(carla)
    curator.post(page, {"act": "say", "remark": "Which printing is it?"})
    carla.post(page, {"act": "say", "remark": "The second."})
    assert carla.post(f"{page}scan/", {}).status_code == 403
    answer = curator.post(f"{page}scan/", {"words": "Thank you."})
    scan = Scan.objects.get()
    assert answer["Location"] == scan.get_absolute_url()
    assert (scan.leaf.number, scan.signed, scan.name) == (3, "Carla", "IMG_3.jpg")
    assert scan.credits == {"holder": "A drawer in Leeds"} and scan.image is None
    told = curator.get(scan.get_absolute_url()).content.decode()
    assert page in told and "what was said when it was proposed" in told
    told = carla.get(page).content.decode()
    assert "Which printing is it?" in told and "Accepted" in told and "Thank you." in told
    # Decided once.
    assert curator.post(f"{page}scan/", {}).status_code == 409
    assert curator.post(page, {"act": "refuse", "words": "No."}).status_code == 409
    assert Scan.objects.count() == 1


@pytest.mark.parametrize("act", ["refuse", "withdraw"])
def test_the_picture_of_one_that_is_not_taken_is_deleted_and_its_words_stay(carla, curator, act):
    page = proposed(carla)
    kept = originals()
    names = Original.objects.get().file_names
    assert len(names) == 2 and all(kept.exists(name) for name in names)
    if act == "refuse":
        assert curator.post(page, {"act": act}).status_code == 422, "words are needed"
        assert all(kept.exists(name) for name in names)
    who = curator if act == "refuse" else carla
    assert who.post(page, {"act": act, "words": "Too dark."}).status_code == 302
    assert not any(kept.exists(name) for name in names) and not Original.objects.exists()
    assert carla.get(f"{page}picture.jpg").status_code == 404
    told = carla.get(page).content.decode()
    assert "IMG_3.jpg" in told and ("Too dark." in told) == (act == "refuse")
    # It can be proposed again.
    proposed(carla)


def test_a_picture_that_another_proposal_or_scan_has_stays(carla, curator, settings):
    page = proposed(carla)
    shown = ProposedScan.objects.get()
    original = shown.original
    other = Proposal.objects.get()
    other.pk = None
    other.save()
    ProposedScan.objects.create(proposal=other, book=shown.book, original=original, name="again.jpg")
    curator.post(page, {"act": "refuse", "words": "No."})
    assert curator.get(f"/curation/proposals/{other.pk}/picture.jpg").status_code == 200
    # As a scan that was never published it can be removed; its picture stays for the proposal.
    Scan.objects.create(book=shown.book, original=original, order=1)
    curator.post(Scan.objects.get().get_absolute_url(), {"act": "remove"})
    assert not Scan.objects.exists() and Original.objects.get() == original
    curator.post(f"/curation/proposals/{other.pk}/", {"act": "refuse", "words": "No."})
    assert not Original.objects.exists()


def test_an_accepted_picture_that_is_removed_for_good_is_gone_from_its_proposal_too(carla, curator):
    page = proposed(carla)
    curator.post(f"{page}scan/", {})
    names = Original.objects.get().file_names
    curator.post(Scan.objects.get().get_absolute_url(), {"act": "remove"})
    assert not Original.objects.exists() and not any(originals().exists(name) for name in names)
    assert carla.get(f"{page}picture.jpg").status_code == 404
    assert "The picture was deleted." in carla.get(page).content.decode()


PDF = b"%PDF-1.7\n" + b"x" * 600


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"content": None}, "Choose a picture of this page."),
        ({"reason": " "}, "Say where it is from"),
        ({"content": PDF, "name": "all.pdf"}, "not a JPEG, PNG or WebP picture"),
        ({"content": b"<svg>" + b" " * 600}, "drawing"),
        ({"content": PICTURE[:-900]}, "ends too early"),
        ({"content": saved(Image.new("RGB", (700, 900), "white"), "PNG")}, "same colour all over"),
        ({"credits-captured": "yesterday"}, "Write a day, a month or a year"),
    ],
)
def test_what_is_no_picture_of_a_page_is_refused_with_a_sentence_and_nothing_is_kept(
    carla, settings, given, sentence
):
    before = stored(settings)
    answer = carla.post(FORM, asked(**given))
    assert answer.status_code == 422 and sentence in answer.content.decode()
    assert not Proposal.objects.exists() and not Original.objects.exists()
    assert stored(settings) == before


def test_pictures_are_bounded_in_bytes_in_number_and_in_time(carla, settings):
    settings.FORM_FILE_BYTES_MAX = 1_000
    assert "too large" in carla.post(FORM, asked()).content.decode()
    settings.FORM_FILE_BYTES_MAX = 12 * 1024 * 1024
    proposed(carla)
    second = photograph(lines_of_print(720, 1000))
    settings.PROPOSED_SCANS_WAITING_MOST = 1
    assert "Many of your pictures are waiting" in carla.post(FORM, asked(second)).content.decode()
    settings.PROPOSED_SCANS_WAITING_MOST = 20
    settings.PROPOSED_SCANS_PER_PERSON_MOST = 1
    answer = carla.post(FORM, asked(second))
    assert answer.status_code == 429 and "Wait" in answer.content.decode()
    assert Proposal.objects.count() == 1


def test_a_draft_takes_no_proposed_scans_since_contributors_do_not_know_of_it(carla):
    Book.objects.update(state=Book.DRAFT)
    assert carla.get(FORM).status_code == carla.post(FORM, asked()).status_code == 404
    assert not Proposal.objects.exists()

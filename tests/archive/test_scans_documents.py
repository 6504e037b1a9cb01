"""Documents of many pages, PDF and TIFF: sent from the browser, unpacked page by page in the background."""

import io
import random
import tempfile
import time

import pytest
from django.conf import settings
from PIL import Image

from archive.jobs import worker
from archive.models import Book
from archive.models.jobs import Job, JobPage
from archive.models.scans import Original, Scan
from archive.scans import sandbox, uploads
from archive.scans.errors import REASONS
from tests.archive.curators import signed_in
from tests.archive.hostile import documents, pdf_page, pdf_pages, picture, png_of, saved, stream
from tests.archive.scan_files import BOOK, SCANS, files_under, send

pytestmark = pytest.mark.django_db
ANSWER_SECONDS = 4.0


@pytest.fixture(autouse=True)
def _no_process(monkeypatch):
    monkeypatch.setattr(worker.process, "start", lambda: None)


@pytest.fixture
def curator(curated):
    return signed_in(curated["curator"])


def examined(content, frame=0):
    with tempfile.TemporaryFile() as file:
        file.write(content)
        file.flush()
        return sandbox.examine(file, frame)


def tiff(count, **options):
    pages = [picture(240, 180, seed=n) for n in range(count)]
    return saved(pages[0], "TIFF", save_all=True, append_images=pages[1:], **options)


def frames():
    return [(scan.name, scan.frame) for scan in Scan.objects.of_book(Book.objects.get(slug=BOOK))]


def dark_at(copy, x):
    return copy.convert("L").getpixel((int(x * copy.width / 200), copy.height // 2)) < 100


def test_hostile_documents_are_refused_with_a_reason_and_leave_nothing(curator, settings):
    settings.SCAN_EXAMINE_SECONDS = 0.6
    before, slowest = files_under(settings.VAR / "originals"), 0.0
    for name, content in documents():
        began = time.monotonic()
        answer = send(curator, ("page.pdf", content))
        slowest = max(slowest, (time.monotonic() - began) / sandbox.crowding())
        assert answer.status_code == 422, name
        assert answer.json()["files"][0]["sentence"] not in ("", REASONS["busy"]), name
    assert slowest < ANSWER_SECONDS
    assert not Original.objects.exists() and not Job.objects.exists()
    assert files_under(settings.VAR / "originals") == before


def test_a_document_comes_in_page_by_page_in_its_order(curator):
    answer = send(curator, ("Rules.pdf", pdf_pages(4))).json()["files"][0]
    assert answer["status"] == "new" and "4 pages. The pages follow" in answer["sentence"]
    job = Job.objects.get()
    assert answer["address"] == job.get_absolute_url() and frames() == [("Rules.pdf", 0)]
    # The last page is first: each goes to its own place.
    JobPage.objects.filter(job=job, given__frame=3).update(order=0)
    assert "Rules.pdf, page 3" in curator.get(job.get_absolute_url()).content.decode()
    assert worker.Worker().run() == 3
    assert frames() == [("Rules.pdf", n) for n in range(4)]
    scans = Scan.objects.of_book(Book.objects.get(slug=BOOK))
    assert {scan.signed for scan in scans} == {"Conrad"}
    shown = curator.get(f"{SCANS}{scans[2].pk}/after.jpg")
    assert shown.status_code == 200 and Image.open(io.BytesIO(shown.content)).width > 300
    report = curator.get(job.get_absolute_url()).content.decode()
    assert "3 done" in report and scans[2].get_absolute_url() in report


def test_each_page_is_drawn_as_it_is_in_the_document():
    content = pdf_pages(3)
    for frame in range(3):
        found = examined(content, frame)
        assert (found.kind, found.frames, found.width) == ("pdf", 3, 833)
        assert dark_at(found.copy, 5 + 4 * frame + 20) and not dark_at(found.copy, 150)


def test_a_scanned_page_comes_in_the_fineness_of_its_picture():
    picture_of = b"/Type /XObject /Subtype /Image /BitsPerComponent 8 /ColorSpace /DeviceGray"
    noise = random.Random(3).randbytes(1_000 * 1_400)
    image = stream(noise, picture_of + b" /Width 1000 /Height 1400")
    page = pdf_page(b"200 0 0 280 0 0 cm /A Do", b"0 0 200 280", b"/XObject << /A 5 0 R >>", image)
    assert examined(page).width in (999, 1000)


def test_scripts_forms_annotations_and_attachments_of_a_document_are_not_looked_at():
    extras = (
        b"/OpenAction << /S /JavaScript /JS (app.alert(1)) >> /AA << /WC << /S /Launch /F (/bin/sh) >> >> "
        b"/AcroForm << /Fields [] /XFA (<xdp/>) >> "
        b"/Names << /EmbeddedFiles << /Names [(a) << /EF << /F 4 0 R >> >>] >> >>"
    )
    plain, loaded = examined(pdf_page()).copy, examined(pdf_page(catalog=extras)).copy
    assert plain.tobytes() == loaded.tobytes()


def test_a_tiff_of_many_pages_comes_from_the_browser_too(curator):
    answer = send(curator, ("old.tif", tiff(3, compression="tiff_lzw")))
    assert answer.status_code == 200
    worker.Worker().run()
    assert frames() == [("old.tif", n) for n in range(3)]


def test_a_document_that_was_interrupted_goes_on_when_it_is_sent_again(curator):
    content = pdf_pages(3)
    send(curator, ("Rules.pdf", content))
    job = Job.objects.get()
    again = send(curator, ("Rules.pdf", content)).json()["files"][0]
    assert again["address"] == job.get_absolute_url() and Job.objects.count() == 1
    curator.post(job.get_absolute_url(), {"act": "stop"})
    send(curator, ("Rules.pdf", content))
    assert Job.objects.count() == 2 and worker.Worker().run() == 2
    assert frames() == [("Rules.pdf", n) for n in range(3)]
    assert "here already" in send(curator, ("Rules.pdf", content)).json()["files"][0]["sentence"]


def test_a_page_that_cannot_be_opened_is_told_and_the_others_come_in(curator):
    send(curator, ("mixed.tif", saved_mixed()))
    worker.Worker().run()
    assert frames() == [("mixed.tif", 0), ("mixed.tif", 2)]
    assert "too small" in JobPage.objects.get(state=JobPage.FAILED).words


def saved_mixed():
    pages = [picture(240, 180), picture(40, 50), picture(230, 200, seed=5)]
    return saved(pages[0], "TIFF", save_all=True, append_images=pages[1:])


def test_a_document_may_be_larger_than_a_picture_and_has_an_end_too(curator, settings):
    settings.SCAN_BYTES_MAX, settings.SCAN_DOCUMENT_BYTES_MAX = 300, 1_000
    assert send(curator, ("a.pdf", pdf_page())).status_code == 200
    for large in (pdf_page(random.Random(1).randbytes(2_000)), png_of(300, 300, rows=bytes(10**6))):
        answer = send(curator, ("b.pdf", large))
        assert answer.status_code == 422 and "too large" in answer.json()["files"][0]["sentence"]


def test_a_file_from_the_machine_itself_comes_in_at_once(curated):
    book = Book.objects.get(slug=BOOK)
    with tempfile.TemporaryFile() as file:
        file.write(pdf_pages(2))
        file.flush()
        result = uploads.receive_file(book, file, "a.pdf", None, on_machine=True)
    assert [scan.frame for scan in result.scans] == [0, 1] and not Job.objects.exists()
    assert settings.INGEST_BYTES_MAX > settings.SCAN_DOCUMENT_BYTES_MAX

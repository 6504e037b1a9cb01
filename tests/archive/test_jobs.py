"""Jobs on a stack of scans: steps, publication and reading of many, stopped, interrupted, each page once."""

import pytest

from archive.jobs import scan_actions, stack, worker
from archive.models import Book, Leaf, PageImage
from archive.models.history import Proposal
from archive.models.jobs import Job, JobPage
from archive.models.scans import Original, Scan
from archive.ocr import tesseract
from archive.scans import word_search
from archive.scans.geometry import Steps, record_of
from ops import locks
from tests.archive.curators import signed_in
from tests.archive.hostile import saved
from tests.archive.scan_files import BOOK, SCANS, lines_of_print, send

pytestmark = pytest.mark.django_db
STACK = f"{SCANS}stack/"
STEPS = record_of(Steps(angle=1.5, left=3.0))


@pytest.fixture(autouse=True)
def _no_process(monkeypatch):
    """The worker works when a test says so, in its own transaction; words are looked for elsewhere."""
    monkeypatch.setattr(worker.process, "start", lambda: None)
    monkeypatch.setattr(word_search, "search_once", lambda pk: None)


@pytest.fixture
def curator(curated):
    return signed_in(curated["curator"])


@pytest.fixture
def scans(curator):
    """Three scans that are simply there: nothing here opens their files."""
    book, facts = Book.objects.get(slug=BOOK), {"kind": "png", "size": 1, "width": 400, "height": 560}
    for n in range(3):
        original = Original.objects.create(digest=f"{n}" * 64, name=f"{n}.png", signed="x", **facts)
        Scan.objects.create(book=book, original=original, name=original.name, order=n + 1, steps=STEPS)
    return list(Scan.objects.order_by("order"))


@pytest.fixture
def sent(curator):
    """Two real pictures, taken in."""
    send(curator, *((f"{n}.png", saved(lines_of_print(300 + n, 420), "PNG")) for n in range(2)))


def begin(curator, scans, act, **more):
    answer = curator.post(STACK, {"scan": [scan.pk for scan in scans], "act": act, **more})
    assert answer.status_code == 302, answer.content.decode()
    return Job.objects.first(), answer["Location"]


def states(job):
    return list(job.pages.values_list("state", flat=True))


def test_a_stack_is_turned_cropped_and_toned_alike(curator, scans):
    before = scans[2].chosen_steps
    job, page = begin(curator, scans[:2], "steps", tone="grey", left="10", right="90,5")
    assert states(job) == ["waiting", "waiting"] and "0 of 2" in curator.get(page).content.decode()
    assert worker.Worker().run() == 2
    for scan in Scan.objects.filter(pk__in=[scan.pk for scan in scans[:2]]):
        steps = scan.chosen_steps
        assert (steps.tone, steps.left, steps.right, steps.angle) == ("grey", 10, 90.5, STEPS["angle"])
    scans[2].refresh_from_db()
    assert scans[2].chosen_steps == before
    report = curator.get(page).content.decode()
    assert "Finished." in report and "2 done" in report and "refresh" not in report


def test_all_are_published_on_pages_that_follow_and_the_report_tells_what_was_not(curator, sent, client):
    last = Leaf.objects.filter(book__slug=BOOK).count()
    job, page = begin(curator, [], "publish", all="1", first=str(last - 1), reason="Photographed.")
    # Meanwhile another curator takes the last page away.
    Leaf.objects.filter(book__slug=BOOK, number=last).update(number=last + 5)
    worker.Worker().run()
    assert states(job) == ["done", "failed"]
    last -= 1
    assert PageImage.objects.get(kind="scan").leaf.number == last
    report = curator.get(page).content.decode()
    assert "1 done, 1 not done" in report and f"has no page {last + 1}" in report
    assert f"-{last}-s" in client.get(f"/books/{BOOK}/{last}/").content.decode()


def test_pages_that_are_missing_at_the_end_are_added_when_that_is_asked_for(curator, sent):
    last = Leaf.objects.filter(book__slug=BOOK).count()
    form = {"all": "1", "act": "publish", "first": str(last), "reason": "Two more."}
    refused = curator.post(STACK, form)
    told = refused.content.decode()
    assert refused.status_code == 422 and not Job.objects.exists()
    assert f"would reach page {last + 1}, and this rulebook has {last} pages" in told
    job, _ = begin(curator, [], **form, add="1")
    worker.Worker().run()
    assert states(job) == ["done", "done"]
    leaves = Leaf.objects.filter(book__slug=BOOK)
    assert leaves.count() == last + 1 and leaves.get(number=last + 1).title == f"Page {last + 1}"
    assert f"Page {last + 1}: " not in curator.get(SCANS).content.decode()
    # Not one more than are needed.
    begin(curator, [], **form, add="1")
    assert leaves.count() == last + 1


def test_the_list_of_jobs_says_how_far_each_is(curator, scans):
    begin(curator, scans, "steps", tone="grey")
    assert "3 to go" in curator.get(SCANS).content.decode()
    worker.Worker().run()
    begin(curator, scans, "read")
    worker.Worker().run()
    told = " ".join(curator.get(SCANS).content.decode().split())
    assert "Finished, 3 not done </small>" in told and "Finished </small>" in told and "to go" not in told


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"act": "steps", "tone": "grey"}, "Choose at least one scan"),
        ({"act": "steps", "all": "1"}, "Say how the scans"),
        ({"act": "steps", "all": "1", "left": "x"}, "is not a number"),
        ({"act": "steps", "all": "1", "left": "95", "right": "5"}, "Nothing would be left"),
        ({"act": "publish", "all": "1"}, "Say briefly why"),
        ({"act": "publish", "all": "1", "reason": "x", "first": "-1"}, "Write the number of the page"),
        ({"act": "dance", "all": "1"}, "Choose what to do"),
        ({"act": "steps", "scan": "99999999999999999999", "tone": "grey"}, "Choose at least one scan"),
    ],
)
def test_what_cannot_be_meant_is_refused_with_a_sentence(curator, scans, form, says):
    answer = curator.post(STACK, form)
    assert answer.status_code == 422 and says in answer.content.decode()
    assert not Job.objects.exists()


def test_a_job_is_stopped_and_what_was_done_stays(curator, scans, monkeypatch):
    job, page = begin(curator, scans, "steps", tone="bw")
    done = []

    def work_on(one):
        done.append(one.pk)
        curator.post(page, {"act": "stop"})
        return "Done."

    monkeypatch.setattr(worker, "work_on", work_on)
    worker.Worker().run()
    assert len(done) == 1 and states(job) == ["done", "stopped", "stopped"]
    report = curator.get(page).content.decode()
    assert "Stopped." in report and "2 not begun" in report


def test_what_a_restart_interrupts_is_done_by_the_next_worker(curator, scans, monkeypatch):
    job, _ = begin(curator, scans, "steps", tone="grey")

    class KilledError(BaseException):
        """The end of the process, in the middle of a page."""

    def killed(page):
        raise KilledError

    monkeypatch.setattr(worker, "work_on", killed)
    with pytest.raises(KilledError):
        worker.Worker().run()
    assert states(job) == ["waiting"] * 3
    monkeypatch.setattr(worker, "work_on", scan_actions.work_on)
    worker.Worker().run()
    assert states(job) == ["done"] * 3


def test_a_page_that_another_machine_works_on_is_left_to_it(curator, scans):
    job, _ = begin(curator, scans, "steps", tone="grey")
    first = job.pages.first()
    with locks.exclusive(locks.JOB_PAGE, first.pk):
        assert worker.Worker().run() == 2
        assert states(job) == ["waiting", "done", "done"]
    assert worker.Worker().run() == 1 and states(job) == ["done"] * 3


def test_one_worker_is_at_work_on_each_machine(curator, scans):
    begin(curator, scans, "steps", tone="grey")
    with locks.exclusive_here(locks.WORKER):
        assert worker.Worker().run() == 0


def test_a_page_that_breaks_does_not_end_the_job(curator, scans, monkeypatch):
    job, page = begin(curator, scans, "steps", tone="grey")
    broken = job.pages.all()[1].pk

    def work_on(one):
        if one.pk == broken:
            raise RuntimeError("secret of the machine")
        return scan_actions.work_on(one)

    monkeypatch.setattr(worker, "work_on", work_on)
    worker.Worker().run()
    assert states(job) == ["done", "failed", "done"]
    assert "secret of the machine" not in curator.get(page).content.decode()


def test_who_may_not_publish_any_more_has_no_jobs_done(curator, curated, scans):
    job, _ = begin(curator, scans, "publish", reason="x", first="1")
    type(curated["curator"]).objects.update(role="contributor")
    worker.Worker().run()
    assert states(job) == ["failed"] * 3 and not PageImage.objects.filter(kind="scan").exists()


@pytest.mark.skipif(not tesseract.is_installed(), reason="Tesseract is not installed")
def test_a_page_that_has_a_text_or_is_not_published_is_not_read(curator, scans):
    job, page = begin(curator, scans, "read")
    worker.Worker().run()
    assert states(job) == ["failed"] * 3 and "Publish it first" in curator.get(page).content.decode()
    assert not Proposal.objects.exists()


def test_a_stack_has_an_end(curator, scans, monkeypatch):
    monkeypatch.setattr(stack, "MAX_STACK", 2)
    answer = curator.post(STACK, {"all": "1", "act": "steps", "tone": "grey"})
    assert answer.status_code == 422 and "At most 2 scans" in answer.content.decode()
    assert not JobPage.objects.exists()

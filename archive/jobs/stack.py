"""A stack of scans: a job is begun, watched and stopped."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db import transaction
from django.db.models import Count
from django.utils import timezone

from archive.curation import edits, leaf_order
from archive.curation.errors import LeafOrderError, MergeConflictError
from archive.models import Book, Leaf
from archive.models.jobs import Job, JobPage
from archive.models.scans import Scan
from archive.ocr import tesseract
from archive.publication import revisions
from archive.publication.errors import EditError, check_reason
from archive.scans.geometry import TONES, Steps, StepsError, check_steps, steps_from_form
from archive.text_input import MAX_REASON, clean_line
from people.models import Person

MAX_STACK = 500
"""So many scans go into one job."""
EDGES = ("left", "top", "right", "bottom")


@dataclass(frozen=True)
class Progress:
    """How far a job is: pages by what became of them."""

    all: int
    waiting: int
    done: int
    failed: int
    stopped: int

    @property
    def is_finished(self) -> bool:
        return not self.waiting

    @property
    def worked(self) -> int:
        return self.all - self.waiting


def begin(book: Book, person: Person, act: str, scans: Sequence[int], form: Mapping[str, str]) -> Job:
    """A job on these scans of a book, in their order; EditError if it cannot be meant."""
    chosen = list(Scan.objects.filter(book=book, pk__in=scans).order_by("order", "pk"))
    if not chosen:
        raise EditError("Choose at least one scan.")
    if len(chosen) > MAX_STACK:
        raise EditError(f"At most {MAX_STACK} scans at once.")
    options = OPTIONS[act](form) if act in OPTIONS else None
    if options is None:
        raise EditError("Choose what to do with them.")
    if "first" in options:
        _check_room(book, person, chosen, options, adds=bool(form.get("add")))
    with transaction.atomic():
        job = Job.objects.create(book=book, act=act, options=options, person=person, signed=person.name)
        pages = [JobPage(job=job, scan=scan, order=place) for place, scan in enumerate(chosen)]
        JobPage.objects.bulk_create(pages)
    return job


def _check_room(
    book: Book, person: Person, chosen: Sequence[Scan], options: Mapping[str, Any], adds: bool
) -> None:
    """See that there is a page for each scan: the pages that are missing are added, if that was asked for."""
    pages, last = Leaf.objects.filter(book=book).count(), options["first"] + len(chosen) - 1
    if last <= pages:
        return
    if not adds:
        raise EditError(
            f"The {len(chosen)} scans would reach page {last}, and this rulebook has {pages} "
            f"page{'s' if pages != 1 else ''}. Tick “Add pages at the end if there are too few”, or choose "
            "fewer scans."
        )
    head = revisions.head_of(book).number
    files = revisions.files_at(book, head)
    places = leaf_order.places_of(files)
    new = (
        leaf_order.LeafPlace(0, leaf_order.new_leaf(number).title) for number in range(pages + 1, last + 1)
    )
    try:
        longer = leaf_order.reordered(files, [*places, *new])
        edits.save(book.slug, longer, head, revisions.Signature(options["reason"], person))
    except LeafOrderError as fault:
        raise EditError(str(fault)) from None
    except MergeConflictError:
        raise EditError("Someone else changed the pages at the same moment. Try again.") from None


def _steps(form: Mapping[str, str]) -> dict[str, Any]:
    """The steps that are to be the same on all; those that are left empty stay as they are on each."""
    chosen = {name: form[name] for name in ("turns", "tone", *EDGES) if form.get(name, "").strip()}
    if not chosen:
        raise EditError("Say how the scans are to be turned, cropped or toned.")
    try:
        steps = check_steps(steps_from_form(chosen, Steps.part))
    except StepsError as fault:
        raise EditError(str(fault)) from None
    assert steps.tone in TONES
    return {name: getattr(steps, name) for name in chosen}


def _publish(form: Mapping[str, str]) -> dict[str, Any]:
    reason, first = clean_line(form.get("reason", ""))[:MAX_REASON], form.get("first", "").strip()
    check_reason(reason)
    if first and not (first.isdecimal() and len(first) < 5 and int(first)):
        raise EditError("Write the number of the page that the first scan shows, or leave it empty.")
    return {"reason": reason} | ({"first": int(first)} if first else {})


def _read(form: Mapping[str, str]) -> dict[str, Any]:
    if not tesseract.is_installed():
        raise EditError("Tesseract is not installed here.")
    language = form.get("language", "")
    if language and language not in dict(tesseract.installed_languages()):
        raise EditError("This language is not installed here. Choose another.")
    return {"language": language} if language else {}


OPTIONS = {Job.STEPS: _steps, Job.PUBLISH: _publish, Job.READ: _read}


def progress_of(job: Job) -> Progress:
    counted = job.pages.order_by().values("state").annotate(count=Count("pk"))
    counts = dict(counted.values_list("state", "count"))
    states = (JobPage.WAITING, JobPage.DONE, JobPage.FAILED, JobPage.STOPPED)
    return Progress(sum(counts.values()), *(counts.get(state, 0) for state in states))


def stop(job: Job) -> None:
    """Begin no more pages of this job. The one that is worked on is finished."""
    with transaction.atomic():
        Job.objects.filter(pk=job.pk).update(stopped=True)
        job.pages.filter(state=JobPage.WAITING).update(state=JobPage.STOPPED, finished=timezone.now())

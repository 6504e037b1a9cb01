"""Actions of a job on one scan. The answer is a sentence for the report; a refusal is an error."""

from __future__ import annotations

from dataclasses import replace

from archive import ocr_proposals
from archive.iiif_source import page_import
from archive.models import Leaf
from archive.models.jobs import Job, JobPage
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.scans import pages, publication, sandbox, uploads, word_search
from archive.scans.errors import ScanError
from archive.scans.geometry import StepsError, check_steps


def work_on(page: JobPage) -> str:
    """Do what the job says with this scan; EditError with a sentence if it cannot be done."""
    person = page.job.person
    if not (person.is_active and person.may("publish")):
        raise EditError(f"{page.job.signed} may not publish any more.")
    try:
        if page.job.act in MAKERS:
            return MAKERS[page.job.act](page)
        return ACTIONS[page.job.act](page, Scan.objects.for_page().get(job_pages=page))
    except ScanError as refused:
        raise EditError(sandbox.sentence_for(refused.reason)) from None
    except StepsError as fault:
        raise EditError(str(fault)) from None


def _steps(page: JobPage, scan: Scan) -> str:
    steps = check_steps(replace(scan.chosen_steps, **page.job.options))
    pages.save(scan, steps)
    return f"Now {steps.words}."


def _publish(page: JobPage, scan: Scan) -> str:
    first = page.job.options.get("first")
    if first:
        number = first + page.order
        leaf = Leaf.objects.filter(book=scan.book, number=number).first()
        if leaf is None:
            raise EditError(f"This rulebook has no page {number}.")
        pages.save_with_leaf(scan, scan.chosen_steps, leaf)
    image = publication.publish(scan, page.job.person, page.job.options["reason"])
    word_search.search_once(scan.pk)
    scan.refresh_from_db()
    lost = f"; {len(scan.missing)} words have no place" if scan.missing else ""
    return f"Published as page {image.leaf.number}{lost}."


def _read(page: JobPage, scan: Scan) -> str:
    if scan.image is None or not scan.is_shown:
        raise EditError("Publish it first: the published page is read.")
    if page.job.options.get("language"):
        ocr_proposals.choose_language(scan, page.job.options["language"])
    proposal = ocr_proposals.propose_reading(scan, page.job.person)
    return f"Read. {proposal.place} waits as a proposal."


def _unpack(page: JobPage) -> str:
    job = page.job
    asked = job.options
    scan = uploads.unpack_page(job.book, asked["digest"], page.given["frame"], asked["name"], job.signed)
    JobPage.objects.filter(pk=page.pk).update(scan=scan)
    return "Taken in."


def _bring_over(page: JobPage) -> str:
    scan = page_import.bring_over(page)
    JobPage.objects.filter(pk=page.pk).update(scan=scan)
    return f"Brought over: {scan.original.width} × {scan.original.height} pixels."


MAKERS = {Job.UNPACK: _unpack, Job.IIIF: _bring_over}
"""Actions that make the scan of their page."""
ACTIONS = {Job.STEPS: _steps, Job.PUBLISH: _publish, Job.READ: _read}

"""The page of one scan: its steps and its leaf, before and after; published, withdrawn, cut again."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from archive.images.pictures import picture_of
from archive.models import Leaf
from archive.models.scans import Placing, ProposedScan, Scan
from archive.ocr import tesseract
from archive.publication.errors import EditError
from archive.rights_statements import IMAGE_RIGHTS
from archive.scans import credits, double_pages, pages, publication, sandbox, word_search
from archive.scans.detection import FRAME_DOUBTS, is_double_page, propose_steps
from archive.scans.errors import ScanChangedError, ScanError, ScanRemovedError
from archive.scans.geometry import (
    TONES,
    Steps,
    StepsError,
    frame_overlay,
    page_size,
    record_of,
    steps_from_form,
    turned_size,
)
from archive.scans.originals import copy_of
from archive.scans.text_check import OtherTextError
from archive.scans.views.list import removed_page
from archive.scans.views.preview import PREVIEW_SIDE, find_scan
from archive.text_input import MAX_REASON, clean_line
from people.permissions import person_of, requires

TURNS = ((0, "0°"), (1, "90°"), (2, "180°"), (3, "270°"))
DONE = {
    "saved": "Saved.",
    "proposed": "Proposed again from the picture.",
    "published": "Published. The rulebook shows it now.",
    "withdrawn": "Taken down. The rulebook shows its typeset page again; the scan’s own address still works.",
    "divided": "Two pages now. Both have been straightened and cut as far as could be seen.",
    "united": "One page again.",
    "sought": "The words are being found.",
}


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def scan(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = find_scan(slug, number)
    if request.method != "POST":
        return scan_page(request, shown, shown.chosen_steps)
    steps = shown.chosen_steps
    try:
        steps = steps_from_form(request.POST.dict(), shown.part)
        return _act(request, shown, steps)
    except ScanRemovedError as fault:
        return removed_page(request, shown, fault)
    except ScanChangedError as fault:
        return scan_page(request, shown, shown.chosen_steps, 409, faults=[str(fault)])
    except StepsError as fault:
        return scan_page(request, shown, steps, 422, faults=[str(fault)])
    except OtherTextError as fault:
        return scan_page(request, shown, steps, 409, other_text=True, **fault.context)
    except EditError as fault:
        return scan_page(request, shown, steps, 422, **fault.context)
    except ScanError as refused:
        if not Scan.objects.filter(pk=shown.pk).exists():
            return removed_page(request, shown, ScanRemovedError())
        return scan_page(request, shown, steps, 422, faults=[sandbox.sentence_for(refused.reason)])


def _act(request: HttpRequest, shown: Scan, steps: Steps) -> HttpResponse:
    """Do what the pressed button says. An answer that shows the form again keeps the steps that are in it;
    its leaf is only proposed until the form is saved or published."""
    act = request.POST.get("act", "save")
    if act != "remove" and "credits-credit" in request.POST:
        credits.save_credits(
            shown, credits.credits_from(request.POST.dict()), bool(request.POST.get("credits-for-all"))
        )
    reason = clean_line(request.POST.get("reason", ""))[:MAX_REASON]
    if act == "remove":
        pages.remove(shown)
        return redirect("scans", shown.book.slug)
    if act in ("save", "publish"):
        pages.save_with_leaf(shown, steps, _leaf(request, shown))
    else:
        pages.save(shown, steps)
    done = "saved"
    if act == "publish":
        publication.publish(shown, person_of(request), reason, unfit="unfit" in request.POST)
        word_search.enqueue_search(shown)
        done = "published"
    elif act == "withdraw":
        publication.withdraw(shown, person_of(request), reason)
        done = "withdrawn"
    elif act == "propose":
        anew = propose_steps(copy_of(shown), steps.turns, shown.part)
        pages.save(shown, anew.steps, anew.doubt)
        done = "proposed"
    elif act == "divide":
        double_pages.split(shown, steps)
        done = "divided"
    elif act == "unite":
        double_pages.join(shown)
        done = "united"
    elif act == "seek":
        _search_again(shown)
        done = "sought"
    return redirect(f"{shown.get_absolute_url()}?done={done}")


def _search_again(shown: Scan) -> None:
    if not shown.is_shown:
        raise EditError("This scan is not shown on its page, so its words are not looked for.")
    if shown.wants_text:
        raise EditError("This page has no text yet, so there are no words to look for.")
    word_search.search_afresh(shown)


def _leaf(request: HttpRequest, shown: Scan) -> Leaf | None:
    chosen = request.POST.get("leaf", "")
    if not chosen.isdecimal() or len(chosen) > 5:
        return None
    return Leaf.objects.filter(book=shown.book, number=int(chosen)).first()


def scan_page(
    request: HttpRequest, shown: Scan, steps: Steps, status: int = 200, **context: Any
) -> HttpResponse:
    """The page of a scan, with these steps in its form."""
    around = list(Scan.objects.filter(book=shown.book).values_list("pk", flat=True))
    at = around.index(shown.pk)
    width, height = turned_size(shown.original.width, shown.original.height, steps.turns)
    image = shown.image
    if shown.is_being_searched:
        # The process that searched may have been stopped; if one still does, nothing happens.
        word_search.enqueue_search(shown)
    context |= {
        "scan": shown,
        "book": shown.book,
        "steps": record_of(steps),
        "frame_doubt": FRAME_DOUBTS.get(shown.doubt),
        "query": _query(steps),
        "tones": TONES.items(),
        "turnings": TURNS,
        "width": round(width),
        "height": round(height),
        "drawn": frame_overlay(shown.original.width, shown.original.height, steps),
        "page": page_size(shown.original.width, shown.original.height, steps, PREVIEW_SIDE),
        "spread": shown.part == Scan.WHOLE and is_double_page(round(width), round(height)),
        "other": pages.other_half(shown),
        "leaves": Leaf.objects.filter(book=shown.book).defer("lines").order_by("number"),
        "leaf": shown.leaf,
        "likely": None if shown.leaf else pages.likely_leaf(shown),
        "picture": picture_of(image, "The page as it is published.") if image else None,
        "log": Placing.objects.filter(
            book=shown.book, original=shown.original.digest, steps__part=shown.part
        ),
        "proposed": ProposedScan.objects.filter(book=shown.book, original=shown.original).first(),
        "before": around[at - 1] if at else None,
        "after": around[at + 1] if at + 1 < len(around) else None,
        "credits": {
            name: request.POST.get(f"credits-{name}", shown.credits.get(name, "")) for name in credits.FIELDS
        },
        "statements": IMAGE_RIGHTS.items(),
        "done": DONE.get(request.GET.get("done", "")),
        "reason": request.POST.get("reason", ""),
        "reads": shown.wants_text,
        "reader": tesseract.is_installed(),
        "languages": tesseract.installed_languages(),
        "reader_seconds": settings.TESSERACT_SECONDS_MAX,
    }
    return render(request, "curation/scan.html", context, status=status)


def _query(steps: Steps) -> str:
    return "&".join(f"{name}={value}" for name, value in record_of(steps).items() if name != "part")

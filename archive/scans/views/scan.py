"""One scan: its steps, its leaf, what it looks like before and after; published, taken down, done anew."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST

from archive.curation.views.errors import answer_to
from archive.images.pictures import picture_of
from archive.models import Leaf
from archive.models.scans import Placing, Scan
from archive.publication.errors import EditError
from archive.scans import pages, publication, sandbox, transcripts, word_search
from archive.scans.errors import Refused
from archive.scans.geometry import (
    TONES,
    Steps,
    StepsError,
    drawn,
    page_size,
    record_of,
    steps_in,
    turned_size,
)
from archive.scans.holding import Changed, Removed
from archive.scans.proposing import is_spread, propose
from archive.scans.uploads import copy_of
from archive.scans.views import list as listing
from archive.scans.views.preview import LARGE, scan_of
from archive.text_input import clean_line
from people.permissions import person_of, requires

REASON_MOST = 400
TURNINGS = ((0, "0°"), (1, "90°"), (2, "180°"), (3, "270°"))
DONE = {
    "saved": "Saved.",
    "proposed": "Proposed anew from the picture.",
    "published": "Published. The book shows it now.",
    "withdrawn": "Taken down. The book shows its facsimile again; the scan’s own address still answers.",
    "divided": "Two pages now. Both have been straightened and cut as far as could be seen.",
    "united": "One page again.",
    "sought": "The words are being looked for.",
}


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def scan(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    shown = scan_of(slug, number)
    if request.method != "POST":
        return _page(request, shown, shown.way)
    steps = shown.way
    try:
        steps = steps_in(request.POST.dict(), shown.part)
        return _act(request, shown, steps)
    except Removed as fault:
        return listing.without(request, shown, fault)
    except Changed as fault:
        return _page(request, shown, shown.way, 409, faults=[str(fault)])
    except (StepsError, EditError) as fault:
        status, said = answer_to(fault)
        return _page(request, shown, steps, status, **said)
    except Refused as refused:
        if not Scan.objects.filter(pk=shown.pk).exists():
            return listing.without(request, shown, Removed())
        return _page(request, shown, steps, 422, faults=[sandbox.words_for(refused.reason)])


def _act(request: HttpRequest, shown: Scan, steps: Steps) -> HttpResponse:
    """What the button that was pressed says. Whatever shows the form again keeps the steps that are in it;
    its leaf is only proposed until somebody saves or publishes."""
    act = request.POST.get("act", "save")
    reason = clean_line(request.POST.get("reason", ""))[:REASON_MOST]
    if act == "remove":
        pages.remove(shown)
        return redirect("scans", shown.book.slug)
    if act in ("save", "publish"):
        pages.save_on(shown, steps, _leaf(request, shown))
    else:
        pages.save(shown, steps)
    done = "saved"
    if act == "publish":
        publication.publish(shown, person_of(request), reason)
        word_search.enqueue_search(shown)
        done = "published"
    elif act == "withdraw":
        publication.withdraw(shown, person_of(request), reason)
        done = "withdrawn"
    elif act == "propose":
        pages.save(shown, propose(copy_of(shown), steps.turns, shown.part))
        done = "proposed"
    elif act == "divide":
        pages.divide(shown, steps)
        done = "divided"
    elif act == "unite":
        pages.unite(shown)
        done = "united"
    elif act == "seek":
        _look_again(shown)
        done = "sought"
    return redirect(f"{shown.get_absolute_url()}?done={done}")


def _look_again(shown: Scan) -> None:
    if not shown.is_shown:
        raise EditError("This scan is not shown on its leaf, so its words are not looked for.")
    if transcripts.is_offered(shown):
        raise EditError("This leaf has no text yet, so there are no words to look for.")
    word_search.search_afresh(shown)


@require_POST
@requires("publish")
def read(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """A first text for the leaf, from a file if one was sent; it opens on the mending page, to be read."""
    shown, person, file = scan_of(slug, number), person_of(request), request.FILES.get("file")
    try:
        if file is not None:
            proposal = transcripts.propose_file(shown, person, file.read(settings.READING_BYTES_MAX + 1))
        else:
            proposal = transcripts.propose_read(shown, person)
    except EditError as fault:
        return _page(request, shown, shown.way, 422, faults=[str(fault)])
    return redirect(f"{proposal.address}?proposal={proposal.pk}")


def _leaf(request: HttpRequest, shown: Scan) -> Leaf | None:
    chosen = request.POST.get("leaf", "")
    if not chosen.isdecimal() or len(chosen) > 5:
        return None
    return Leaf.objects.filter(book=shown.book, number=int(chosen)).first()


def _page(request: HttpRequest, shown: Scan, steps: Steps, status: int = 200, **context: Any) -> HttpResponse:
    around = list(Scan.objects.filter(book=shown.book).values_list("pk", flat=True))
    at = around.index(shown.pk)
    width, height = turned_size(shown.original.width, shown.original.height, steps.turns)
    image = shown.image
    if shown.is_looked_at:
        # Whoever was at it may have been stopped; if somebody is, nothing happens.
        word_search.enqueue_search(shown)
    context |= {
        "scan": shown,
        "book": shown.book,
        "steps": record_of(steps),
        "query": _query(steps),
        "tones": TONES.items(),
        "turnings": TURNINGS,
        "width": round(width),
        "height": round(height),
        "drawn": drawn(shown.original.width, shown.original.height, steps),
        "page": page_size(shown.original.width, shown.original.height, steps, LARGE),
        "spread": shown.part == Scan.WHOLE and is_spread(round(width), round(height)),
        "other": pages.other_half(shown),
        "leaves": Leaf.objects.filter(book=shown.book).defer("lines").order_by("number"),
        # Whoever was told to choose one chooses; nothing is put in their mouth.
        "leaf": shown.leaf or (None if context.get("wrong") else pages.likely_leaf(shown)),
        "picture": picture_of(image, "The page as it is published.") if image else None,
        "log": Placing.objects.filter(
            book=shown.book, original=shown.original.digest, steps__part=shown.part
        ),
        "before": around[at - 1] if at else None,
        "after": around[at + 1] if at + 1 < len(around) else None,
        "done": DONE.get(request.GET.get("done", "")),
        "reason": request.POST.get("reason", ""),
        "reads": transcripts.is_offered(shown),
        "reader": transcripts.can_read(),
        "reader_seconds": settings.TESSERACT_SECONDS_MAX,
    }
    return render(request, "curation/scan.html", context, status=status)


def _query(steps: Steps) -> str:
    return "&".join(f"{name}={value}" for name, value in record_of(steps).items() if name != "part")

"""Views of the pages that belong to neither app: the home page, "About", and the style guide."""

import re

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.http import require_safe

from archive.messages.limits import limit as message_limit
from archive.site import site
from home import bookshelf, recent_pads, timeline
from people.limits import limit as account_limit
from scorepad.access.cookies import CLAIM_SECONDS, MAX_AGE_SECONDS
from scorepad.limits import limit as pad_limit

DAY = 24 * 3600


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    books, known = bookshelf.books(), recent_pads.for_request(request)
    context = {
        "heading": bookshelf.heading(),
        "pages": sum(book.pages for book in books),
        "proofread": sum(book.proofread for book in books),
        "books": books,
        "line": timeline.draw([book.year for book in books]),
        "games": bookshelf.games(),
        "rights": bookshelf.rights(books),
        "has_scans": bookshelf.has_scans(books),
        "known": known,
    }
    response = render(request, "home/home.html", context)
    return _private(response) if known.pads or known.clubs else response


@require_safe
def known_pads(request: HttpRequest) -> HttpResponse:
    """All pads this phone knows, a page at a time."""
    known = recent_pads.for_request(request, request.GET.get("page"))
    return _private(render(request, "home/known_pads.html", {"known": known}))


def _private(response: HttpResponse) -> HttpResponse:
    """The pads of one phone are not for others to see."""
    patch_cache_control(response, private=True, no_cache=True)
    patch_vary_headers(response, ["Cookie"])
    return response


@require_safe
def about(request: HttpRequest) -> HttpResponse:
    books = bookshelf.books()
    context = {
        "rights": bookshelf.rights(books),
        "undated": [book for book in books if not book.year],
        "sentence": bookshelf.sentence("victory-rummy-1942", "enter-score"),
        "has_scans": bookshelf.has_scans(books),
        "site": site(),
    }
    return render(request, "home/about.html", context)


@require_safe
def edition(request: HttpRequest) -> HttpResponse:
    """The principles of the edition, its sources, the history of its rulebooks, credits."""
    context = {
        "site": site(),
        "histories": bookshelf.histories(),
        "rights": bookshelf.rights(bookshelf.books()),
    }
    return render(request, "home/edition.html", context)


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """What is kept, for how long and why: the times are those that are set."""
    context = {
        "site": site(),
        "keeper": settings.KEEPER_EMAIL,
        "takes_photographs": settings.READERS_PHOTOGRAPHS,
        "message_days": message_limit("MESSAGE_ADDRESS_DAYS"),
        "pad_days": pad_limit("PAD_IDLE_DAYS"),
        "empty_days": pad_limit("PAD_EMPTY_IDLE_DAYS"),
        "notice_days": pad_limit("PAD_NOTICE_DAYS"),
        "code_minutes": pad_limit("JOIN_CODE_MINUTES"),
        "cookie_days": MAX_AGE_SECONDS // DAY,
        "claim_days": CLAIM_SECONDS // DAY,
        "form_days": (settings.CSRF_COOKIE_AGE or 0) // DAY,
        "session_days": settings.SESSION_COOKIE_AGE // DAY,
        "idle_days": account_limit("SESSION_IDLE_DAYS"),
    }
    return render(request, "home/privacy.html", context)


@require_safe
def style(request: HttpRequest) -> HttpResponse:
    """Every part of the look on one page; there only while DEBUG is on."""
    books = bookshelf.books()
    context = {
        "sides": ["day", "night"],
        "colours": re.findall(r"swatch--([\w-]+)", (settings.BASE_DIR / "static/css/style.css").read_text()),
        "sizes": ["xs", "s", "m", "l", "xl", "2xl"],
        "books": books,
        "line": timeline.draw([book.year for book in books]),
        "sentence": bookshelf.sentence("victory-rummy-1942", "score-capture"),
    }
    return render(request, "home/style.html", context)

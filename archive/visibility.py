"""Middleware that shows drafts and withdrawn books to curators alone, whatever address they are asked at.

It stands before every view, so a view cannot forget it. To others a draft is not there, and a withdrawn book
is gone: 410, with the reason and whom to ask. What is not public is never cached.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

import engine
from archive.images.middleware import FILES_PATH, IMAGE_API_PATH, private_file
from archive.images.page_image_cache import NO_SUCH_IMAGE, find_image, state_of
from archive.models import Book, StateChange, Variant
from archive.publication.book_states import withdrawal_of
from people.models import Person

OF_A_BOOK = ("books/<slug:slug>/", "iiif/3/<slug:slug>/", "iiif/2/<slug:slug>/", "iiif/search/")
OF_A_VARIANT = "variants/<slug:slug>/"
OF_A_GAME = ("brief/<slug:game>/", "questions/<slug:game>/")
FOR_PROGRAMS = (".json", ".xml", ".txt", ".toml", ".jpg")
NEVER_CACHED = "private, no-store"
NOT_THERE = "-"
"""No book and no variant can have this name."""

Respond = Callable[[HttpRequest], HttpResponseBase]


class VisibilityMiddleware:
    def __init__(self, get_response: Respond) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.path_info.startswith((FILES_PATH, IMAGE_API_PATH)):
            return self._image(request)
        response = self.get_response(request)
        if getattr(request, "shows_private_book", False):
            response["Cache-Control"] = NEVER_CACHED
        return response

    def process_view(
        self, request: HttpRequest, view: object, args: object, kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        found = _state_asked(request, kwargs)
        if found is None or found[1] == Book.PUBLIC:
            return None
        slug, state = found
        if _is_curator(request):
            request.shows_private_book = True  # type: ignore[attr-defined]
            return None
        if state == Book.WITHDRAWN:
            return _gone(request, slug)
        if "slug" not in kwargs:
            raise Http404
        # The view answers as it does for any name that is not there, so nobody learns that a draft is.
        kwargs["slug"] = NOT_THERE
        return None

    def _image(self, request: HttpRequest) -> HttpResponseBase:
        """A page image; the files of public books have been answered before."""
        is_file = request.path_info.startswith(FILES_PATH)
        start = FILES_PATH if is_file else IMAGE_API_PATH
        identifier = request.path_info[len(start) :].partition("/")[0]
        state = state_of(identifier)
        if state == Book.PUBLIC or request.method not in ("GET", "HEAD"):
            return self.get_response(request)
        if not _is_curator(request):
            image = find_image(identifier)
            if state == Book.WITHDRAWN and image is not None:
                return _gone(request, image.book)
            return self.get_response(request) if is_file else _plain(404, NO_SUCH_IMAGE)
        response = (private_file(request) if is_file else None) or self.get_response(request)
        response["Cache-Control"] = NEVER_CACHED
        return response


def _state_asked(request: HttpRequest, kwargs: dict[str, Any]) -> tuple[str, str] | None:
    """The book that this address speaks of, by slug, and its state; None if it speaks of none."""
    route = request.resolver_match.route if request.resolver_match else ""
    books = Book.objects.all()
    if route.startswith(OF_A_BOOK):
        books = books.filter(slug=kwargs["slug"])
    elif route.startswith(OF_A_GAME):
        game = engine.GAMES.get(kwargs["game"])
        books = books.filter(slug=game.book) if game else books.none()
    elif route.startswith(OF_A_VARIANT):
        books = books.filter(pk__in=Variant.objects.filter(slug=kwargs["slug"]).values("book"))
    else:
        return None
    return books.values_list("slug", "state").first()


def _is_curator(request: HttpRequest) -> bool:
    if settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    if isinstance(request.user, Person) and request.user.may("publish"):
        return True
    # A header would tell that somebody's session was looked at, which happens for drafts alone.
    request.session.accessed = False
    return False


def _gone(request: HttpRequest, slug: str) -> HttpResponse:
    change = withdrawal_of(slug)
    if request.path_info.startswith(("/iiif/", FILES_PATH)) or request.path_info.endswith(FOR_PROGRAMS):
        return _plain(410, _sentence(change))
    context = {"change": change, "keeper": settings.KEEPER_EMAIL}
    return render(request, "410.html", context, status=410)


def _sentence(change: StateChange | None) -> str:
    why = f" The reason: {change.reason}" if change else ""
    return f"This rulebook was withdrawn.{why} Ask {settings.KEEPER_EMAIL}."


def _plain(status: int, sentence: str) -> HttpResponse:
    response = HttpResponse(f"{sentence}\n", status=status, content_type="text/plain; charset=utf-8")
    response["Access-Control-Allow-Origin"] = "*"
    return response

"""Sizes and tiles served as the files they are, before any view runs.

Two addresses lead to each file: /images/… carries the content's hash and may be kept for ever; the image
API's address of a size or tile names the image alone and is checked again after a day. WhiteNoise's own
responder answers for both, so a tile costs no more than a style sheet. Where files are in a bucket they are
fetched from it and passed on: the bucket stays private, and the proxy before us keeps what it has seen.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable
from contextlib import closing
from functools import lru_cache
from urllib.parse import quote

from django.core.exceptions import SuspiciousFileOperation
from django.core.files.storage import FileSystemStorage
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.utils.cache import get_conditional_response
from whitenoise.responders import IsDirectoryError, MissingFileError, StaticFile

from archive.images.assembly import file_for, name_of
from archive.images.iiif_request import Ask, ImageRequestError, ask
from archive.images.known import Known, known
from archive.images.storage import pages

KEPT = "/images/"
ASKED = "/iiif/image/3/"
PROFILE = "http://iiif.io/api/image/3/level2.json"
FOR_EVER = "public, max-age=31536000, immutable"
FOR_A_DAY = "public, max-age=86400"
READ_MAX = 50_000_000

NAME = re.compile(r"[\w.-]+/[0-9a-f]{16}/(?:full|\d{1,6})/[\d-]{1,20}\.jpg", re.ASCII)
ASK = re.compile(r"([^/]{1,200})/([^/]{1,60})/([^/]{1,40})/([^/]{1,20})/([^/.]{1,20})\.([^/.]{1,10})")

View = Callable[[HttpRequest], HttpResponseBase]
log = logging.getLogger(__name__)


def page_files(get_response: View) -> View:
    def respond(request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        answer = None
        if path.startswith(ASKED):
            answer = _answer_asked(request, path)
        elif path.startswith(KEPT):
            answer = _answer_kept(request, path)
        return answer if answer is not None else get_response(request)

    return respond


def _answer_kept(request: HttpRequest, path: str) -> HttpResponseBase | None:
    name = path[len(KEPT) :]
    return _send(request, name, FOR_EVER) if NAME.fullmatch(name) else None


def _answer_asked(request: HttpRequest, path: str) -> HttpResponseBase | None:
    """None where no kept file is the answer: then the view explains, or assembles."""
    understood = understand(path)
    if understood is None:
        return None
    image, asked, name = understood
    response = _send(request, name_of(image.identifier, image.checksum, name), FOR_A_DAY)
    if response is not None:
        response["Link"] = link_header(request, image.identifier, asked.canonical)
    return response


@lru_cache(maxsize=20_000)
def _read(path: str, image: Known) -> tuple[Ask, str] | None:
    match = ASK.fullmatch(path, len(ASKED))
    if match is None:
        return None
    try:
        asked = ask(image.width, image.height, *match.groups()[1:])
    except ImageRequestError:
        return None
    name = file_for(image.width, image.height, asked)
    return (asked, name) if name else None


def understand(path: str) -> tuple[Known, Ask, str] | None:
    """The image, the request and the name of the kept file that answers it, if one does."""
    image = known(path[len(ASKED) :].partition("/")[0])
    read = _read(path, image) if image else None
    return (image, *read) if image and read else None


def link_header(request: HttpRequest, identifier: str, canonical: str) -> str:
    address = f"{request.scheme}://{request.get_host()}{ASKED}{quote(identifier, safe='')}/{canonical}"
    return f'<{address}>;rel="canonical",<{PROFILE}>;rel="profile"'


def _send(request: HttpRequest, name: str, cache: str) -> HttpResponseBase | None:
    if not isinstance(pages(), FileSystemStorage):
        return _fetch(request, name, cache)
    file = _file(name, cache)
    if file is None:
        return None
    try:
        answer = file.get_response(request.method, request.META)
    except FileNotFoundError:
        # It was taken away since we looked.
        _files.pop((name, cache), None)
        return None
    content = b""
    if answer.file is not None:
        with closing(answer.file):
            # In one piece: passing a file on in blocks, thread to loop, costs more than reading it.
            content = answer.file.read(READ_MAX)
    response = HttpResponse(content, status=answer.status)
    # Django would name a type of its own; an answer without a body has none.
    del response["content-type"]
    for key, value in answer.headers:
        response[key] = value
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _fetch(request: HttpRequest, name: str, cache: str) -> HttpResponseBase | None:
    """A file of a bucket. Names carry the content, so a browser that has it is told so at once."""
    tag = _tag(name)
    response = get_conditional_response(request, etag=tag)
    if response is None:
        try:
            with pages().open(name) as file:
                response = HttpResponse(file.read(READ_MAX), content_type="image/jpeg")
        except FileNotFoundError:
            return None
        except Exception:
            # Whatever its library raises: the bucket does not answer, and may in a moment.
            log.exception("A page image could not be fetched.")
            return HttpResponse("Try again.\n", "text/plain", 503, headers={"Retry-After": "2"})
    response["ETag"] = tag
    response["Cache-Control"] = cache
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _tag(name: str) -> str:
    return f'"{name.partition("/")[2]}"'


_files: dict[tuple[str, str], StaticFile] = {}
FILES_MAX = 20_000


def _file(name: str, cache: str) -> StaticFile | None:
    """The responder of a file, remembered: what is kept under a name does not change."""
    key = (name, cache)
    found = _files.get(key)
    if found is None:
        found = _open(name, cache)
        if found is None:
            return None
        if len(_files) >= FILES_MAX:
            _files.clear()
        _files[key] = found
    return found


def _open(name: str, cache: str) -> StaticFile | None:
    headers = [("Content-Type", "image/jpeg"), ("Cache-Control", cache), ("ETag", _tag(name))]
    try:
        return StaticFile(pages().path(name), headers)
    except (MissingFileError, IsDirectoryError, FileNotFoundError, SuspiciousFileOperation):
        return None


def forget_files() -> None:
    _files.clear()
    _read.cache_clear()

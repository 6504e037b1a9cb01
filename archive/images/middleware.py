"""Middleware that serves the stored sizes and tiles of page images, before any view runs.

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

from archive.cache import BoundedCache
from archive.images.assembly import stored_file_for, stored_name
from archive.images.iiif_request import ImageRequest, ImageRequestError, parse_request
from archive.images.page_image_cache import ImageFacts, find_image, state_of
from archive.images.storage import pages
from archive.models import Book

FILES_PATH = "/images/"
IMAGE_API_PATH = "/iiif/image/3/"
IMAGE_API_PROFILE = "http://iiif.io/api/image/3/level2.json"
CACHE_FOR_EVER = "public, max-age=31536000, immutable"
CACHE_FOR_A_DAY = "public, max-age=86400"
CACHE_NEVER = "private, no-store"
MAX_FILE_BYTES = 50_000_000
MAX_FILES = 20_000

FILE_NAME = re.compile(r"[\w.-]+/[0-9a-f]{16}/(?:full|\d{1,6})/[\d-]{1,20}\.jpg", re.ASCII)
IMAGE_REQUEST = re.compile(
    r"([^/]{1,200})/([^/]{1,60})/([^/]{1,40})/([^/]{1,20})/([^/.]{1,20})\.([^/.]{1,10})"
)

View = Callable[[HttpRequest], HttpResponseBase]
log = logging.getLogger(__name__)
_files: BoundedCache[tuple[str, str], StaticFile] = BoundedCache(MAX_FILES)


def page_files(get_response: View) -> View:
    def respond(request: HttpRequest) -> HttpResponseBase:
        path = request.path_info
        answer = None
        if path.startswith(IMAGE_API_PATH):
            answer = _answer_image_api(request, path)
        elif path.startswith(FILES_PATH):
            answer = _answer_file(request, path)
        return answer if answer is not None else get_response(request)

    return respond


def _answer_file(request: HttpRequest, path: str) -> HttpResponseBase | None:
    """None for a page of a draft or of a withdrawn book: who may see it is asked further inside."""
    name = path[len(FILES_PATH) :]
    if not FILE_NAME.fullmatch(name) or state_of(name.partition("/")[0]) != Book.PUBLIC:
        return None
    return _send(request, name, CACHE_FOR_EVER)


def private_file(request: HttpRequest) -> HttpResponseBase | None:
    """A page for a curator alone; None if the address is of no such file."""
    name = request.path_info[len(FILES_PATH) :]
    return _send(request, name, CACHE_NEVER) if FILE_NAME.fullmatch(name) else None


def _answer_image_api(request: HttpRequest, path: str) -> HttpResponseBase | None:
    """None where no kept file is the answer: then the view explains, or assembles."""
    found = stored_answer(path)
    if found is None or found[0].state != Book.PUBLIC:
        return None
    image, image_request, name = found
    response = _send(request, stored_name(image.identifier, image.checksum, name), CACHE_FOR_A_DAY)
    if response is not None:
        response["Link"] = link_header(request, image.identifier, image_request.canonical)
    return response


@lru_cache(maxsize=20_000)
def _parse_path(path: str, image: ImageFacts) -> tuple[ImageRequest, str] | None:
    match = IMAGE_REQUEST.fullmatch(path, len(IMAGE_API_PATH))
    if match is None:
        return None
    try:
        image_request = parse_request(image.width, image.height, *match.groups()[1:])
    except ImageRequestError:
        return None
    name = stored_file_for(image.width, image.height, image_request)
    return (image_request, name) if name else None


def stored_answer(path: str) -> tuple[ImageFacts, ImageRequest, str] | None:
    """The image, the request and the name of the kept file that answers it, if one does."""
    image = find_image(path[len(IMAGE_API_PATH) :].partition("/")[0])
    read = _parse_path(path, image) if image else None
    return (image, *read) if image and read else None


def link_header(request: HttpRequest, identifier: str, canonical: str) -> str:
    address = (
        f"{request.scheme}://{request.get_host()}{IMAGE_API_PATH}{quote(identifier, safe='')}/{canonical}"
    )
    return f'<{address}>;rel="canonical",<{IMAGE_API_PROFILE}>;rel="profile"'


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
        _files.discard((name, cache))
        return None
    content = b""
    if answer.file is not None:
        with closing(answer.file):
            # In one piece: passing a file on in blocks, thread to loop, costs more than reading it.
            content = answer.file.read(MAX_FILE_BYTES)
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
                response = HttpResponse(file.read(MAX_FILE_BYTES), content_type="image/jpeg")
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


def _file(name: str, cache: str) -> StaticFile | None:
    """The responder of a file, cached: the content under a name does not change."""
    found = _files.get((name, cache))
    if found is None:
        found = _open(name, cache)
        if found is not None:
            _files.put((name, cache), found)
    return found


def _open(name: str, cache: str) -> StaticFile | None:
    headers = [("Content-Type", "image/jpeg"), ("Cache-Control", cache), ("ETag", _tag(name))]
    try:
        return StaticFile(pages().path(name), headers)
    except (MissingFileError, IsDirectoryError, FileNotFoundError, SuspiciousFileOperation):
        return None

"""IIIF Image API 3, level 2. Sizes and tiles are sent as files by the image middleware, before any view."""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.utils.cache import patch_vary_headers
from PIL import Image

from archive.images.assembly import assemble, stored_file_for, stored_name
from archive.images.iiif_request import MAX_AREA, MAX_SIDE, ImageRequestError, parse_request
from archive.images.middleware import CACHE_FOR_A_DAY, IMAGE_API_PATH, IMAGE_API_PROFILE, link_header
from archive.images.page_image_cache import NO_SUCH_IMAGE, ImageFacts, find_image
from archive.images.storage import pages
from archive.images.tiles import TILE_SIZE, scales_of, sizes_of

CONTEXT = "http://iiif.io/api/image/3/context.json"
TYPES = {"jpg": "image/jpeg", "png": "image/png"}


def _with_cors(response: HttpResponseBase) -> HttpResponseBase:
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _refusal(status: int, sentence: str) -> HttpResponseBase:
    response = HttpResponse(sentence + "\n", status=status, content_type="text/plain; charset=utf-8")
    if status == 503:
        response["Retry-After"] = "5"
    return _with_cors(response)


def _reject_writes(request: HttpRequest) -> HttpResponseBase | None:
    """The response to any method but reading; a preflight request is answered."""
    if request.method in ("GET", "HEAD"):
        return None
    response: HttpResponseBase = HttpResponse(status=204 if request.method == "OPTIONS" else 405)
    response["Allow"] = "GET, HEAD, OPTIONS"
    response["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
    response["Access-Control-Allow-Headers"] = "Accept, If-None-Match, Range"
    response["Access-Control-Max-Age"] = "86400"
    return _with_cors(response)


def _no_such_image() -> HttpResponseBase:
    return _refusal(404, NO_SUCH_IMAGE)


def base(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """The image's own address leads to its description."""
    if refused := _reject_writes(request):
        return refused
    if find_image(identifier) is None:
        return _no_such_image()
    response = HttpResponse(status=303)
    response["Location"] = f"{address_of(request, identifier)}/info.json"
    return _with_cors(response)


def address_of(request: HttpRequest, identifier: str) -> str:
    return request.build_absolute_uri(f"{IMAGE_API_PATH}{identifier}")


def description(image: ImageFacts, address: str, manifest: str) -> dict[str, Any]:
    """The content of info.json."""
    return {
        "@context": CONTEXT,
        "id": address,
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level2",
        "width": image.width,
        "height": image.height,
        "maxWidth": MAX_SIDE,
        "maxHeight": MAX_SIDE,
        "maxArea": MAX_AREA,
        "sizes": [
            {"width": size.width, "height": size.height}
            for size in sizes_of(image.width, image.height)
            if size.width * size.height <= MAX_AREA
        ],
        "tiles": [
            {"width": TILE_SIZE, "height": TILE_SIZE, "scaleFactors": scales_of(image.width, image.height)}
        ],
        "rights": image.rights,
        "extraQualities": ["color", "gray", "bitonal"],
        "extraFeatures": ["canonicalLinkHeader", "mirroring", "profileLinkHeader", "sizeUpscaling"],
        "partOf": [{"id": manifest, "type": "Manifest"}],
    }


def info(request: HttpRequest, identifier: str) -> HttpResponseBase:
    if refused := _reject_writes(request):
        return refused
    image = find_image(identifier)
    if image is None:
        return _no_such_image()
    manifest = request.build_absolute_uri(f"/iiif/3/{image.book}/manifest.json")
    response = JsonResponse(description(image, address_of(request, identifier), manifest))
    linked = "application/ld+json" in request.headers.get("Accept", "")
    response["Content-Type"] = f'application/ld+json;profile="{CONTEXT}"' if linked else "application/json"
    response["Cache-Control"] = "public, max-age=300"
    response["Link"] = f'<{IMAGE_API_PROFILE}>;rel="profile"'
    patch_vary_headers(response, ["Accept"])
    return _with_cors(response)


def picture(
    request: HttpRequest, identifier: str, region: str, size: str, rotation: str, quality: str, format: str
) -> HttpResponseBase:
    if refused := _reject_writes(request):
        return refused
    image = find_image(identifier)
    if image is None:
        return _no_such_image()
    try:
        asked = parse_request(image.width, image.height, region, size, rotation, quality, format)
        etag = f'"{image.checksum[:16]}/{asked.canonical}"'
        if etag in request.headers.get("If-None-Match", ""):
            response = HttpResponse(status=304)
        elif name := stored_file_for(image.width, image.height, asked):
            response = HttpResponse(_read(image, name), content_type="image/jpeg")
        else:
            content = assemble(image.width, image.height, asked, lambda name: _open(image, name))
            response = HttpResponse(content, content_type=TYPES[format])
    except ImageRequestError as unfit:
        return _refusal(unfit.status, unfit.sentence)
    except FileNotFoundError:
        return _refusal(
            404, "The files of this image are missing. The administrator can have them made again."
        )
    response["ETag"] = etag
    response["Cache-Control"] = CACHE_FOR_A_DAY
    response["Link"] = link_header(request, identifier, asked.canonical)
    return _with_cors(response)


def _read(image: ImageFacts, name: str) -> bytes:
    with pages().open(stored_name(image.identifier, image.checksum, name)) as file:
        content: bytes = file.read()
        return content


def _open(image: ImageFacts, name: str) -> Image.Image:
    return Image.open(io.BytesIO(_read(image, name)))


def malformed(request: HttpRequest, identifier: str, rest: str) -> HttpResponseBase:
    """An address that is no image request at all."""
    if find_image(identifier) is None:
        return _no_such_image()
    return _refusal(
        400, "Ask for {region}/{size}/{rotation}/{quality}.{format}, such as full/640,/0/default.jpg."
    )

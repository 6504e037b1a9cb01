"""IIIF Image API 3, level 2. Sizes and tiles are sent as files by the image middleware, before any view."""

from __future__ import annotations

import io
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.urls import URLPattern, path
from django.utils.cache import patch_vary_headers
from PIL import Image

from archive.images.assembly import assemble, file_for, name_of
from archive.images.iiif_request import AREA_MAX, SIDE_MAX, ImageRequestError, ask
from archive.images.known import Known, known
from archive.images.middleware import ASKED, FOR_A_DAY, PROFILE, link_header
from archive.images.sizes import TILE, scales_of, sizes_of
from archive.images.storage import pages

CONTEXT = "http://iiif.io/api/image/3/context.json"
TYPES = {"jpg": "image/jpeg", "png": "image/png"}


def _open_to_all(response: HttpResponseBase) -> HttpResponseBase:
    response["Access-Control-Allow-Origin"] = "*"
    return response


def _refusal(status: int, sentence: str) -> HttpResponseBase:
    response = HttpResponse(sentence + "\n", status=status, content_type="text/plain; charset=utf-8")
    if status == 503:
        response["Retry-After"] = "5"
    return _open_to_all(response)


def _unless_read(request: HttpRequest) -> HttpResponseBase | None:
    """Images are only read. A browser's question beforehand gets its answer."""
    if request.method in ("GET", "HEAD"):
        return None
    response: HttpResponseBase = HttpResponse(status=204 if request.method == "OPTIONS" else 405)
    response["Allow"] = "GET, HEAD, OPTIONS"
    response["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
    response["Access-Control-Allow-Headers"] = "Accept, If-None-Match, Range"
    response["Access-Control-Max-Age"] = "86400"
    return _open_to_all(response)


def _unknown(identifier: str) -> HttpResponseBase:
    return _refusal(404, "There is no image of this name. The manifest of a book names its images.")


def base(request: HttpRequest, identifier: str) -> HttpResponseBase:
    """The image's own address leads to its description."""
    if refused := _unless_read(request):
        return refused
    if known(identifier) is None:
        return _unknown(identifier)
    response = HttpResponse(status=303)
    response["Location"] = f"{address_of(request, identifier)}/info.json"
    return _open_to_all(response)


def address_of(request: HttpRequest, identifier: str) -> str:
    return request.build_absolute_uri(f"{ASKED}{identifier}")


def description(image: Known, address: str, manifest: str) -> dict[str, Any]:
    """What info.json says."""
    return {
        "@context": CONTEXT,
        "id": address,
        "type": "ImageService3",
        "protocol": "http://iiif.io/api/image",
        "profile": "level2",
        "width": image.width,
        "height": image.height,
        "maxWidth": SIDE_MAX,
        "maxHeight": SIDE_MAX,
        "maxArea": AREA_MAX,
        "sizes": [
            {"width": size.width, "height": size.height}
            for size in sizes_of(image.width, image.height)
            if size.width * size.height <= AREA_MAX
        ],
        "tiles": [{"width": TILE, "height": TILE, "scaleFactors": scales_of(image.width, image.height)}],
        "rights": image.rights,
        "extraQualities": ["color", "gray", "bitonal"],
        "extraFeatures": ["canonicalLinkHeader", "mirroring", "profileLinkHeader", "sizeUpscaling"],
        "partOf": [{"id": manifest, "type": "Manifest"}],
    }


def info(request: HttpRequest, identifier: str) -> HttpResponseBase:
    if refused := _unless_read(request):
        return refused
    image = known(identifier)
    if image is None:
        return _unknown(identifier)
    manifest = request.build_absolute_uri(f"/iiif/3/{image.book}/manifest.json")
    response = JsonResponse(description(image, address_of(request, identifier), manifest))
    linked = "application/ld+json" in request.headers.get("Accept", "")
    response["Content-Type"] = f'application/ld+json;profile="{CONTEXT}"' if linked else "application/json"
    response["Cache-Control"] = "public, max-age=300"
    response["Link"] = f'<{PROFILE}>;rel="profile"'
    patch_vary_headers(response, ["Accept"])
    return _open_to_all(response)


def picture(
    request: HttpRequest, identifier: str, region: str, size: str, rotation: str, quality: str, format: str
) -> HttpResponseBase:
    if refused := _unless_read(request):
        return refused
    image = known(identifier)
    if image is None:
        return _unknown(identifier)
    try:
        asked = ask(image.width, image.height, region, size, rotation, quality, format)
        etag = f'"{image.checksum[:16]}/{asked.canonical}"'
        if etag in request.headers.get("If-None-Match", ""):
            response = HttpResponse(status=304)
        elif name := file_for(image.width, image.height, asked):
            response = HttpResponse(_read(image, name), content_type="image/jpeg")
        else:
            content = assemble(image.width, image.height, asked, lambda name: _open(image, name))
            response = HttpResponse(content, content_type=TYPES[format])
    except ImageRequestError as unfit:
        return _refusal(unfit.status, unfit.sentence)
    except FileNotFoundError:
        return _refusal(
            404, "The files of this image are missing. The keeper of the site can have them cut anew."
        )
    response["ETag"] = etag
    response["Cache-Control"] = FOR_A_DAY
    response["Link"] = link_header(request, identifier, asked.canonical)
    return _open_to_all(response)


def _read(image: Known, name: str) -> bytes:
    with pages().open(name_of(image.identifier, image.checksum, name)) as file:
        content: bytes = file.read()
        return content


def _open(image: Known, name: str) -> Image.Image:
    return Image.open(io.BytesIO(_read(image, name)))


def nonsense(request: HttpRequest, identifier: str, rest: str) -> HttpResponseBase:
    """An address that is no image request at all."""
    if known(identifier) is None:
        return _unknown(identifier)
    return _refusal(
        400, "Ask for {region}/{size}/{rotation}/{quality}.{format}, such as full/640,/0/default.jpg."
    )


urlpatterns: list[URLPattern] = [
    path("iiif/image/3/<str:identifier>", base, name="image"),
    path("iiif/image/3/<str:identifier>/", base),
    path("iiif/image/3/<str:identifier>/info.json", info, name="image-info"),
    path(
        "iiif/image/3/<str:identifier>/<str:region>/<str:size>/<str:rotation>/<str:quality>.<str:format>",
        picture,
        name="image-request",
    ),
    path("iiif/image/3/<str:identifier>/<path:rest>", nonsense),
]

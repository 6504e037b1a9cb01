"""Responses for other sites' programs: CORS headers, JSON and JSON-LD, ETags and caching."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import Any, Concatenate, ParamSpec

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_vary_headers

FOR_FIVE_MINUTES = "public, max-age=300"

JsonObject = dict[str, Any]
Rest = ParamSpec("Rest")


def cors_read(
    view: Callable[Concatenate[HttpRequest, Rest], HttpResponse],
) -> Callable[Concatenate[HttpRequest, Rest], HttpResponse]:
    """Let any site read this view, its refusals too, and let none write; a preflight request is told so."""

    @wraps(view)
    def respond(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            response = HttpResponse(status=204 if request.method == "OPTIONS" else 405)
            response["Allow"] = response["Access-Control-Allow-Methods"] = "GET, HEAD, OPTIONS"
            response["Access-Control-Allow-Headers"] = "Accept, If-None-Match"
            response["Access-Control-Max-Age"] = "86400"
        else:
            try:
                response = view(request, *args, **kwargs)
            except Http404 as missing:
                sentence = str(missing) or "There is nothing here."
                response = HttpResponse(f"{sentence}\n", status=404, content_type="text/plain; charset=utf-8")
        response["Access-Control-Allow-Origin"] = "*"
        return response

    return respond


def origin(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def json_response(request: HttpRequest, document: JsonObject, context: str) -> HttpResponse:
    """A JSON document; as linked data of this context if the request asks for that."""
    linked = "application/ld+json" in request.headers.get("Accept", "")
    kind = f'application/ld+json;profile="{context}"' if linked else "application/json"
    response = cached_response(request, json.dumps(document, ensure_ascii=False).encode(), kind)
    patch_vary_headers(response, ["Accept"])
    return response


def cached_response(request: HttpRequest, body: bytes, kind: str) -> HttpResponse:
    """A body with its ETag, or the answer that it has not changed."""
    response = HttpResponse(body, content_type=kind)
    response["ETag"] = f'"{hashlib.sha256(body + kind.encode()).hexdigest()[:32]}"'
    response["Cache-Control"] = FOR_FIVE_MINUTES
    fitting = get_conditional_response(request, etag=response["ETag"], response=response)
    assert isinstance(fitting, HttpResponse)
    return fitting

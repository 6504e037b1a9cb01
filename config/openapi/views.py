"""View of /openapi.json: the JSON addresses of the site. Those of IIIF have their own standard."""

from functools import cache
from typing import Any

from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

from config.openapi import archive, clubs, pads, schemas
from config.openapi.schemas import TEXT, each
from scorepad.access import cookies

STATE = {"application/json": {"schema": each(TEXT)}}


@cache
def description() -> dict[str, Any]:
    state = {
        "200": {"description": "well", "content": STATE},
        "503": {"description": "unwell", "content": STATE},
        "400": {"description": "a zero byte in the address", "content": {"text/plain": {"schema": TEXT}}},
    }
    security = {
        "link": {"type": "http", "scheme": "bearer", "description": "The last part of a link to the pad."},
        "cookie": {
            "type": "apiKey",
            "in": "cookie",
            "name": cookies.cookie_name("{code}"),
            "description": "What a link is traded for; a POST then needs X-CSRFToken as well.",
        },
    }
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Tallyroom",
            "version": "1",
            "description": "Shared score pads for old rummy games, and the rulebooks they are played by. "
            "docs/pads-api.md and docs/interop.md tell it in sentences.",
        },
        "paths": {
            **pads.paths(),
            **clubs.paths(),
            **archive.paths(),
            "/health": {"get": {"summary": "is the site well", "responses": state}},
            "/ready": {"get": {"summary": "may this process be asked", "responses": state}},
        },
        "components": {
            "schemas": schemas.SCHEMAS | archive.SCHEMAS,
            "securitySchemes": security,
        },
    }


@require_safe
@cache_control(max_age=3600)
def openapi_json(request: HttpRequest) -> JsonResponse:
    return JsonResponse(description(), headers={"Access-Control-Allow-Origin": "*"})

"""Variants as JSON, with all that a pad needs to be played by one."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from archive import lookup
from archive.models import Variant


@require_safe
def variant_json(request: HttpRequest, slug: str) -> HttpResponse:
    return JsonResponse(lookup.variant_as_dict(get_object_or_404(Variant, slug=slug)))


@require_safe
def variants_json(request: HttpRequest, game: str) -> HttpResponse:
    """All variants of a game, as printed first."""
    return JsonResponse({"game": game, "variants": lookup.variants_of_game(game)})

"""Variants as JSON: what a pad needs to be played so. The pads ask here; the two apps share no code."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from archive.models import Variant


@require_safe
def variant_json(request: HttpRequest, slug: str) -> HttpResponse:
    return JsonResponse(_shown(get_object_or_404(Variant, slug=slug)))


@require_safe
def variants_json(request: HttpRequest, game: str) -> HttpResponse:
    """All variants of a game, as printed first."""
    shown = [_shown(variant) for variant in Variant.objects.of_game(game).defer("html")]
    return JsonResponse({"game": game, "variants": shown})


def _shown(variant: Variant) -> dict[str, Any]:
    return {
        "slug": variant.slug,
        "game": variant.game,
        "title": variant.title,
        "reasons": variant.reasons,
        "options": variant.options,
        "settings": variant.pad,
        "address": variant.get_absolute_url(),
    }

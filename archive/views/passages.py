"""The page of one passage: its words, its crop from the page, its notes, and what the engine makes of it."""

from __future__ import annotations

from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from archive.images.cards import typeset_card
from archive.images.clips import clip_alt, clip_picture, clips_of_passage, passage_clip
from archive.images.iiif_request import ImageRequestError
from archive.images.middleware import CACHE_FOR_A_DAY
from archive.lookup import quotation
from archive.models import Leaf, Passage
from archive.reader.citation_formats import as_quotation, citation_context
from archive.reader.citations import cite_passage
from archive.reader.metadata import passage_metadata
from archive.reader.passage_scoring import scored_by
from archive.reader.passages import neighbours, read_passage, variants_citing
from archive.responses import origin


def find_passage(slug: str, anchor: str) -> Passage:
    passages = Passage.objects.named(slug, anchor).select_related("book")
    return get_object_or_404(passages.prefetch_related("notes"))


@require_safe
@vary_on_headers("HX-Request")
def passage(request: HttpRequest, slug: str, anchor: str) -> HttpResponse:
    found = find_passage(slug, anchor)
    if anchor in found.aliases:
        return HttpResponsePermanentRedirect(found.get_absolute_url())
    notes = list(found.notes.all())
    if "fragment" in request.GET or getattr(request, "htmx", False):
        return render(request, "archive/_passage.html", quotation(found, notes))
    leaves = list(Leaf.objects.filter(book=found.book, number__in=found.leaves).with_images())
    blocks, reader = read_passage(found, leaves, notes)
    clips = clips_of_passage(found, leaves)
    shown = quotation(found, notes, leaves)
    cited = cite_passage(found, origin(request), shown["evidence"].grade)
    context = shown | {
        "blocks": blocks,
        "notes": list(reader.notes.values()),
        "clips": [(leaf, image, clip_picture(image, box, clip_alt(leaf))) for leaf, image, box in clips],
        "scored": scored_by(slug, found.anchors),
        "variants": variants_citing(found),
        "tell_query": f"?passage={found.anchor}",
        "neighbours": neighbours(found),
        "oembed": f"{origin(request)}{reverse('oembed')}?{urlencode({'url': cited.address})}",
        "metadata": passage_metadata(found, cited, clips, origin(request)),
        **citation_context(cited),
        "whole": as_quotation(cited, found.reading or found.printed) if cited.words.endswith("…") else "",
    }
    return render(request, "archive/passage.html", context)


@require_safe
def card(request: HttpRequest, slug: str, anchor: str) -> HttpResponse:
    """The picture of a passage of a typeset page for shared links; it says at its foot what it is."""
    found = find_passage(slug, anchor)
    leaves = Leaf.objects.filter(book=found.book, number__in=found.leaves).with_images()
    images = [image for leaf in leaves if (image := leaf.image) and image.is_facsimile]
    clips = [(image, box) for image in images if (box := passage_clip(image, found.anchor))]
    if not clips:
        raise Http404("There is no typeset page of this passage.")
    try:
        response = HttpResponse(typeset_card(*clips[0]), content_type="image/jpeg")
    except FileNotFoundError:
        raise Http404("The files of this page are missing.") from None
    except ImageRequestError as unfit:
        return HttpResponse(
            f"{unfit.sentence}\n", status=unfit.status, content_type="text/plain; charset=utf-8"
        )
    response["Cache-Control"] = CACHE_FOR_A_DAY
    return response

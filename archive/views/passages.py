"""The page of one passage: its words, its crop from the page, its notes, and what the engine makes of it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe
from django.views.decorators.vary import vary_on_headers

from archive.images.clips import clip_picture, passage_clip
from archive.lookup import quotation
from archive.models import Leaf, Passage
from archive.reader.citations import citation_context, cite_passage
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
    images = [(leaf, leaf.image) for leaf in leaves]
    clips = [
        (leaf, image, box) for leaf, image in images if image and (box := passage_clip(image, found.anchor))
    ]
    cited = cite_passage(found, origin(request))
    context = quotation(found, notes, leaves) | {
        "blocks": blocks,
        "notes": list(reader.notes.values()),
        "clips": [(leaf, image, clip_picture(image, box, _alt(leaf))) for leaf, image, box in clips],
        "scored": scored_by(slug, found.anchors),
        "variants": variants_citing(found),
        "neighbours": neighbours(found),
        "metadata": passage_metadata(found, cited, clips, origin(request)),
        **citation_context(cited),
    }
    return render(request, "archive/passage.html", context)


def _alt(leaf: Leaf) -> str:
    return f"The place on leaf {leaf.number} where it stands"

"""Page of a published scan with every word's box, doubtful ones first; and its columns and headings."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from archive.images.boxes import Box
from archive.images.pictures import picture_of
from archive.models import PageImage
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.scans import word_boxes, word_search
from archive.scans.views.preview import find_scan
from archive.scans.word_boxes import ListedWord
from people.permissions import requires

SIDES = ("left", "top", "width", "height")


class RectangleForm(forms.Form):
    """A rectangle in per cent of the page."""

    left = forms.FloatField(min_value=0, max_value=100)
    top = forms.FloatField(min_value=0, max_value=100)
    width = forms.FloatField(min_value=0, max_value=100)
    height = forms.FloatField(min_value=0, max_value=100)


class LinesForm(forms.Form):
    """Lines of the text, the first and the last."""

    first = forms.IntegerField(min_value=1, max_value=99_999)
    last = forms.IntegerField(min_value=1, max_value=99_999)


@require_http_methods(["GET", "HEAD", "POST"])
@requires("publish")
def boxes(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    scan = find_scan(slug, number)
    if scan.image is None or not scan.is_shown:
        # Only what is shown has words.
        return redirect(scan.get_absolute_url())
    listed = word_boxes.listed_words(scan, scan.image)
    asked = request.POST.get("word") or request.GET.get("word", "")
    chosen = next((one for one in listed if one.name == asked), None if asked == "none" else _first(listed))
    if request.method != "POST":
        return _page(request, scan, scan.image, listed, chosen)
    try:
        onward = _act(request, scan, scan.image, listed, chosen)
    except EditError as refused:
        return _page(request, scan, scan.image, listed, chosen, refused.faults)
    return redirect(f"{reverse('word-boxes', args=[slug, number])}?word={onward}")


def _first(listed: list[ListedWord]) -> ListedWord | None:
    return listed[0] if listed else None


def _next(listed: list[ListedWord], chosen: ListedWord | None) -> str:
    """The word after this one: the next that wants a look, if this one did."""
    if chosen is None or chosen not in listed:
        return "none"
    after = listed[listed.index(chosen) + 1 :]
    return after[0].name if after else "none"


def _act(
    request: HttpRequest, scan: Scan, image: PageImage, listed: list[ListedWord], chosen: ListedWord | None
) -> str:
    """Do what the pressed button says; return the name of the word to go on with."""
    act, _, number = request.POST.get("act", "").partition(":")
    here = chosen.name if chosen else "none"
    if act in ("keep", "away"):
        if chosen is None:
            raise EditError("Choose a word first.")
        onward = _next(listed, chosen)
        key = word_boxes.key_of(chosen.word)
        if act == "keep":
            word_boxes.keep_box(scan, key, _box(request, image))
        else:
            word_boxes.take_away(scan, key)
        return onward
    if act == "lines":
        lines = LinesForm(request.POST)
        if not lines.is_valid():
            raise EditError("Write the first and the last line, as numbers.")
        given = lines.cleaned_data
        word_boxes.place_lines(scan, given["first"], given["last"], _box(request, image))
        return here
    regions = [tuple(one) for one in scan.regions]
    at = int(number) if number.isdecimal() and len(number) < 4 else -1
    if act == "region":
        regions.append(_numbers(request))
    elif act == "drop" and 0 <= at < len(regions):
        del regions[at]
    elif act == "up" and 0 < at < len(regions):
        regions[at - 1], regions[at] = regions[at], regions[at - 1]
    elif act == "seek":
        word_search.search_afresh(scan)
        return here
    word_boxes.save_regions(scan, regions)
    return here


def _numbers(request: HttpRequest) -> tuple[float, float, float, float]:
    form = RectangleForm({side: request.POST.get(side, "").replace(",", ".") for side in SIDES})
    if not form.is_valid():
        raise EditError("Each of the four numbers is between 0 and 100.")
    left, top, width, height = (form.cleaned_data[side] for side in SIDES)
    if width < 0.05 or height < 0.05:
        raise EditError("Draw a rectangle, or write its four numbers.")
    return left, top, min(width, 100 - left), min(height, 100 - top)


def _box(request: HttpRequest, image: PageImage) -> Box:
    left, top, width, height = _numbers(request)
    x, y = round(left / 100 * image.width), round(top / 100 * image.height)
    return Box(x, y, round(width / 100 * image.width), round(height / 100 * image.height)).within(
        image.width, image.height
    )


def _page(
    request: HttpRequest,
    scan: Scan,
    image: PageImage,
    listed: list[ListedWord],
    chosen: ListedWord | None,
    faults: tuple[str, ...] = (),
) -> HttpResponse:
    start = word_boxes.box_to_start_with(image, chosen) if chosen else None
    fields: dict[str, object] = {}
    if start is not None:
        sides = (start.x / image.width, start.y / image.height, start.w / image.width, start.h / image.height)
        fields = {side: round(100 * share, 2) for side, share in zip(SIDES, sides, strict=True)}
    if request.method == "POST":
        fields = {side: request.POST.get(side, "") for side in SIDES}
    context = {
        "scan": scan,
        "book": scan.book,
        "image": image,
        "picture": picture_of(image, "The page as it is published."),
        "listed": listed,
        "doubtful": sum(one.wants_a_look for one in listed),
        "chosen": chosen,
        "following": _next(listed, chosen),
        "fields": fields,
        "regions": scan.regions,
        "first": request.POST.get("first", chosen.word["line"] if chosen else ""),
        "last": request.POST.get("last", chosen.word["line"] if chosen else ""),
        "faults": faults,
    }
    return render(request, "curation/word_boxes.html", context, status=422 if faults else 200)

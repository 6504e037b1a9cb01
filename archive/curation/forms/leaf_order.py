"""Form for the order of leaves: its rows, and which leaves it takes out."""

from __future__ import annotations

from django.http import QueryDict

from archive.curation.forms.fields import number_from
from archive.curation.leaf_order import MAX_LEAVES, LeafPlace
from archive.text_input import clean_line

MAX_LEAF_NUMBER = 999


def places_from(sent: QueryDict, count: int) -> list[LeafPlace]:
    """The rows of the form for a book of so many leaves; a new row that was emptied is none. No leaf comes
    twice."""
    rows = zip(
        sent.getlist("was"), sent.getlist("title"), sent.getlist("label"), sent.getlist("certainty"),
        strict=False,
    )  # fmt: skip
    places: list[LeafPlace] = []
    for was, title, label, certainty in rows:
        number = number_from(was, most=count) or 0
        number = number if number not in {place.was for place in places} else 0
        if number or clean_line(title):
            places.append(LeafPlace(number, clean_line(title), clean_line(label), certainty))
    return places[: MAX_LEAVES + 1]


def taken_out(sent: QueryDict) -> set[int]:
    """The numbers of the leaves that are to go."""
    found = (number_from(number, most=MAX_LEAF_NUMBER) for number in sent.getlist("out"))
    return {number for number in found if number is not None}

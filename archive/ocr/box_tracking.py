"""Tracks the boxes of words through an edit of their text: old and new words are matched, without the image.

A word that stays, or is only spelt otherwise, keeps its ink. Where words were divided or joined, their boxes
are. A new word with nothing in its place is missing, until the page is searched again.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from archive.ocr.similarity import match_words, similarity

Word = Mapping[str, Any]

MIN_SAME = 0.4
"""If fewer of the words are old ones it is another text, and what they share is chance."""


@dataclass(frozen=True)
class TrackedWords:
    words: list[dict[str, Any]]
    missing: list[dict[str, Any]]


def track_boxes(old: Sequence[Word], new: Sequence[Word]) -> TrackedWords:
    """`old` have boxes on the image; `new` are the words of the text as it is now, whatever their boxes."""
    placed = _matched(range(len(new)), range(len(old)), old, new, sure=True)
    if len(placed) < MIN_SAME * len(new):
        placed = {}
    words = [placed[number] for number in range(len(new)) if number in placed]
    return TrackedWords(words, [dict(word) for number, word in enumerate(new) if number not in placed])


def merge_places(kept: Sequence[Word], looked: Sequence[Word], new: Sequence[Word]) -> TrackedWords:
    """The places that were kept, and for the rest those that were found; in the order of the text."""
    places = {_key(word): dict(word) for word in looked} | {_key(word): dict(word) for word in kept}
    words = [places[_key(word)] for word in new if _key(word) in places]
    return TrackedWords(words, [dict(word) for word in new if _key(word) not in places])


def without_taken(found: TrackedWords, taken: Collection[tuple[int, int, str]]) -> TrackedWords:
    """The same without the places that a person took away: they are not given again by a machine."""
    told = {(word["line"], word["offset"], word["text"]): word for word in [*found.words, *found.missing]}
    away = {key: {**told[key], "away": True} for key in taken if key in told and not told[key].get("hand")}
    words = [word for word in found.words if (word["line"], word["offset"], word["text"]) not in away]
    missing = [word for word in found.missing if (word["line"], word["offset"], word["text"]) not in away]
    return TrackedWords(words, sorted([*missing, *away.values()], key=_key))


def _key(word: Word) -> tuple[int, int]:
    return word["line"], word["offset"]


def _at(word: Word, box: Word) -> dict[str, Any]:
    kept = ("row", "x", "y", "w", "h", "hand", "sure")
    return {**word, **{name: box[name] for name in kept if name in box}}


def _matched(
    ours: range, theirs: range, old: Sequence[Word], new: Sequence[Word], sure: bool
) -> dict[int, dict[str, Any]]:
    """The same words first; then, between any two of them, words that are only alike; then what stands in the
    place of other words one for one."""
    found = match_words([new[one]["text"] for one in ours], [old[other]["text"] for other in theirs])
    pairs = [(ours[one], theirs[other]) for one, other, alike in found if alike == 1 or not sure]
    placed = {one: _at(new[one], old[other]) for one, other in pairs}
    edges = [(ours.start - 1, theirs.start - 1), *pairs, (ours.stop, theirs.stop)]
    for (before, old_before), (after, old_after) in pairwise(edges):
        inner, old_inner = range(before + 1, after), range(old_before + 1, old_after)
        if inner and old_inner:
            between = _divided(inner, old_inner, old, new)
            if not between and sure:
                between = _matched(inner, old_inner, old, new, sure=False)
            elif not between and len(inner) == len(old_inner):
                between = {
                    one: _at(new[one], old[other]) for one, other in zip(inner, old_inner, strict=True)
                }
            placed |= between
    return placed


def _divided(
    ours: range, theirs: range, old: Sequence[Word], new: Sequence[Word]
) -> dict[int, dict[str, Any]]:
    """The same letters in one row, divided into words otherwise than before."""
    letters = ["".join(words[n]["text"] for n in numbers) for words, numbers in ((new, ours), (old, theirs))]
    rows = {old[other]["row"] for other in theirs}
    if len(ours) == len(theirs) or len(rows) != 1 or similarity(*letters) < 0.6:
        return {}
    left = min(old[other]["x"] for other in theirs)
    right = max(old[other]["x"] + old[other]["w"] for other in theirs)
    top = min(old[other]["y"] for other in theirs)
    foot = max(old[other]["y"] + old[other]["h"] for other in theirs)
    signs = sum(len(new[one]["text"]) for one in ours) + len(ours) - 1
    found, at = {}, 0
    for one in ours:
        x0 = left + (right - left) * at / signs
        x1 = left + (right - left) * (at + len(new[one]["text"])) / signs
        box = {
            "row": rows.copy().pop(),
            "x": round(x0),
            "y": top,
            "w": max(1, round(x1 - x0)),
            "h": foot - top,
        }
        found[one] = {**new[one], **box}
        at += len(new[one]["text"]) + 1
    return found


def likely_box(word: Word, placed: Sequence[Word]) -> tuple[int, int, int, int] | None:
    """The likely box of a word without a place: between those before and after it in the text."""
    order = sorted(placed, key=_key)
    before = next((one for one in reversed(order) if _key(one) < _key(word)), None)
    after = next((one for one in order if _key(one) > _key(word)), None)
    near = before or after
    if near is None:
        return None
    space = max(2, round(near["h"] * 0.25))
    wide = max(4, round(near["w"] * len(word["text"]) / max(1, len(near["text"]))))
    if before and after and before["row"] == after["row"]:
        x0, x1 = before["x"] + before["w"] + space, after["x"] - space
        if x1 - x0 >= 4:
            return x0, near["y"], x1 - x0, near["h"]
    if before is not None:
        return before["x"] + before["w"] + space, before["y"], wide, before["h"]
    return max(0, near["x"] - space - wide), near["y"], wide, near["h"]

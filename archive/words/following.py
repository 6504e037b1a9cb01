"""Boxes stay with their words when a text is mended: old words and new ones are matched, unseen.

A word that stays, or is only spelt otherwise, keeps its ink. Where words were divided or joined, their boxes
are. What is new and has nothing in its place is missing, until somebody looks at the page again.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from archive.words.likeness import likeness, same_words

Word = Mapping[str, Any]


@dataclass(frozen=True)
class Followed:
    words: list[dict[str, Any]]
    missing: list[dict[str, Any]]


def follow(old: Sequence[Word], new: Sequence[Word]) -> Followed:
    """`old` have boxes on the image; `new` are the words of the text as it is now, whatever their boxes."""
    pairs = same_words([word["text"] for word in new], [word["text"] for word in old])
    placed: dict[int, dict[str, Any]] = {ours: _at(new[ours], old[theirs]) for ours, theirs, _ in pairs}
    edges = [(-1, -1), *((ours, theirs) for ours, theirs, _ in pairs), (len(new), len(old))]
    for (before, old_before), (after, old_after) in pairwise(edges):
        ours, theirs = range(before + 1, after), range(old_before + 1, old_after)
        if ours and theirs:
            placed |= _shared(ours, theirs, old, new)
    words = [placed[number] for number in range(len(new)) if number in placed]
    return Followed(words, [dict(word) for number, word in enumerate(new) if number not in placed])


def joined(kept: Sequence[Word], looked: Sequence[Word], new: Sequence[Word]) -> Followed:
    """What was kept, and for the rest what was found by looking; in the order of the text."""
    places = {_key(word): dict(word) for word in looked} | {_key(word): dict(word) for word in kept}
    words = [places[_key(word)] for word in new if _key(word) in places]
    return Followed(words, [dict(word) for word in new if _key(word) not in places])


def _key(word: Word) -> tuple[int, int]:
    return word["line"], word["offset"]


def _at(word: Word, box: Word) -> dict[str, Any]:
    return {**word, **{name: box[name] for name in ("row", "x", "y", "w", "h")}}


def _shared(
    ours: range, theirs: range, old: Sequence[Word], new: Sequence[Word]
) -> dict[int, dict[str, Any]]:
    """Words that stand where others stood: the same number of them one for one, or the same letters divided
    otherwise; else nothing is claimed."""
    if len(ours) == len(theirs):
        return {one: _at(new[one], old[other]) for one, other in zip(ours, theirs, strict=True)}
    letters = ["".join(words[n]["text"] for n in numbers) for words, numbers in ((new, ours), (old, theirs))]
    rows = {old[other]["row"] for other in theirs}
    if len(rows) != 1 or likeness(*letters) < 0.6:
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

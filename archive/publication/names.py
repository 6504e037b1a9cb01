"""Names of passages that were once published lead somewhere for ever, also when an old text comes back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from archive.edition import Passage
from archive.edition.transcript import read_text

TEXT = "text.txt"


def _names(passage: Passage) -> tuple[str, ...]:
    return (*passage.anchors, *passage.aliases)


def keep(old: Mapping[str, str], head: Mapping[str, str]) -> dict[str, str]:
    """The old files, with every name that the present text has. A passage the old text did not have yet lends
    its names to the passage before it, where the old text had its words."""
    present, past = read_text(head[TEXT]).passages, read_text(old[TEXT]).passages
    known = {name: passage.anchor for passage in past for name in _names(passage)}
    wanting: dict[str, list[str]] = {}
    for index, passage in enumerate(present):
        missing = [name for name in _names(passage) if name not in known]
        if missing:
            wanting.setdefault(_home(present, index, known), []).extend(missing)
    text = old[TEXT]
    for passage in past:
        extra = "".join(f" ={name}" for name in wanting.get(passage.anchor, ()))
        mark = "{#" + " ".join([*passage.anchors, *(f"={alias}" for alias in passage.aliases)])
        text = text.replace(mark + "}", mark + extra + "}", 1)
    return dict(old) | {TEXT: text}


def _home(present: Sequence[Passage], index: int, known: Mapping[str, str]) -> str:
    """The nearest passage of the old text, at this one or before it; else after it."""
    for passage in [*reversed(present[: index + 1]), *present[index + 1 :]]:
        for name in _names(passage):
            if name in known:
                return known[name]
    return next(iter(known.values()), "")

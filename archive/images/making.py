"""A facsimile made whole: the page set, its original, what is cut from it. Pure: any process may do it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import PIL

from archive.edition import Leaf
from archive.facsimile import VERSION, Faces, WordBox, set_page
from archive.facsimile.book_styles import dress_of
from archive.facsimile.page_layout import goes_on
from archive.images.derivatives import RECIPE, cut, png


@dataclass(frozen=True)
class Task:
    """A page to be set."""

    identifier: str
    slug: str
    leaf: Leaf
    following: Leaf | None
    made_from: str


@dataclass(frozen=True)
class Made:
    """A page that was set: its original as a file, its derivatives by name, its words."""

    task: Task
    size: tuple[int, int]
    original: bytes
    files: tuple[tuple[str, bytes], ...]
    words: tuple[dict[str, Any], ...]


def fingerprint(slug: str, leaf: Leaf, following: Leaf | None) -> str:
    """Names everything a page is made of; a page of the same name need not be made again."""
    parts = (VERSION, RECIPE, PIL.__version__, dress_of(slug), leaf.number, leaf.lines, goes_on(following))
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@lru_cache(maxsize=2)
def _faces(fonts: Path) -> Faces:
    return Faces(fonts)


def make(task: Task, fonts: Path) -> Made:
    page = set_page(task.slug, task.leaf, task.following, _faces(fonts))
    words = tuple(word_record(word) for word in page.words)
    return Made(task, page.image.size, png(page.image), tuple(cut(page.image)), words)


def word_record(word: WordBox) -> dict[str, Any]:
    """A word as its image's record keeps it."""
    return {
        "text": word.text,
        "line": word.line,
        "offset": word.offset,
        "row": word.row,
        "passage": word.passage,
        "x": word.box.x,
        "y": word.box.y,
        "w": word.box.w,
        "h": word.box.h,
    }

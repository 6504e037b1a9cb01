"""Typesetting of one facsimile with all its files. Without Django, so that any process can do it."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import PIL

from archive.edition import Leaf
from archive.facsimile import VERSION, FontSet, WordBox, typeset_page
from archive.facsimile.book_styles import style_of_book
from archive.facsimile.page_layout import continues_overleaf
from archive.images.derivatives import RECIPE, cut, png


@dataclass(frozen=True)
class FacsimileTask:
    """A page to be typeset."""

    identifier: str
    slug: str
    leaf: Leaf
    following: Leaf | None
    made_from: str


@dataclass(frozen=True)
class TypesetFacsimile:
    """A typeset page: its original as a file, its derivatives by name, its words in both layers."""

    task: FacsimileTask
    size: tuple[int, int]
    original: bytes
    files: tuple[tuple[str, bytes], ...]
    words: tuple[dict[str, Any], ...]
    printed: tuple[dict[str, Any], ...]


def fingerprint(slug: str, leaf: Leaf, following: Leaf | None) -> str:
    """A hash of everything a page is made of; a page with the same one need not be typeset again."""
    parts = (
        VERSION,
        RECIPE,
        PIL.__version__,
        style_of_book(slug),
        leaf.number,
        leaf.lines,
        continues_overleaf(following),
    )
    return hashlib.sha256(repr(parts).encode()).hexdigest()


@lru_cache(maxsize=2)
def _font_set(fonts_folder: Path) -> FontSet:
    return FontSet(fonts_folder)


def typeset(task: FacsimileTask, fonts_folder: Path) -> TypesetFacsimile:
    page = typeset_page(task.slug, task.leaf, task.following, _font_set(fonts_folder))
    words, printed = (tuple(map(word_record, boxes)) for boxes in (page.words, page.printed))
    return TypesetFacsimile(task, page.image.size, png(page.image), tuple(cut(page.image)), words, printed)


def word_record(word: WordBox) -> dict[str, Any]:
    """A word in the form of PageImage.words."""
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

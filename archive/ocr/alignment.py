"""Alignment of a known text with a scan: each word gets the place of its ink, or is reported as missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from PIL import Image

from archive.ocr import tesseract
from archive.ocr.binarize import PreparedPage, prepare_page
from archive.ocr.columns import Region, rows_in_columns, rows_in_regions
from archive.ocr.components import Components, letter_components
from archive.ocr.page_agreement import MIN_MARGIN, PlacedBox, settle_words
from archive.ocr.text_rows import ASCENT, DESCENT, Floats, TextRow, find_rows
from archive.ocr.witnesses import Witness, facsimile_witnesses, reader_witnesses
from archive.ocr.word_placement import Atoms, Placement, atoms_of, cost_of_none, least_cost, place_words

Word = Mapping[str, Any]


MAX_CONTRADICTION = 2.0
"""So much more, a word, it may cost to lay the words where the facsimile has them. Where that is a likeness
it is about 0.6, elsewhere 3.6 and more."""
MIN_FIT, MIN_READ_FIT, MIN_READ_SHARE = 0.6, 0.5, 0.4
MIN_READ, SURE_READ = 8, 0.6
"""A text that fits less is hardly that of the page; what a reader has read decides, if there is one."""


@dataclass(frozen=True)
class Alignment:
    """`words` have boxes in pixels of the image, in the form of PageImage.words; `missing` are the known
    words whose place was not found. `sure` has a figure between 0 and 1 for each of `words`."""

    words: list[dict[str, Any]]
    missing: list[dict[str, Any]] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    degrees: float = 0.0
    fit: float = 0.0
    """How well the text fits the page: 1 if every word has its ink and all ink its word."""
    read_fit: float | None = None
    """The share of the words that a reader has read as well; None if there was none."""
    read_share: float | None = None
    """The share of what a reader has surely read that is in the text: another book may quote all of it."""
    read: bool = False
    """True if a reader (Tesseract) gave evidence."""

    @property
    def fits(self) -> bool:
        """False if the words found are hardly those of this page: another page, or another edition."""
        if self.read_fit is not None and self.read_share is not None:
            return self.read_fit >= MIN_READ_FIT and self.read_share >= MIN_READ_SHARE
        return self.fit >= MIN_FIT


def align(
    image: Image.Image,
    known: Sequence[Word],
    language: str = "en",
    with_reader: bool = True,
    reader_seconds: float = tesseract.MAX_SECONDS,
    regions: Sequence[Region] = (),
) -> Alignment:
    """`known` are the words of the leaf in reading order, as on its facsimile. Their text and order are what
    is looked for; their boxes say how wide each word runs, and no more unless the scan is set like that.
    `regions` are columns and headings as a person has drawn them, in pixels of the image."""
    page_image = prepare_page(image)
    letters = letter_components(page_image.ink)
    layouts = _layouts(letters, known, [page_image.box_onto(*region) for region in regions])
    if not layouts or not known:
        return Alignment([], [dict(word) for word in known], degrees=page_image.degrees)
    read: list[tesseract.OcrWord] = []
    if with_reader:
        try:
            read = tesseract.read_words(page_image.grey, language, reader_seconds)
        except tesseract.TesseractError:
            read = []
    tried = [_Layout(known, order, rows, read) for rows, order in layouts]
    best = min(tried, key=lambda layout: (not layout.is_as_typeset, layout.cost))
    spots: list[PlacedBox | None] = [None] * len(known)
    placed = settle_words(best.seen, best.places(), best.rows, page_image.ink)
    for one, spot in zip(best.order, placed, strict=True):
        spots[one] = spot
    found = replace(_result(page_image, known, spots, bool(read)), fit=best.fit)
    if not _is_legible(read):
        return found
    surely = sum(len(word.text) for word in read if word.sure >= SURE_READ)
    return replace(found, read_fit=best.read_fit, read_share=best.letters_read / max(1, surely))


def _is_legible(read: Sequence[tesseract.OcrWord]) -> bool:
    """True if a reader can read the type of this page: it is sure of most of what it read."""
    sure = sum(word.sure >= SURE_READ for word in read)
    return sure >= max(MIN_READ, len(read) / 2)


def _layouts(
    letters: Components, known: Sequence[Word], regions: Sequence[Region]
) -> list[tuple[list[TextRow], list[int]]]:
    """The rows of the page as they may have to be read, each with the words in the order of that reading:
    across the whole page, as in a table, or column by column."""
    in_order = list(range(len(known)))
    if regions:
        found = [(rows_in_regions(letters, regions), in_order)]
    else:
        found = [(find_rows(letters), visual_order(known)), (rows_in_columns(letters), in_order)]
    return [(rows, order) for rows, order in found if rows]


class _Layout:
    """One reading of the page: its rows, the words in its order, and what it costs to lay them over it."""

    def __init__(
        self, known: Sequence[Word], order: list[int], rows: list[TextRow], read: list[tesseract.OcrWord]
    ) -> None:
        self.order, self.rows = order, rows
        self.seen = seen = [known[one] for one in order]
        self.atoms = atoms_of(rows)
        self.widths = [word["w"] / word["h"] * (ASCENT + DESCENT) for word in seen]
        self.letters = [len(word["text"]) for word in seen]
        readers = reader_witnesses([word["text"] for word in seen], read, rows)
        self.read_words = {one.word for one in readers}
        self._hear(readers)
        facsimile = facsimile_witnesses(seen, rows)
        self.is_as_typeset = bool(facsimile)
        if facsimile:
            without = self.cost
            self._hear([*readers, *facsimile])
            # Rows as wide as the page are alike everywhere; what the ink contradicts is another typesetting.
            self.is_as_typeset = self.cost - without <= MAX_CONTRADICTION * len(facsimile)
            if not self.is_as_typeset:
                self._hear(readers)

    def _hear(self, witnesses: list[Witness]) -> None:
        self.witnesses = witnesses
        usual = _usual_stretch(self.widths, self.rows, witnesses)
        self.stretch: Floats = np.full(len(self.atoms.x0), usual)
        self.cost = least_cost(self.widths, self.letters, self.atoms, self.stretch, witnesses)

    @property
    def fit(self) -> float:
        """1 if every word has its ink and all ink its word, 0 if none has."""
        bare = least_cost(self.widths, self.letters, self.atoms, self.stretch, ())
        return max(0.0, 1 - bare / cost_of_none(self.letters, self.atoms))

    @property
    def read_fit(self) -> float:
        """The share of the words, by their letters, that were read in their order."""
        return self.letters_read / max(1, sum(self.letters))

    @property
    def letters_read(self) -> int:
        return sum(self.letters[one] for one in self.read_words)

    def places(self) -> list[Placement | None]:
        first = place_words(self.widths, self.letters, self.atoms, self.stretch, self.witnesses)
        stretch = _stretches(first, self.widths, self.rows, self.atoms, self.stretch)
        return place_words(self.widths, self.letters, self.atoms, stretch, self.witnesses)


def visual_order(known: Sequence[Word]) -> list[int]:
    """The words in the order in which the eye meets them from the top left: cells of a table stand side by
    side, while its text goes through one after the other."""
    order = sorted(range(len(known)), key=lambda one: known[one]["y"] + known[one]["h"] / 2)
    rows: list[list[int]] = []
    for one in order:
        middle = known[one]["y"] + known[one]["h"] / 2
        last = known[rows[-1][0]] if rows else None
        if last is not None and middle - last["y"] - last["h"] / 2 < 0.4 * min(last["h"], known[one]["h"]):
            rows[-1].append(one)
        else:
            rows.append([one])
    return [one for row in rows for one in sorted(row, key=lambda one: (known[one]["x"], one))]


def _result(
    page_image: PreparedPage, known: Sequence[Word], spots: Sequence[PlacedBox | None], read: bool
) -> Alignment:
    found = Alignment([], [], [], page_image.degrees, read=read)
    for word, spot in zip(known, spots, strict=True):
        if spot is None or spot.margin < MIN_MARGIN:
            found.missing.append(dict(word))
            continue
        x, y, w, h = page_image.box_back(spot.x0, spot.top, spot.x1, spot.foot)
        found.words.append({**word, "row": spot.row, "x": x, "y": y, "w": w, "h": h})
        found.sure.append(min(1.0, spot.margin / 12))
    return found


def _usual_stretch(widths: Sequence[float], rows: Sequence[TextRow], witnesses: Sequence[Witness]) -> float:
    """The width of this type in widths of ours, from words with a witness, or on average from all words."""
    middles = np.array([row.middle for row in rows])
    seen = []
    for witness in witnesses:
        row = rows[int(np.argmin(np.abs(middles - witness.y)))]
        seen.append((witness.x1 - witness.x0) / row.em / widths[witness.word])
    if len(seen) >= 5:
        return float(np.median(seen))
    runs = []
    for row in rows:
        ends = np.flatnonzero(row.gaps > 0.17 * row.em)
        starts = np.concatenate([[0], ends + 1])
        lasts = np.concatenate([ends, [len(row.x0) - 1]])
        runs.extend((row.x1[lasts] - row.x0[starts]) / row.em)
    return float(np.clip(np.mean(runs) / np.mean(widths), 0.6, 1.6))


def _stretches(
    places: Sequence[Placement | None],
    widths: Sequence[float],
    rows: Sequence[TextRow],
    atoms: Atoms,
    usual: Floats,
) -> Floats:
    """Row by row, from the words that were placed; rows with few words keep near to what is usual."""
    spans: dict[int, list[tuple[float, float]]] = {}
    for spot, width in zip(places, widths, strict=True):
        if spot is not None and spot.margin >= MIN_MARGIN:
            row = rows[spot.row]
            span = float(row.x1[spot.last - 1] - row.x0[spot.first]) / row.em
            spans.setdefault(spot.row, []).append((span, width))
    every = [pair for pairs in spans.values() for pair in pairs]
    page = float(np.median([span / width for span, width in every])) if every else float(usual[0])
    found = np.full(len(rows), page)
    for row_number, pairs in spans.items():
        span, width = sum(pair[0] for pair in pairs), sum(pair[1] for pair in pairs)
        found[row_number] = (span + 4.0 * page) / (width + 4.0)
    stretched: Floats = found[atoms.row]
    return stretched

"""Alignment of a known text with a scan: each word gets the place of its ink, or is reported as missing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from PIL import Image

from archive.ocr import tesseract
from archive.ocr.binarize import PreparedPage, prepare_page
from archive.ocr.components import letter_components
from archive.ocr.page_agreement import MIN_MARGIN, PlacedBox, settle_words
from archive.ocr.text_rows import ASCENT, DESCENT, Floats, TextRow, find_rows
from archive.ocr.witnesses import Witness, facsimile_witnesses, reader_witnesses
from archive.ocr.word_placement import Atoms, Placement, atoms_of, place_words

Word = Mapping[str, Any]


@dataclass(frozen=True)
class Alignment:
    """`words` have boxes in pixels of the image, in the form of PageImage.words; `missing` are the known
    words whose place was not found. `sure` has a figure between 0 and 1 for each of `words`."""

    words: list[dict[str, Any]]
    missing: list[dict[str, Any]] = field(default_factory=list)
    sure: list[float] = field(default_factory=list)
    degrees: float = 0.0
    read: bool = False
    """True if a reader (Tesseract) gave evidence."""


def align(
    image: Image.Image,
    known: Sequence[Word],
    language: str = "en",
    with_reader: bool = True,
    reader_seconds: float = tesseract.MAX_SECONDS,
) -> Alignment:
    """`known` are the words of the leaf in reading order, as on its facsimile. Their text and order are what
    is looked for; their boxes say how wide each word runs, and no more unless the scan is set like that."""
    page_image = prepare_page(image)
    rows = find_rows(letter_components(page_image.ink))
    if not rows or not known:
        return Alignment([], [dict(word) for word in known], degrees=page_image.degrees)
    read: list[tesseract.OcrWord] = []
    if with_reader:
        try:
            read = tesseract.read_words(page_image.grey, language, reader_seconds)
        except tesseract.TesseractError:
            read = []
    order = visual_order(known)
    seen = [known[one] for one in order]
    witnesses = reader_witnesses([word["text"] for word in seen], read, rows) + facsimile_witnesses(
        seen, rows
    )
    spots: list[PlacedBox | None] = [None] * len(known)
    for one, spot in zip(
        order, settle_words(seen, _places(seen, rows, witnesses), rows, page_image.ink), strict=True
    ):
        spots[one] = spot
    return _result(page_image, known, spots, bool(read))


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
    found = Alignment([], [], [], page_image.degrees, read)
    for word, spot in zip(known, spots, strict=True):
        if spot is None or spot.margin < MIN_MARGIN:
            found.missing.append(dict(word))
            continue
        x, y, w, h = page_image.box_back(spot.x0, spot.top, spot.x1, spot.foot)
        found.words.append({**word, "row": spot.row, "x": x, "y": y, "w": w, "h": h})
        found.sure.append(min(1.0, spot.margin / 12))
    return found


def _places(
    known: Sequence[Word], rows: Sequence[TextRow], witnesses: Sequence[Witness]
) -> list[Placement | None]:
    atoms = atoms_of(rows)
    widths = [word["w"] / word["h"] * (ASCENT + DESCENT) for word in known]
    letters = [len(word["text"]) for word in known]
    stretch = np.full(len(atoms.x0), _usual_stretch(widths, rows, witnesses))
    first = place_words(widths, letters, atoms, stretch, witnesses)
    return place_words(widths, letters, atoms, _stretches(first, widths, rows, atoms, stretch), witnesses)


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

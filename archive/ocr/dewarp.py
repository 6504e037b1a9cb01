"""Dewarp: rows of a curled or slanted page are made straight, by a gentle bend that all of them share."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from PIL import Image

from archive.ocr.components import Components
from archive.ocr.text_rows import letter_chains

Floats = NDArray[np.float64]

MESH = 40
MIN_LETTERS = 12
"""Shorter rows say little about a bend."""
LEAST, MOST = 0.15, 0.12
"""A smaller bend, in heights of small letters, is left; a larger one, in heights of the page, is not
believed."""


@dataclass(frozen=True)
class Bend:
    """How much lower than straight the print stands, as six factors of x, x², x³, xy, x²y and x³y."""

    factors: Floats
    width: int
    height: int

    def at(self, x: Floats, y: Floats) -> Floats:
        lowered: Floats = _terms(x / self.width - 0.5, y / self.height - 0.5) @ self.factors
        return lowered

    def straighten(self, grey: Image.Image) -> Image.Image:
        """The picture with each place taken from where it is bent to."""
        mesh = []
        for left in range(0, self.width, MESH):
            for top in range(0, self.height, MESH):
                right, foot = left + MESH, top + MESH
                x = np.array([left, left, right, right], dtype=np.float64)
                y = np.array([top, foot, foot, top], dtype=np.float64)
                bent = y + self.at(x, y)
                mesh.append(((left, top, right, foot), np.stack([x, bent], axis=1).ravel().tolist()))
        return grey.transform(grey.size, Image.Transform.MESH, mesh, Image.Resampling.BICUBIC, fillcolor=255)


def find_bend(letters: Components, size: tuple[int, int]) -> Bend | None:
    """The bend of a page; None if its rows are straight, or too few to say."""
    width, height = size
    large = letters.where((letters.height >= 7) & (letters.area >= 20))
    chains = [chain for chain in letter_chains(large) if len(chain) >= MIN_LETTERS]
    if len(chains) < 4:
        return None
    row = np.repeat(np.arange(len(chains)), [len(chain) for chain in chains])
    chosen = large.where(np.concatenate(chains))
    x, foot = (chosen.x0 + chosen.x1) / 2, chosen.y1.astype(np.float64)
    unit = float(np.median(chosen.height))
    terms = _terms(x / width - 0.5, foot / height - 0.5)
    weight, factors = np.ones(len(x)), np.zeros(6)
    for _ in range(10):
        count = np.maximum(np.bincount(row, weight), 1e-9)
        means = np.stack([np.bincount(row, weight * term) / count for term in terms.T], axis=1)[row]
        level = (np.bincount(row, weight * foot) / count)[row]
        root = np.sqrt(weight)[:, None]
        ridge = 1e-3 * np.sqrt(len(x)) * np.eye(6) * 0.05
        factors = np.linalg.lstsq(
            np.concatenate([(terms - means) * root, ridge]),
            np.concatenate([(foot - level) * root[:, 0], np.zeros(6)]),
            rcond=None,
        )[0]
        off = foot - level - (terms - means) @ factors
        # Letters that hang below the line, points and quotation marks above it, count little.
        weight = 1 / (1 + (off / (0.12 * unit)) ** 2)
    bend = Bend(factors, width, height)
    lowered = bend.at(x, foot)
    reach = float(np.ptp(lowered))
    return bend if LEAST * unit < reach < MOST * height else None


def _terms(x: Floats, y: Floats) -> Floats:
    return np.stack([x, x**2, x**3, x * y, x**2 * y, x**3 * y], axis=-1)

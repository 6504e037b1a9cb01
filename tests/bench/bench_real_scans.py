"""Words found again on scans that others have made and read: `SCANS=folder make bench ONLY=real_scans`.

The folder holds pictures, and PAGE files with a box for every word. The words are known as the site would
know them: their text in reading order, and how wide they run in a face that is not that of the print. A word
counts when its left and right edges are within 10 pixels of the file's at a page height of 2400, and its
middle in the row: the boxes of such files are as high as somebody drew them. Nothing of the folder is kept.
"""

from __future__ import annotations

import os
import random
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from xml.etree import ElementTree

from PIL import Image, ImageFont

from archive.ocr import tesseract
from archive.ocr.alignment import align
from tests.archive.worn_pages import FONTS, OTHER_FACES, Judged, Scan, judged

PICTURES = (".tif", ".tiff", ".png", ".jpg", ".jpeg")
EM, LEADING = 30, 40
PAGES = int(os.environ.get("PAGES", 0))
LANGUAGE = os.environ.get("SCANS_LANGUAGE", "en")


def scans(folder: Path) -> Iterator[tuple[str, Scan]]:
    """Every page that has a picture and words; so many of them as PAGES says, spread over the folder."""
    pictures = {path.name: path for path in folder.rglob("*") if path.suffix.lower() in PICTURES}
    found = [path for path in sorted(folder.rglob("*.xml")) if path.name != "mets.xml"]
    step = max(1, len(found) // PAGES) if PAGES else 1
    for path in found[::step]:
        page = ElementTree.parse(path).getroot().find("{*}Page")
        name = page.get("imageFilename", "") if page is not None else ""
        # Beside its file, wherever that stands; books of one collection often name their pages alike.
        picture = path.parent / name if (path.parent / name).is_file() else pictures.get(name)
        if page is None or picture is None or not picture.stat().st_size:
            continue
        lines = [line for line in (boxes_of(line) for line in in_order(page)) if line]
        if lines:
            with Image.open(picture) as image:
                yield f"{path.parent.name}/{path.stem}", as_known(image.convert("RGB"), lines)


def in_order(page: ElementTree.Element) -> Iterator[ElementTree.Element]:
    """The lines, region by region as the file orders them."""
    order = [one.get("regionRef", "") for one in page.iterfind(".//{*}RegionRefIndexed")]
    regions = {one.get("id", ""): one for one in page.iterfind("{*}TextRegion")}
    for name in [*order, *(name for name in regions if name not in order)]:
        if name in regions:
            yield from regions[name].iterfind("{*}TextLine")


Box = tuple[float, float, float, float]


def boxes_of(line: ElementTree.Element) -> list[tuple[str, Box]]:
    """The words of a line with their boxes."""
    found = []
    for word in line.iterfind("{*}Word"):
        text = word.findtext("{*}TextEquiv/{*}Unicode", "").strip()
        points = word.find("{*}Coords")
        if text and points is not None and points.get("points"):
            pairs = [tuple(map(float, pair.split(","))) for pair in points.get("points", "").split()]
            left, top = min(pair[0] for pair in pairs), min(pair[1] for pair in pairs)
            right, foot = max(pair[0] for pair in pairs), max(pair[1] for pair in pairs)
            found.append((text, (left, top, right - left, foot - top)))
    return found


def as_known(image: Image.Image, lines: list[list[tuple[str, Box]]]) -> Scan:
    font = ImageFont.truetype(FONTS / OTHER_FACES[0], EM)
    known, truth = [], []
    for number, line in enumerate(lines):
        x, offset = 100, 0
        for text, box in line:
            wide = round(font.getlength(text))
            word = {"line": number, "row": number, "offset": offset, "text": text}
            known.append(word | {"x": x, "y": 100 + LEADING * number, "w": wide, "h": EM})
            truth.append(box)
            x, offset = x + wide + EM // 3, offset + len(text) + 1
    return Scan(image, known, truth)


def main() -> int:
    folder = os.environ.get("SCANS")
    if not folder:
        print("no folder of scans was named: SCANS=folder")
        return 0
    for reader in (False, True) if tesseract.is_installed() else (False,):
        total, control = Judged(0, 0, 0, 0), Judged(0, 0, 0, 0)
        for name, scan in scans(Path(folder)):
            began = time.process_time()
            found = align(scan.image, scan.known, LANGUAGE, with_reader=reader)
            one = judged(scan, found.words)
            print(
                f"{name}: {one.row_share:.1%} of {one.words} words, {one.missing} missing, "
                f"{one.wrong} wrong; {time.process_time() - began:.1f} s",
                flush=True,
            )
            total = total + one
            other = random.Random(name).sample(scan.truth, len(scan.truth))
            control = control + judged(Scan(scan.image, scan.known, other), found.words)
        print(
            f"{'with' if reader else 'without'} Tesseract: {total.row_share:.1%} of {total.words} words in "
            f"their row within 10 px, {total.missing} missing, {total.wrong} wrong; control, "
            f"the boxes of other words: {control.row_share:.1%}"
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())

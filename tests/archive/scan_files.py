"""What the tests of scans share: photographs as they come from a phone, and ways to send them."""

import io
from pathlib import Path

from django.core.files.uploadedfile import SimpleUploadedFile
from PIL import Image, ImageDraw

from archive.facsimile.words import is_printed, words_of
from archive.images.storage import originals, store_file
from archive.models import PageImage
from archive.models.scans import Original, Scan
from tests.archive.hostile import saved

BOOK = "victory-rummy-1942"
SCANS = f"/books/{BOOK}/scans/"
TABLE = (52, 38, 30)


def lines_of_print(width=700, height=1000):
    """A page with level rows of dark words, as a printed one is to a machine that only counts."""
    page = Image.new("RGB", (width, height), (240, 228, 205))
    draw = ImageDraw.Draw(page)
    for row, y in enumerate(range(110, height - 110, 34)):
        x, words = 80, 0
        while x < width - 130:
            long = 24 + (row * 7 + words * 13) % 60
            draw.rectangle((x, y, x + long, y + 14), fill=(40, 32, 26))
            x, words = x + long + 14, words + 1
    return page


def spread(left, right, degrees=2.0):
    """Two pages side by side on a dark table, photographed a little crooked."""
    both = Image.new("RGB", (left.width + right.width, left.height))
    both.paste(left, (0, 0))
    both.paste(right, (left.width, 0))
    around = left.height // 8
    table = Image.new("RGB", (both.width + 2 * around, both.height + 2 * around), TABLE)
    table.paste(both, (around, around))
    return table.rotate(degrees, Image.Resampling.BICUBIC, fillcolor=TABLE)


def photograph(image, turned=1):
    """As a phone writes it: JPEG with the camera's name, the way it was held, and the place."""
    exif = Image.Exif()
    exif[0x0112] = turned
    exif[0x010F] = "Kitchen Camera Works"
    place = exif.get_ifd(0x8825)
    place[1], place[2] = "N", (40.0, 26.0, 46.0)
    return saved(image, "JPEG", quality=88, exif=exif)


def send(client, *files, script=True):
    """Send files as the page's script does, one by one, or as the plain form, all at once."""
    headers = {"Accept": "application/json"} if script else {}
    named = [SimpleUploadedFile(name, content) for name, content in files]
    return client.post(f"{SCANS}upload/", {"files": named}, headers=headers)


def form_of(scan, **changed):
    """What the form of a scan sends."""
    kept = {name: value for name, value in scan.steps.items() if name != "part"}
    leaf = scan.leaf.number if scan.leaf else ""
    return {**kept, "leaf": leaf, "reason": "A photograph of our copy.", **changed}


def opened(answer):
    return Image.open(io.BytesIO(answer.getvalue() if hasattr(answer, "getvalue") else answer.content))


def files_under(folder):
    return sorted(path for path in Path(folder).rglob("*") if path.is_file())


def a_scan(book, person):
    """A scan that is simply there, without having come through the door."""
    page = lines_of_print(140, 200)
    original = Original.objects.create(
        digest="0" * 64, name="page.jpg", kind="jpg", size=1, width=140, height=200, person=person, signed="x"
    )
    store_file(originals(), original.copy_name(0), saved(page, "JPEG"))
    return Scan.objects.create(book=book, original=original, order=1, steps={})


def set_facsimile(leaf):
    """A facsimile of the leaf as it now reads, of which only the words are there; they are given back."""
    known = [
        {"text": w.text, "line": w.line, "offset": w.offset, "row": 0, "passage": w.passage}
        | {"x": 0, "y": 0, "w": 9, "h": 9}
        for line in leaf.text_lines
        if is_printed(line)
        for w in words_of(line)
    ]
    PageImage.objects.filter(leaf=leaf, kind="facsimile").delete()
    PageImage.objects.create(
        leaf=leaf, kind="facsimile", identifier="f", width=9, height=9, checksum="0" * 64, words=known
    )
    return known

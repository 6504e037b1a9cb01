"""Pages without pictures: every word in a place that a test can reckon, six words to a row."""

import io
import zlib

from PIL import Image

from archive.facsimile.words import is_printed, words_of
from archive.images import middleware
from archive.images.derivatives import cut
from archive.images.storage import record_image, store_image_files
from archive.models import Book, PageImage

WIDTH, HEIGHT = 1600, 2400
ACROSS, STEP, TALL = 200, 30, 20
WORDS_IN_A_ROW = 6


def page_words(leaf):
    found, row = [], 0
    for line in leaf.text_lines:
        if not is_printed(line):
            continue
        for index, word in enumerate(words_of(line)):
            row += index % WORDS_IN_A_ROW == 0
            place = {
                "x": index % WORDS_IN_A_ROW * ACROSS + 100,
                "y": row * STEP,
                "w": len(word.text) * 10,
                "h": TALL,
            }
            told = {"text": word.text, "line": line.number, "offset": word.offset, "row": row}
            found.append(told | {"passage": word.passage} | place)
    return found


def set_pages(*slugs):
    for slug in slugs:
        _set(slug)


def take_pages():
    PageImage.objects.all().delete()


def _set(slug):
    for leaf in Book.objects.get(slug=slug).leaves.all():
        words = page_words(leaf)
        PageImage.objects.create(
            leaf=leaf,
            kind=PageImage.FACSIMILE,
            identifier=f"{slug}-{leaf.number}-f",
            width=WIDTH,
            height=HEIGHT,
            checksum=f"{zlib.crc32(repr(words).encode()):064x}",
            words=words,
        )


def ingest_scan(leaf, identifier, original, suffix):
    """A scan as it is: cut and recorded, its words not yet known."""
    with Image.open(io.BytesIO(original)) as image:
        image.load()
        checksum = store_image_files(identifier, original, suffix, cut(image))
        return record_image(leaf, PageImage.SCAN, identifier, image.size, checksum, [])


def forget_files():
    """Empty what the middleware caches of files and requests."""
    middleware._files.clear()
    middleware._parse_path.cache_clear()

"""What the tests of curation share: one loaded book and people of every role."""

import re
from functools import cache

from django.conf import settings
from django.test import Client

from archive.curation.forms import leaf_text
from archive.models import Book

BOOK = "victory-rummy-1942"
FOLDER = settings.FIXTURES / "books" / BOOK
PIT = settings.FIXTURES / "declared" / "pit"


@cache
def source(name="text.txt"):
    return (FOLDER / name).read_text()


def leaf_of(words):
    """The leaf these words stand on, in the fixtures."""
    return int(re.findall(r"^=== leaf (\d+) ===$", source().split(words)[0], re.M)[-1])


def rows(leaf=1, old="", new="", now=False):
    """What the form of a leaf sends, with one change in it: drawn from revision 1, or as the book is now."""
    text = Book.objects.get(slug=BOOK).files["text.txt"] if now else source()
    found = leaf_text.rows_of(text, leaf)
    assert not old or any(old in row.text for row in found)
    return [row.text.replace(old, new) if row.number else leaf_text.GAP for row in found]


def as_written(page):
    """A page without the marks of what was changed: the words as each of the two wrote them."""
    return re.sub(r"</?ins>", "", re.sub(r"<del>.*?</del>", "", page, flags=re.S))


def signed_in(person):
    client = Client()
    client.force_login(person)
    return client


def seen_in(page):
    """Over which text a form of a declared game is written, as its hidden field says."""
    return re.search(r'name="seen" value="(\w+)"', page.content.decode())[1]

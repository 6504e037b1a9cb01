"""Facsimiles follow the text. Setting a page takes longer than publishing, so it is done behind the answer,
one book after the other; what a stop interrupts is done by make_pages at the next start."""

from __future__ import annotations

from django.conf import settings

from archive.background import BackgroundQueue
from archive.images.facsimiles import store, tasks_of
from archive.images.making import make
from archive.models import Book, PageImage
from archive.scans import word_search


def set_pages(slug: str) -> None:
    """Set the facsimiles anew whose text has changed, so that page and text say the same."""
    fonts = settings.NODE_MODULES / "@fontsource"
    # A leaf whose text went away keeps no page set from it.
    PageImage.objects.filter(leaf__book__slug=slug, leaf__lines=[], kind=PageImage.FACSIMILE).delete()
    book = Book.objects.prefetch_related("leaves__images").get(slug=slug)
    for task in tasks_of(book):
        store(make(task, fonts))


def set_pages_soon(slug: str) -> None:
    _setter.soon(slug)


def _set(slug: str) -> None:
    set_pages(slug)
    # Scans of these pages have the old words; each finds its place again.
    word_search.seek_again(slug)


_setter = BackgroundQueue("pages", _set)


def stop() -> None:
    """The site stops: pages that wait are set at the next start."""
    _setter.stop()
    word_search.stop()

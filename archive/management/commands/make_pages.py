"""`manage.py make_pages`: set the facsimile of every leaf, cut it into sizes and tiles."""

from __future__ import annotations

import sys
import time
from argparse import ArgumentParser
from concurrent.futures import ProcessPoolExecutor, as_completed
from multiprocessing import get_context
from os import cpu_count
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from archive.images.facsimile_tasks import FacsimileTask, TypesetFacsimile, typeset
from archive.images.facsimiles import store, tasks_of
from archive.models import Book
from archive.scans import word_search


class Command(BaseCommand):
    help = "Typeset the image of every page and cut it into sizes and tiles."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("books", nargs="*", metavar="book", help="only these rulebooks, by slug")
        parser.add_argument("--all", action="store_true", help="set pages again that are up to date")

    def handle(self, *args: Any, **options: Any) -> None:
        books = Book.objects.defer("files").prefetch_related("leaves__images")
        if options["books"]:
            books = books.filter(slug__in=options["books"])
        tasks = [task for book in books for task in tasks_of(book, again=options["all"])]
        if tasks:
            self._set(tasks)
        # What a stop interrupted: scans whose words have not been looked for in the present text.
        for pk in list(word_search.stale().values_list("pk", flat=True)):
            word_search.search_once(pk)

    def _set(self, tasks: list[FacsimileTask]) -> None:
        self.stdout.write(f"pages: {len(tasks)} are being set; this happens once and takes a minute or two")
        self.stdout.flush()
        started = time.monotonic()
        for number, made in enumerate(self._made(tasks), 1):
            store(made)
            self._show(number, len(tasks), made.task.identifier)
        seconds = time.monotonic() - started
        self.stdout.write(f"pages: {len(tasks)} set and cut in {seconds:.1f} s")

    def _made(self, tasks: list[FacsimileTask]) -> Any:
        """Pages in the order they are finished, made on all cores."""
        fonts = settings.NODE_MODULES / "@fontsource"
        cores = min(cpu_count() or 1, len(tasks))
        if cores == 1:
            yield from (typeset(task, fonts) for task in tasks)
            return
        # Fresh processes: a forked one would share this one's database connection.
        with ProcessPoolExecutor(cores, mp_context=get_context("spawn")) as pool:
            for future in as_completed([pool.submit(typeset, task, fonts) for task in tasks]):
                made: TypesetFacsimile = future.result()
                yield made

    def _show(self, done: int, all: int, identifier: str) -> None:
        """A bar on a terminal; nothing in a log."""
        if not sys.stderr.isatty():
            return
        filled = done * 30 // all
        end = "\n" if done == all else ""
        bar = "█" * filled + "·" * (30 - filled)
        self.stderr.write(f"\r\033[Kpages [{bar}] {done}/{all} {'' if end else identifier}", ending=end)
        self.stderr.flush()

"""Command `manage.py verify`: checks that everything is as it was written. It only reads."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.messages import checksums
from archive.publication import verification
from scorepad.ledger import pad_verification

SHOWN_EVERY = 50


class Command(BaseCommand):
    help = "Verify every pad and every rulebook; name what was altered. Exits with 1 if anything was."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--pads", action="store_true", help="only the pads")
        parser.add_argument("--books", action="store_true", help="only the books, their history and images")
        parser.add_argument("--pad", metavar="CODE", default="", help="only this pad")

    def handle(self, *args: Any, **options: Any) -> None:
        only = options["pad"]
        every = not (options["pads"] or options["books"] or only)
        self.faults = 0
        seen = []
        if every or options["pads"] or only:
            seen.append(self._pads(only))
        if every or options["books"]:
            seen.append(self._books())
        if self.faults:
            raise CommandError(
                f"{_many(self.faults, 'fault')} in {', '.join(seen)}. What is named above was altered behind "
                "the site's back. Restore a backup into another folder and compare."
            )
        self.stdout.write(f"{', '.join(seen)}: all is as it was written.")

    def _pads(self, only: str) -> str:
        count = entries = 0
        for row in pad_verification.pad_ids(only):
            length, faults = pad_verification.verify(row)
            count, entries = count + 1, entries + length
            self._tell(faults)
            self._show("pads", count)
        if only and not count:
            raise CommandError(f"There is no pad {only}.")
        return f"{_many(count, 'pad')} with {_many(entries, 'entry', 'entries')}"

    def _books(self) -> str:
        count = 0
        for slug in verification.slugs():
            count += 1
            self._tell(verification.verify(slug))
            self._show("books", count, every=1)
        self._tell([*verification.verify_texts(), *verification.verify_originals()])
        self._tell(checksums.verify())
        return _many(count, "book")

    def _tell(self, faults: list[str]) -> None:
        for fault in faults:
            self.stdout.write(fault)
        self.faults += len(faults)

    def _show(self, what: str, done: int, every: int = SHOWN_EVERY) -> None:
        """Progress, on a terminal; nothing in a log."""
        if sys.stderr.isatty() and done % every == 0:
            self.stderr.write(f"\r\033[K{what}: {done:,}", ending="\r")
            self.stderr.flush()


def _many(count: int, one: str, more: str = "") -> str:
    return f"{count:,} {one if count == 1 else more or f'{one}s'}"

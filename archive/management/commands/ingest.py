"""`manage.py ingest`: pictures from this machine into a book, documents and folders too."""

from __future__ import annotations

from argparse import ArgumentParser
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.models import Book, Leaf
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.scans import pages, publication, sandbox, word_search
from archive.scans.detection import FRAME_DOUBTS
from archive.scans.errors import ScanError
from archive.scans.geometry import NUMBERS, Steps, StepsError, check_steps, record_of, steps_from_form
from archive.scans.uploads import receive_file


class Command(BaseCommand):
    help = "Take pictures (JPEG, PNG, WebP; TIFF and PDF of any length) or folders of them into a rulebook."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("book", help="the book, by slug")
        parser.add_argument("files", nargs="+", metavar="file", help="files or folders, in their order")
        parser.add_argument(
            "--leaf", type=int, help="the page number of the first picture; the next ones follow"
        )
        parser.add_argument(
            "--steps",
            default="",
            help="steps that differ from what is proposed: turns=1,angle=0.5,left=2,tone=grey",
        )
        parser.add_argument("--publish", action="store_true", help="publish the scans on their pages at once")
        parser.add_argument("--reason", default="Ingested.", help="why, for the history")

    def handle(self, *args: Any, **options: Any) -> None:
        book = Book.objects.filter(slug=options["book"]).first()
        if book is None:
            known = ", ".join(Book.objects.values_list("slug", flat=True))
            raise CommandError(f"There is no rulebook {options['book']}. There are: {known}.")
        chosen = chosen_steps(options["steps"])
        leaf, refused, doubtful = options["leaf"], 0, []
        for path in pictures(Path(name) for name in options["files"]):
            scans = self.take(book, path)
            refused += not scans
            if leaf and not scans:
                leaf += 1  # The next page is not put where this one belongs.
            for scan in scans:
                self.place(scan, leaf, chosen)
                doubtful += [scan] if scan.doubt else []
                leaf = leaf + 1 if leaf else None
                if options["publish"]:
                    self.publish(scan, options["reason"])
        self.tell_doubts(doubtful)
        if refused:
            self.stdout.write(f"{refused} file{'s' if refused > 1 else ''} not taken in; see above why.")

    def tell_doubts(self, doubtful: list[Scan]) -> None:
        """The pages whose edges a person must draw."""
        if doubtful:
            self.stdout.write(f"{len(doubtful)} to look at, kept whole:")
        for scan in doubtful:
            self.stdout.write(f"  {scan.title}: {FRAME_DOUBTS[scan.doubt]}")

    def take(self, book: Book, path: Path) -> tuple[Scan, ...]:
        try:
            with path.open("rb") as file:
                received = receive_file(book, file, path.name, None, on_machine=True)
        except OSError as fault:
            self.stdout.write(f"{path}: {fault.strerror}.")
            return ()
        self.stdout.write(f"{path}: {received.sentence}")
        return received.scans

    def place(self, scan: Scan, number: int | None, chosen: dict[str, Any]) -> None:
        try:
            steps = check_steps(replace(scan.chosen_steps, **chosen))
        except StepsError as fault:
            raise CommandError(str(fault)) from None
        leaf = Leaf.objects.filter(book=scan.book, number=number).first() if number else scan.leaf
        if number and leaf is None:
            self.stdout.write(f"  {scan.title}: this rulebook has no page {number}; placed on none.")
        try:
            pages.save_with_leaf(scan, steps, leaf)
        except EditError as refused:
            self.stdout.write(f"  {scan.title}: {refused}")

    def publish(self, scan: Scan, reason: str) -> None:
        try:
            image = publication.publish(scan, None, reason)
        except (EditError, ScanError) as refused:
            words = sandbox.sentence_for(refused.reason) if isinstance(refused, ScanError) else str(refused)
            self.stdout.write(f"  {scan.title}: {words}")
            return
        word_search.search_once(scan.pk)
        scan.refresh_from_db()
        lost = f", {len(scan.missing)} words without a place" if scan.missing else ""
        self.stdout.write(f"  {scan.title}: page {image.leaf.number}, {image.identifier}{lost}")


def pictures(paths: Iterable[Path]) -> Iterator[Path]:
    """These files, and the files of these folders by name; hidden ones are left out."""
    for path in paths:
        if path.is_dir():
            inside = sorted(one for one in path.iterdir() if one.is_file() and not one.name.startswith("."))
            yield from inside
        else:
            yield path


def chosen_steps(written: str) -> dict[str, Any]:
    """The steps that were named, as numbers and words; CommandError if one cannot be meant."""
    pairs = [part.strip().partition("=") for part in written.split(",") if part.strip()]
    names = {name.strip() for name, _, _ in pairs}
    if unknown := names - {*NUMBERS, "turns", "tone"}:
        known = ", ".join([*NUMBERS, "turns", "tone"])
        raise CommandError(f"There is no step {', '.join(sorted(unknown))}; there are {known}.")
    try:
        steps = steps_from_form({name.strip(): value.strip() for name, _, value in pairs}, Steps.part)
    except StepsError as fault:
        raise CommandError(str(fault)) from None
    return {name: value for name, value in record_of(steps).items() if name in names}

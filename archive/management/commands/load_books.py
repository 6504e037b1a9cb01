from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from archive import search
from archive.publication import publish
from archive.publication.errors import PublishError


class Command(BaseCommand):
    help = (
        "Load the rulebooks of fixtures/books. Everything is checked first; if anything is wrong, nothing is "
        "loaded."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="only these rulebooks")
        parser.add_argument("--folder", type=Path, default=settings.FIXTURES / "books")
        parser.add_argument("--overwrite", action="store_true", help="also where curators have edited a book")

        parser.add_argument(
            "--keep-edited", action="store_true", help="leave books that curators have edited as they are"
        )

    def handle(
        self, *args: Any, slugs: list[str], folder: Path, overwrite: bool, keep_edited: bool, **options: Any
    ) -> None:
        every = sorted(path for path in folder.iterdir() if path.is_dir())
        folders = [folder / slug for slug in slugs] or every
        # A version that indexes more than the one before does so for all books, once.
        search.index().refresh()
        try:
            sentences = publish.load(folders, overwrite, keep_edited)
        except PublishError as refused:
            raise CommandError("Nothing was loaded.\n" + "\n".join(refused.faults)) from None
        for sentence in sentences:
            self.stdout.write(sentence)

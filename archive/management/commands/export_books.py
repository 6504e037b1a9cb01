import os
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from archive.models import Book
from archive.publication import publish


class Command(BaseCommand):
    help = "Write the rulebooks back as files. What nobody has changed comes out byte for byte as it went in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="only these rulebooks")
        parser.add_argument("--folder", type=Path, default=settings.FIXTURES / "books")

    def handle(self, *args: Any, slugs: list[str], folder: Path, **options: Any) -> None:
        known = set(Book.objects.values_list("slug", flat=True))
        for slug in slugs:
            if slug not in known:
                raise CommandError(_unknown(slug, sorted(known)))
        for written in publish.export(folder, slugs):
            self.stdout.write(f"{written}")


def _unknown(slug: str, known: list[str]) -> str:
    says = f"There is no rulebook {slug}. There are: {', '.join(known)}."
    if os.sep in slug or Path(slug).exists():
        says += f" To write them all into that folder: export_books --folder {slug}"
    return f"Nothing was written. {says}"

from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from archive.publication import publish


class Command(BaseCommand):
    help = "Write the books back as files. What nobody has changed comes out byte for byte as it went in."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slugs", nargs="*", help="only these books")
        parser.add_argument("--folder", type=Path, default=settings.FIXTURES / "books")

    def handle(self, *args: Any, slugs: list[str], folder: Path, **options: Any) -> None:
        for written in publish.export(folder, slugs):
            self.stdout.write(f"{written}")

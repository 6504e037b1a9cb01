import signal
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from ops import backup


class Command(BaseCommand):
    help = "Write the whole site into one file, while it is in use. It holds the site's key: keep it secret."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a new file, such as tallyroom-2026-05-01.tar")

    def run_from_argv(self, argv: list[str]) -> None:
        # A shutdown says TERM, and what is half written holds the key: it goes with us.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("Nothing was backed up: it was stopped."))
        super().run_from_argv(argv)

    def handle(self, *args: Any, file: Path, **options: Any) -> None:
        try:
            written = backup.write(file)
        except backup.BackupError as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(
            f"{written.file}: the database, {written.images} image files and the key, "
            f"{written.size / 1e6:.1f} MB in {written.seconds:.1f} s. Keep it where only you can read it."
        )

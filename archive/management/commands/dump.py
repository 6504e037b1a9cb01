from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.dump.errors import BagError
from archive.dump.write import dump


class Command(BaseCommand):
    help = "Write the whole archive as a bag, to keep or to load elsewhere: rulebooks, images, history."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("target", type=Path, help="a new folder, or a new file that ends in .zip")

        parser.add_argument("--public", action="store_true", help="without drafts and withdrawn books")

    def handle(self, *args: Any, target: Path, public: bool, **options: Any) -> None:
        try:
            done = dump(target, public)
        except BagError as fault:
            raise CommandError(str(fault)) from None
        except OSError as fault:
            raise CommandError(f"Nothing was dumped: {fault.strerror or fault}.") from None
        self.stdout.write(f"{target}: {done.books} books in {done.files} files, {done.size / 1e6:.1f} MB.")

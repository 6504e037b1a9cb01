from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from archive.dump.errors import LoadError
from archive.dump.load import load
from archive.publication import verification


class Command(BaseCommand):
    help = "Load what dump has written into a site without rulebooks, all or nothing, and verify it."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("source", type=Path, help="the folder or .zip")

    def handle(self, *args: Any, source: Path, **options: Any) -> None:
        try:
            count = load(source)
        except LoadError as refused:
            raise CommandError(str(refused)) from None
        faults = [fault for slug in verification.slugs() for fault in verification.verify(slug)]
        faults += [*verification.verify_texts(), *verification.verify_originals()]
        for fault in faults:
            self.stdout.write(fault)
        if faults:
            raise CommandError("The dump was loaded as it is, and what is named above was wrong in it.")
        self.stdout.write(f"{count} rulebooks loaded: all is as it was written.")

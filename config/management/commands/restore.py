import os
import tempfile
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError

from config import restoring
from config.backup import BackupRefused


class Command(BaseCommand):
    help = "Put a backup into an empty site: all is checked first, and the restored site is verified."
    requires_system_checks = []  # A check may open the database, and there is none yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that backup has written")
        parser.add_argument("--check", action="store_true", help="only look whether the backup is whole")

    def handle(self, *args: Any, file: Path, check: bool, **options: Any) -> None:
        try:
            if check:
                with tempfile.TemporaryDirectory(prefix=".checking-", dir=file.absolute().parent) as place:
                    manifest = restoring.checked(file, Path(place))
                self.stdout.write(f"{file} is whole: {len(manifest.members)} files, made {manifest.made}.")
                return
            manifest = restoring.restore(file)
        except BackupRefused as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(f"Restored from {file}, made {manifest.made}.")
        if os.environ.get("SECRET_KEY"):
            self.stdout.write(
                "SECRET_KEY is set here and goes before the key of the backup: "
                "set the old one, or join sheets show new links."
            )
        call_command("migrate", interactive=False, verbosity=0)
        call_command("verify", stdout=self.stdout, stderr=self.stderr)

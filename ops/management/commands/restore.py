import os
import signal
import subprocess
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ops import restore
from ops.backup import SECRET_KEY, BackupError


class Command(BaseCommand):
    help = (
        "Restore a backup into an empty site: everything is checked first, and the restored site is verified."
    )
    requires_system_checks = []  # A check may open the database, and there is none yet.

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("file", type=Path, help="a file that backup has written")
        parser.add_argument("--check", action="store_true", help="only look whether the backup is whole")

    def run_from_argv(self, argv: list[str]) -> None:
        # What was put there by half goes again, unless the whole was there already.
        says = "It was stopped. Unless it says above that it restored, nothing was restored."
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(says))
        super().run_from_argv(argv)

    def handle(self, *args: Any, file: Path, check: bool, **options: Any) -> None:
        try:
            if check:
                manifest = restore.check(file)
                self.stdout.write(f"{file} is whole: {len(manifest.members)} files, made {manifest.made}.")
                return
            manifest = restore.restore(file)
        except BackupError as refused:
            raise CommandError(str(refused)) from None
        self.stdout.write(f"Restored from {file}, made {manifest.made}.")
        kept = (settings.VAR / SECRET_KEY).read_text().strip()
        if (os.environ.get("SECRET_KEY") or kept) != kept:
            self.stdout.write(
                "SECRET_KEY is set here to another key than the backup has, and goes before it. Set the "
                "old one, or everyone has to sign in again, second steps cannot be opened and join sheets "
                "show new links."
            )
        # This process still has the key the place had before, and a migration may seal with the key.
        self._run("migrate", "--no-input", "--verbosity=0")
        self._run("verify")

    def _run(self, *words: str) -> None:
        self.stdout.flush()
        command = [sys.executable, str(settings.BASE_DIR / "manage.py"), *words]
        done = subprocess.run(command, check=False)  # noqa: S603 - our own words, no shell
        if done.returncode:
            raise CommandError(
                f"The backup was put back as it was, but manage.py {words[0]} ended with what is said above."
            )

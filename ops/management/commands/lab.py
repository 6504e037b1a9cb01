"""The command `lab`: computes the figures of the reading lab again and writes them to fixtures/lab."""

from __future__ import annotations

import json
import os
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from lab.computation import compute, document
from lab.grid import STUDIES

WIDTH = 40


class Command(BaseCommand):
    help = "Plays the evenings of the reading lab again and writes the figures to fixtures/lab."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("games", nargs="*", choices=[[], *STUDIES], help="all, if none is named")
        parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="all cores by default")

    def handle(self, *args: Any, **options: Any) -> None:
        for game in options["games"] or STUDIES:
            study = STUDIES[game]
            figures = compute(study, options["workers"], progress=self._bar(game))
            self.stdout.write("")
            folder = settings.FIXTURES / "lab"
            folder.mkdir(exist_ok=True)
            text = json.dumps(document(study, figures), indent=1, sort_keys=False, ensure_ascii=False)
            (folder / f"{game}.json").write_text(text + "\n", encoding="utf-8")

    def _bar(self, game: str) -> Any:
        def show(done: int, number: int) -> None:
            filled = WIDTH * done // number
            bar = "#" * filled + "." * (WIDTH - filled)
            self.stdout.write(f"\r{game:15} [{bar}] {done} of {number} blocks", ending="")
            self.stdout.flush()

        return show

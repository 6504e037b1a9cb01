from typing import Any

from django.core.management.base import BaseCommand

from archive.jobs import worker


class Command(BaseCommand):
    help = "Do the waiting jobs, page by page, at the lowest priority. The site starts this by itself."

    def handle(self, *args: Any, **options: Any) -> None:
        done = worker.main()
        self.stdout.write(f"{done} page{'' if done == 1 else 's'} worked on.")

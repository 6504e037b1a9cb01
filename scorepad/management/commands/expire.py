"""`manage.py expire`: gives notice to unused pads, and deletes those whose notice is over."""

from typing import Any

from django.core.management.base import BaseCommand

from scorepad import expiry


class Command(BaseCommand):
    help = "Give notice to pads nobody uses, and delete those whose notice is over."

    def handle(self, *args: Any, **options: Any) -> None:
        done = expiry.expire()
        if done.noticed or done.stay or done.deleted:
            self.stdout.write(
                f"Pads: {done.noticed} were given notice, {done.stay} stay, {done.deleted} were deleted."
            )

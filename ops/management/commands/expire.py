"""`manage.py expire`: gives notice to unused pads and deletes those whose notice is over; deletes the names
and addresses of readers whose messages were answered long enough ago, and sessions that are over."""

from typing import Any

from django.core.management.base import BaseCommand

from archive.messages import inbox
from people import sessions
from scorepad import expiry


class Command(BaseCommand):
    help = "Give notice to unused pads, delete those whose notice is over, and delete readers' old addresses."

    def handle(self, *args: Any, **options: Any) -> None:
        done = expiry.expire()
        if done.noticed or done.stay or done.deleted:
            self.stdout.write(
                f"Pads: {done.noticed} were given notice, {done.stay} stay, {done.deleted} were deleted."
            )
        sessions.delete_expired()
        if forgotten := inbox.delete_old_addresses():
            self.stdout.write(f"Messages of readers: {forgotten} lost their name and address.")

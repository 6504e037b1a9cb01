from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand
from django.urls import reverse

from people import invitations
from people.roles import KEEPER, ROLES


class Command(BaseCommand):
    help = "Print a link that makes one account; by default a keeper's, who can then invite everybody else."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--role", choices=list(ROLES), default=KEEPER)
        parser.add_argument("--guest", default="", help="who it is for; they may choose another name")
        parser.add_argument("--days", type=int, default=invitations.DAYS, help="how long the link is good")
        # Behind a proxy the site has a name of its own; forms are taken from there.
        named = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if "*" not in origin]
        default = named[0] if named else f"http://{settings.HOST}:{settings.PORT}"
        parser.add_argument("--site", default=default, help=f"the address of the site, {default} by default")

    def handle(self, *args: Any, role: str, guest: str, days: int, site: str, **options: Any) -> None:
        token = invitations.invite(role, guest, days=days)
        self.stderr.write(f"Open this link within {days} days. It works once and makes one {role}:")
        self.stdout.write(site.rstrip("/") + reverse("invitation", args=[token]))

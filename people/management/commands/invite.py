from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.urls import reverse

from people import audit_log, invitations
from people.models import Person
from people.roles import KEEPER, ROLES, TITLES
from people.validators import name_key


class Command(BaseCommand):
    help = (
        "Print a link that makes one account, by default an administrator's, who can then invite everyone "
        "else; or, with --person, a link for a new password of an account there is. Its second step stays."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--role", choices=list(ROLES), default=KEEPER)
        parser.add_argument("--guest", default="", help="who it is for; they may choose another name")
        parser.add_argument("--person", default="", help="the name of an account that needs a new password")
        parser.add_argument("--days", type=int, default=invitations.DAYS, help="how long the link is good")
        # Behind a proxy the site has a name of its own; forms are taken from there.
        named = [origin for origin in settings.CSRF_TRUSTED_ORIGINS if "*" not in origin]
        default = named[0] if named else f"http://{settings.HOST}:{settings.PORT}"
        parser.add_argument("--site", default=default, help=f"the address of the site, {default} by default")

    def handle(
        self, *args: Any, role: str, guest: str, person: str, days: int, site: str, **options: Any
    ) -> None:
        if person:
            token, does = self._new_password(person, days)
        else:
            token, does = invitations.invite(role, guest, days=days), f"makes one account: {TITLES[role]}"
        self.stderr.write(f"Open this link within {days} days. It works once and {does}:")
        self.stdout.write(site.rstrip("/") + reverse("invitation", args=[token]))

    def _new_password(self, name: str, days: int) -> tuple[str, str]:
        found = Person.objects.filter(key=name_key(name)).first()
        if found is None:
            raise CommandError(f"There is no account with the name {name}.")
        token = invitations.invite(found.role, found.name, person=found, days=days)
        audit_log.record("link for a new password, made on the server", found)
        return token, f"gives {found.name} a new password"

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from people import second_step
from people.models import Person
from people.validators import name_key


class Command(BaseCommand):
    help = "Remove the second step of an account whose owner lost it. It is logged, and its owner is told."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("name", help="the name of the account, as one signs in with it")

    def handle(self, *args: Any, name: str, **options: Any) -> None:
        person = Person.objects.filter(key=name_key(name)).first()
        if person is None:
            raise CommandError(f"There is no account with the name {name}.")
        if not person.has_second_step:
            raise CommandError(f"{person.name} has no second step.")
        second_step.remove(person)
        self.stdout.write(f"{person.name} has no second step any more, and is told so at the next sign-in.")

from django.apps import AppConfig
from django.core.checks import Tags, register


class PeopleConfig(AppConfig):
    name = "people"

    def ready(self) -> None:
        from people.name_check import names_that_look_alike

        register(names_that_look_alike, Tags.database)

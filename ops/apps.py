from django.apps import AppConfig


class OpsConfig(AppConfig):
    """An app without tables, so that Django finds the commands for books and pads alike."""

    name = "ops"

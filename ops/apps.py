from django.apps import AppConfig


class OpsConfig(AppConfig):
    """No tables: an app only so that the commands that know books and pads alike are found."""

    name = "ops"

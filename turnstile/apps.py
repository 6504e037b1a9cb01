from django.apps import AppConfig


class TurnstileConfig(AppConfig):
    name = "turnstile"

from django.apps import AppConfig


class TurnstileConfig(AppConfig):
    name = "ratelimit"
    label = "turnstile"  # as its table is called

from django.apps import AppConfig


class RatelimitConfig(AppConfig):
    name = "ratelimit"
    label = "turnstile"  # as its table is called

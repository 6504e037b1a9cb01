from django.apps import AppConfig


class ScorepadConfig(AppConfig):
    name = "scorepad"
    verbose_name = "Score pads"

    def ready(self) -> None:
        # A limit that is no number is said at the start, not in the middle of a game.
        from scorepad.limits import DEFAULTS, limit

        for name in DEFAULTS:
            limit(name)

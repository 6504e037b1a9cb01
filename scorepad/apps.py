from django.apps import AppConfig


class ScorepadConfig(AppConfig):
    name = "scorepad"
    verbose_name = "Score pads"

    def ready(self) -> None:
        from scorepad import links

        links.hide_tokens_in_logs()

"""Questions to the archive: the variants and the rules in brief of a game, and where a passage is printed.

The apps import nothing of each other. The setting SCOREPAD_ARCHIVE names the module that answers, with the
functions `variant`, `variants_of_game`, `brief_of_game`, `declared_games`, `passage_html` and `passage_page`;
where it is empty, there is no archive to ask.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.conf import settings
from django.core.validators import slug_re
from django.utils.module_loading import import_string
from django.utils.safestring import SafeString, mark_safe

import engine


@dataclass(frozen=True)
class Variant:
    """A curated set of options, and the settings of the pad that go with them."""

    slug: str
    game: str
    options: dict[str, Any]
    settings: dict[str, Any] = field(default_factory=dict)
    title: str = ""

    @property
    def address(self) -> str:
        return f"/variants/{self.slug}/"


def find_variant(slug: str) -> Variant | None:
    """The variant of this slug; None when there is no such variant."""
    lookup = _archive("variant")
    found = lookup(slug) if lookup and slug_re.match(slug) else None
    if found is None:
        return None
    pad_settings, title = found.get("settings") or {}, found.get("title") or slug
    return Variant(slug, found["game"], found["options"], pad_settings, title)


def required_variant(slug: object, game: object) -> Variant:
    """The variant, or a refusal that says what to do."""
    found = find_variant(slug) if isinstance(slug, str) else None
    if found is None:
        raise engine.Refused(
            "unknown-variant", "There is no such variant. Choose one of the game's, or leave it out."
        )
    if found.game != game:
        raise engine.Refused(
            "unknown-variant", f"This variant belongs to {found.game}. Choose one of this game's."
        )
    return found


def variants_of_game(game: str) -> list[dict[str, Any]]:
    """Every variant of a game with its options and settings; none when there is no archive to ask."""
    lookup = _archive("variants_of_game")
    found: list[dict[str, Any]] = lookup(game) if lookup else []
    return [{**variant, "first_sentence": _first_sentence(variant["reasons"])} for variant in found]


def passage_html(book: str, anchor: str) -> SafeString:
    """The archive's own fragment for this passage; empty where it has none."""
    lookup = _archive("passage_html")
    return mark_safe(lookup(book, anchor) if lookup else "")  # noqa: S308 - drawn by the archive's own template


def brief_of_game(game: str) -> list[tuple[str, list[str]]]:
    """The rules of a game in brief: each line with the passages it rests on."""
    lookup = _archive("brief_of_game")
    return lookup(game) if lookup else []


def declared_games() -> list[str]:
    """The declarations of published books: the text of each."""
    lookup = _archive("declared_games")
    return lookup() if lookup else []


def passage_page(book: str, anchor: str) -> str:
    """The address of the page on which this passage is printed; empty where none is known."""
    lookup = _archive("passage_page")
    return lookup(book, anchor) if lookup else ""


def _archive(name: str) -> Callable[..., Any] | None:
    module: str = settings.SCOREPAD_ARCHIVE
    function: Callable[..., Any] | None = import_string(f"{module}.{name}") if module else None
    return function


def _first_sentence(reasons: str) -> str:
    words = " ".join(reasons.replace("*", "").split())
    return words.partition(". ")[0].rstrip(".") + "." if words else ""

"""Answers to the pads when they ask the archive, read from the kit: the functions of `archive.lookup`."""

from typing import Any

from phone.given_content import CLIPS, CONTENT


def variant(slug: str) -> dict[str, Any] | None:
    found: dict[str, Any] | None = CONTENT["variants"].get(slug)
    return found


def variants_of_game(game: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = [CONTENT["variants"][slug] for slug in CONTENT["games"].get(game, [])]
    return found


def brief_of_game(game: str) -> list[tuple[str, list[str]]]:
    return [(text, cites) for text, cites in CONTENT["briefs"].get(game, [])]


def declared_games() -> list[str]:
    found: list[str] = CONTENT.get("declared", [])
    return found


def passage_html(book: str, anchor: str) -> str:
    return str(_passage(book, anchor).get("html", ""))


def passage_page(book: str, anchor: str) -> str:
    return str(_passage(book, anchor).get("page", ""))


def passage_clips(book: str, anchor: str) -> str:
    return CLIPS.get(f"{book}/{anchor}", "")


def _passage(book: str, anchor: str) -> dict[str, str]:
    found: dict[str, str] = CONTENT["passages"].get(f"{book}/{anchor}", {})
    return found

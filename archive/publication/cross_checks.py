"""Checks before publication: books agree with the engine, with each other, and with published names."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path

import engine
from archive.edition import Edition, EditionError, Note, Variant
from archive.edition.toml import TomlTable, read_table

Pair = tuple[Path, Edition]


def check_sources(
    pairs: Sequence[Pair], published: Mapping[str, Collection[str]], taken: Mapping[str, str]
) -> list[EditionError]:
    """All faults of these books. `published` has the anchors each book is cited by already, `taken` the book
    of each variant that is already published."""
    faults: list[EditionError] = []
    coming = {edition.slug for _, edition in pairs}
    variants = {slug: book for slug, book in taken.items() if book not in coming}
    for folder, edition in pairs:
        faults += _check_games(folder, edition)
        faults += _check_names(folder, edition, published.get(edition.slug, ()))
        for variant, table in _variants(folder, edition):
            if variant.slug in variants:
                other = variants[variant.slug]
                faults.append(table.fault(f"the variant {variant.slug} is already one of {other}", "slug"))
            variants[variant.slug] = edition.slug
            faults += _check_variant(variant, table)
        for note, table in _notes(folder, edition):
            faults += _check_option(edition, note, table)
    return faults


def _table(folder: Path, name: str) -> TomlTable:
    path = folder / name
    return read_table(str(path), path.read_text(encoding="utf-8"))


def _variants(folder: Path, edition: Edition) -> Iterator[tuple[Variant, TomlTable]]:
    return zip(edition.variants, _table(folder, "variants.toml").many("variant"), strict=True)


def _notes(folder: Path, edition: Edition) -> Iterator[tuple[Note, TomlTable]]:
    return zip(edition.notes, _table(folder, "notes.toml").many("note"), strict=True)


def _check_games(folder: Path, edition: Edition) -> Iterator[EditionError]:
    """A book may belong to a game that the engine scores by another; rules in brief stand with that one."""
    table = _table(folder, "book.toml")
    for key in edition.catalogue.games:
        if key not in engine.GAMES:
            yield table.fault(f"the engine knows no game {key}; it knows {', '.join(engine.GAMES)}", "games")
    for brief, row in zip(edition.briefs, _table(folder, "brief.toml").many("brief"), strict=True):
        game = engine.GAMES.get(brief.game)
        if game is not None and game.book != edition.slug:
            yield row.fault(f"the engine scores {brief.game} by the book {game.book}; write it there", "game")


def _check_names(folder: Path, edition: Edition, published: Collection[str]) -> Iterator[EditionError]:
    now = {name for passage in edition.passages for name in (*passage.anchors, *passage.aliases)}
    for name in sorted(set(published) - now):
        says = f"the anchor {name} has been published; keep it as an alias, {{#new ={name}}}"
        yield EditionError(str(folder / "text.txt"), 1, says)


def _check_variant(variant: Variant, table: TomlTable) -> Iterator[EditionError]:
    game = engine.GAMES.get(variant.game)
    if game is None:
        return
    options = {option.key: option for option in game.options}
    for key, value in variant.options.items():
        if key not in options:
            yield table.fault(f"{variant.game} has no option {key}; it has {', '.join(options)}", key)
        elif not options[key].admits(value):
            yield table.fault(f"{key} cannot be {value!r}; it can be {options[key].range}", key)
    try:
        game.option_rule({option.key: option.default for option in game.options} | dict(variant.options))
    except engine.Refused as refused:
        yield table.fault(refused.message)


def _check_option(edition: Edition, note: Note, table: TomlTable) -> Iterator[EditionError]:
    """A note on an option offers what the engine offers, and names the same default."""
    if not note.option:
        return
    key, _, wanted = note.option.partition("/")
    game = engine.GAMES.get(key) if key in edition.catalogue.games else None
    option = next((option for option in game.options if option.key == wanted), None) if game else None
    if option is None:
        yield table.fault(f"no game of this book has an option {note.option}; write game/option", "option")
        return
    if note.default != str(option.default):
        yield table.fault(f"the engine's default for {note.option} is {option.default}", "default")
    for reading in note.readings:
        value = int(reading.value) if reading.value.isdigit() else reading.value
        if value != "" and not option.admits(value):
            yield table.fault(f"{note.option} cannot be {reading.value!r}; it can be {option.range}", "value")

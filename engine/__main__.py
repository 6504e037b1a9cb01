"""The command line: `python -m engine score FILE`, `games`, `declaration FILE`, `melds CARD …`."""

from __future__ import annotations

import argparse
import json
import os
import sys
import textwrap
from collections.abc import Sequence
from typing import Any

from engine import GAMES, melds, read, score
from engine.rules import AUTHORITIES, EntryType, Field, Game, Option, Refused
from engine.strict_json import MAX_BYTES

REFUSED = 2


def main(words: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m engine", description="Score the games of the old rulebooks."
    )
    commands = parser.add_subparsers(dest="command", required=True)
    scoring = commands.add_parser("score", help="score a tally sheet and print the result as JSON")
    scoring.add_argument("file", help="the sheet, or - for standard input")
    listing = commands.add_parser("games", help="the games, their options and what can be entered")
    listing.add_argument("--json", action="store_true", help="the same as data")
    declaring = commands.add_parser("declaration", help="read back a game that is declared as data")
    declaring.add_argument("file", help="its game.toml, or - for standard input")
    melding = commands.add_parser("melds", help="the best sets and sequences of a hand of Rap Rummy")
    melding.add_argument("cards", nargs="*", help="cards such as B7 or F11")
    chosen = parser.parse_args(words)
    try:
        if chosen.command == "score":
            _print_json(score(read(_bytes(chosen.file))).as_dict())
        elif chosen.command == "melds":
            found = melds.best(chosen.cards)
            _print_json(
                {
                    "count": found.count,
                    "melds": [list(meld) for meld in found.melds],
                    "rest": list(found.rest),
                }
            )
        elif chosen.command == "declaration":
            print(_declared(_bytes(chosen.file)))
        elif chosen.json:
            _print_json([game.as_dict() for game in GAMES.values()])
        else:
            print("\n\n".join(_described(game) for game in GAMES.values()))
    except Refused as refused:
        _print_json(refused.as_dict())
        return REFUSED
    return 0


def _declared(text: bytes) -> str:
    """A declaration as a game, and each of its rules in a sentence."""
    from engine.declared import DeclarationError, read_declaration, statements

    try:
        declaration = read_declaration(text.decode("utf-8"))
    except (DeclarationError, UnicodeDecodeError) as fault:
        raise Refused("bad-declaration", str(fault)) from None
    rules = [
        _wrapped(f"{statement.text} [{', '.join(cite.anchor for cite in statement.cites)}]", 4)
        for statement in statements(declaration)
    ]
    return "\n".join([_described(declaration.game), "", "  Rules", *rules])


def _bytes(file: str) -> bytes:
    try:
        if file == "-":
            return sys.stdin.buffer.read(MAX_BYTES + 1)
        with open(file, "rb") as sheet:
            return sheet.read(MAX_BYTES + 1)
    except (OSError, ValueError) as fault:
        reason = fault.strerror if isinstance(fault, OSError) else str(fault)
        raise Refused("bad-sheet", f"The file cannot be read: {reason}.") from None


def _print_json(thing: Any) -> None:
    print(json.dumps(thing, ensure_ascii=False, indent=1))


def _described(game: Game) -> str:
    least, most = game.seats
    head = f"{game.title} ({game.key})\n  {least} to {most} players. Rulebook: {game.book}"
    options = "".join(_option(option) for option in game.options)
    entries = "".join(_entry(entry_type) for entry_type in game.entries)
    return f"{head}\n\n  Options\n{options}\n  Entries\n{entries}".rstrip()


def _option(option: Option) -> str:
    lines = [_wrapped(f"{option.key}: {option.question}", 4)]
    for value in option.values or ():
        sign = " (default)" if value == option.default else ""
        lines.append(_wrapped(f"{value}{sign}: {option.readings.get(str(value), '')}".removesuffix(": "), 8))
    if option.values is None:
        lines.append(_wrapped(f"{option.range}, default {option.default}", 8))
    source = ", ".join(cite.anchor for cite in option.cites)
    lines.append(
        _wrapped(f"Authority: {option.authority}, {AUTHORITIES[option.authority]}. Passages: {source}.", 8)
    )
    return "\n".join(lines) + "\n"


def _entry(entry_type: EntryType) -> str:
    lines = [_wrapped(f"{entry_type.key}: {entry_type.question}", 4)]
    lines += [_wrapped(_field(field), 8) for field in entry_type.fields]
    return "\n".join(lines) + "\n"


def _field(field: Field) -> str:
    need = "" if field.required else " (optional)"
    ways = " or ".join("/".join(part.key for part in shape) for shape in field.shapes)
    each = f"for each player, {ways or 'a list'}" if field.kind == "each" else ways
    if not each and field.kind in ("choice", "piece", "pieces"):
        first, last = field.values[0], field.values[-1]
        each = ", ".join(map(str, field.values)) if len(field.values) < 6 else f"{first} … {last}"
    if field.kind == "number":
        each = f"{field.least} or more" if field.most is None else f"{field.least} to {field.most}"
    return f"{field.key}{need}: {field.question}" + (f" [{each}]" if each else "")


def _wrapped(text: str, margin: int) -> str:
    first, rest = " " * margin, " " * (margin + 2)
    return textwrap.fill(text, 100, initial_indent=first, subsequent_indent=rest, break_on_hyphens=False)


if __name__ == "__main__":
    # A lone surrogate in a refused sheet must not break the sentence that refuses it.
    sys.stdout.reconfigure(encoding="utf-8", errors="backslashreplace")  # type: ignore[union-attr]
    try:
        sys.exit(main())
    except BrokenPipeError:
        # The reader has gone; point stdout elsewhere so that closing it stays silent.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(1)
    except KeyboardInterrupt:
        sys.exit(130)
    except Exception as fault:
        # A mistake of ours is still told in a sentence, and named so that it can be reported.
        _print_json(Refused("engine-fault", f"The engine has made a mistake: {fault!r}").as_dict())
        sys.exit(REFUSED)

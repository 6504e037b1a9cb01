"""Schema of a declaration: reads a TOML text into a `Declaration`, or refuses it with line and sentence."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from engine.declared.calculation import Choice, Names, Range
from engine.declared.declaration import Declaration, EndRule, EntryRule
from engine.declared.entry_tables import QUESTION_LENGTH, SAYS_LENGTH, TAKEN, Moved, Setting, read_entries
from engine.declared.errors import DeclarationError
from engine.declared.game import declared_game
from engine.declared.lines import line_of, lines_of
from engine.declared.parts import ANCHOR, KEY, Citing, Gathering, Part
from engine.declared.sums import NUMBER_MOST
from engine.fields import quote
from engine.rules import AUTHORITIES, Option, passages

BYTES_MOST = 16_000
SEATS_MOST = 12
OPTIONS_MOST, READINGS_MOST, TABLES_MOST, ROWS_MOST = 20, 20, 20, 120
HANDS_MOST = 1_000_000
SILENT_MOST = 400
DIGEST_LENGTH = 32
DECLARATIONS_IN_MEMORY = 128
"""More than a site offers to begin; most take a few dozen kilobytes."""
SLUG = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")


def read_declaration(text: str, anchors: Collection[str] | None = None) -> Declaration:
    """The game that this text declares, or a DeclarationError. `anchors`: the passages there are to cite."""
    data = _toml(text)
    try:
        return _declaration(text, data, anchors)
    except DeclarationError as fault:
        fault.line = line_of(lines_of(text), fault.path)
        raise


@lru_cache(maxsize=DECLARATIONS_IN_MEMORY)
def declaration_of(text: str) -> Declaration:
    """The same of a text whose passages were checked when it was published, or are another site's."""
    return read_declaration(text)


def digest_of(text: str) -> str:
    """The first 32 hexadecimal digits of the SHA-256 of a declaration's text."""
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:DIGEST_LENGTH]


def _toml(text: str) -> Mapping[str, Any]:
    if len(text) > BYTES_MOST or len(text.encode("utf-8", "surrogatepass")) > BYTES_MOST:
        raise DeclarationError(f"The declaration is longer than {BYTES_MOST:,} bytes.")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as fault:
        what, _, place = str(fault).partition(" (at ")
        found = re.match(r"line (\d+)", place)
        line = int(found[1]) if found else text.count("\n") + 1
        raise DeclarationError(f"This is not TOML: {what}.", line=line) from None
    except (ValueError, RecursionError):
        raise DeclarationError(
            "This is not TOML that can be read: a number or a list is too large."
        ) from None


def gather(text: str, anchors: Collection[str] | None = None) -> tuple[Mapping[str, Any], Gathering]:
    """The tables of this text with what can be read of them and all their faults; a DeclarationError if it
    is not TOML."""
    data, gathering = _toml(text), Gathering()
    top = Part(data, (), "The declaration", gathering)
    with top.gathered():
        _read(top, anchors)
    lines = lines_of(text) if gathering.faults else {}
    for fault in gathering.faults:
        fault.line = line_of(lines, fault.path)
    return data, gathering


class Head(NamedTuple):
    """What stands above the first table."""

    key: str
    title: str
    book: str
    by: str
    seat: str
    seats: tuple[int, int]


class Read(NamedTuple):
    """Everything in a declaration, read table by table; `end` is none only where faults are gathered."""

    head: Head
    options: tuple[Option, ...]
    tables: Mapping[str, Mapping[str, int]]
    rules: tuple[EntryRule, ...]
    end: EndRule | None


def _declaration(text: str, data: Mapping[str, Any], anchors: Collection[str] | None) -> Declaration:
    head, options, tables, rules, end = _read(Part(data, (), "The declaration"), anchors)
    assert end is not None
    digest = digest_of(text)
    name = f"{head.key}@{digest}"
    game = declared_game(name, head.title, head.book, head.seats, options, rules, end)
    game = game._replace(declaration=text, by=head.by, seat_word=head.seat, lowest_wins=end.wins == "lowest")
    return Declaration(text, digest, *head, options, tables, rules, end, game, data)


def _read(top: Part, anchors: Collection[str] | None) -> Read:
    head = _head(top)
    _check_silent(top)
    top.keep(head)
    citing = Citing(passages(head.book), anchors)
    options = _options(top, citing)
    numbers, choices = _knobs(options, head.seats)
    tables = _tables(top, {*numbers, *choices, *TAKEN})
    setting = Setting(numbers, choices, tables, head.seats[1], citing)
    entries = read_entries(top, setting)
    end = None
    with top.gathered():
        end = _end(top, setting, entries)._replace(of_sides=head.seat == "side")
    top.finish()
    return Read(head, options, tables, tuple(entry.rule for entry in entries), end)


def _head(top: Part) -> Head:
    key = _slug(top, "key", 40)
    title = top.text("title", 80)
    book = _slug(top, "book", 80)
    by = top.text("by", 80)
    return Head(key, title, book, by, top.word("seat", ("player", "side"), "player"), _seats(top))


def _slug(part: Part, key: str, most: int) -> str:
    found: str = part.text(key, most)
    if not SLUG.fullmatch(found):
        raise part.fault(f"{key} is a name of small letters, digits and hyphens, not {quote(found)}.", key)
    return found


def _seats(top: Part) -> tuple[int, int]:
    seats = top.items("seats", 2, "the least and the most players, such as [2, 6]")
    for at, number in enumerate(seats):
        if type(number) is not int or not 1 <= number <= SEATS_MOST:
            raise top.fault(f"seats are two whole numbers from 1 to {SEATS_MOST}.", "seats", at)
    if len(seats) != 2 or seats[0] > seats[1]:
        raise top.fault("seats are the least and the most players, such as [2, 6].", "seats")
    return seats[0], seats[1]


def _check_silent(top: Part) -> None:
    """The passages that score nothing, as the declarer says: they need not be there any more."""
    for at, anchor in enumerate(
        top.items("silent", SILENT_MOST, 'a list of passages, such as ["title"]', [])
    ):
        if type(anchor) is not str or not ANCHOR.fullmatch(anchor):
            raise top.fault(f"silent lists names of passages, and {quote(anchor)} is none.", "silent", at)


def _options(top: Part, citing: Citing) -> tuple[Option, ...]:
    found: list[Option] = []
    for part in top.parts("option", OPTIONS_MOST, ""):
        with part.gathered():
            found.append(_option(part, citing, {*TAKEN, *(option.key for option in found)}))
            part.keep(found[-1])
    return tuple(found)


def _option(part: Part, citing: Citing, taken: Collection[str]) -> Option:
    key = part.key(taken)
    question = part.text("question", QUESTION_LENGTH)
    authority = part.word("authority", tuple(AUTHORITIES))
    cites = citing.taken(part)
    part.seen += ["default", "readings", "least", "most"]
    if "readings" in part:
        part.seen = [name for name in part.seen if name not in ("least", "most")]
        readings = _readings(part)
        default: str | int = part.word("default", readings)
        readings = {str(default): readings[str(default)], **readings}
        option = Option(key, question, default, authority, cites, readings)
    else:
        least = part.number("least", -NUMBER_MOST, NUMBER_MOST)
        most = part.number("most", least, NUMBER_MOST)
        default = part.number("default", least, most)
        option = Option(key, question, default, authority, cites, least=least, most=most)
    part.finish()
    return option


def _readings(part: Part) -> dict[str, str]:
    readings: dict[str, str] = part.take("readings", dict, "a table of words, each with its sentence")
    if not 2 <= len(readings) <= READINGS_MOST:
        raise part.fault(f"readings are 2 to {READINGS_MOST} words to choose from.", "readings")
    for word, sentence in readings.items():
        part.check_text(word, 40, "readings", word)
        if type(sentence) is not str:
            raise part.fault("each reading is told in a sentence.", "readings", word)
        part.check_text(sentence, SAYS_LENGTH, "readings", word)
    return dict(readings)


def _knobs(options: Collection[Option], seats: tuple[int, int]) -> tuple[dict[str, Range], dict[str, Choice]]:
    """What the options, and the table itself, put into sums."""
    numbers = {"players": Range(*seats), "hands_played": Range(0, HANDS_MOST)}
    choices: dict[str, Choice] = {}
    for option in options:
        if option.readings:
            choices[option.key] = Choice(frozenset(option.readings))
        else:
            numbers[option.key] = Range(option.least or 0, option.most or 0)
    return numbers, choices


def _tables(top: Part, taken: Collection[str]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    tables = top.take("table", dict, "tables of numbers, [table.name]", {})
    if len(tables) > TABLES_MOST:
        raise top.fault(f"there are more than {TABLES_MOST} tables.", "table")
    for key, rows in tables.items():
        part = Part(rows, ("table", key), f"table {key[:40]}", top.gathering)
        with part.gathered():
            if not KEY.fullmatch(key) or key in taken:
                raise part.fault("the name of a table has small letters and is used for nothing else.")
            if not 1 <= len(rows) <= ROWS_MOST:
                raise part.fault(f"it must have 1 to {ROWS_MOST} rows.")
            found[key] = {row: part.number(row, -NUMBER_MOST, NUMBER_MOST) for row in rows}
    return found


def _end(top: Part, setting: Setting, entries: Collection[Moved]) -> EndRule:
    part = Part(top.take("end", dict, "a table, [end]"), ("end",), "end", top.gathering)
    names = Names(setting.numbers, setting.choices, setting.tables)
    sums, ranges = {}, {}
    for key in ("after", "reaches", "falls"):
        part.seen.append(key)
        if key in part:
            sums[key], found = part.sum(key, names)
            ranges[key] = found.range
    at_once = part.word("at", ("hand", "once"), "hand") == "once"
    wins = part.word("wins", ("highest", "lowest", "first"))
    plays_on = part.word("ties", ("shared", "play on"), "shared") == "play on"
    _check_end(part, ranges, at_once, wins, entries)
    known = {*setting.numbers, *setting.choices, "winners"}
    why = part.sentence("why", SAYS_LENGTH, known)
    cites = setting.citing.taken(part)
    after, reaches, falls = sums.get("after"), sums.get("reaches"), sums.get("falls")
    end = EndRule(after, reaches, falls, at_once, wins, plays_on, why, cites)
    part.finish()
    part.keep(end)
    return end


def _check_end(
    part: Part, ranges: Mapping[str, Range], at_once: bool, wins: str, entries: Collection[Moved]
) -> None:
    """Refuse an end that no game comes to, and one that every game begins with."""
    if not ranges:
        raise part.fault(
            "when is the game over? Say after how many hands, or which total it reaches or falls to."
        )
    if wins == "first" and "reaches" not in ranges:
        raise part.fault("wins can be first only if there is a total to reach.", "wins")
    if not any(entry.rule.ends_hand for entry in entries) and ("after" in ranges or not at_once):
        says = (
            "no entry ends a hand, so this end is never reached. Let an entry end a hand (hand = true), "
            'or look at the totals at once (at = "once").'
        )
        raise part.fault(says, next(iter(ranges)))
    for key, bounds in ranges.items():
        if key != "falls" and bounds.least < 1:
            raise part.fault(f"{key} can be {bounds.least}, and must always be 1 or more.", key)
        if key == "falls" and bounds.most > -1:
            raise part.fault(f"falls can be {bounds.most}, and must always be below 0, where all begin.", key)
    if "reaches" in ranges and max((entry.range.most for entry in entries), default=0) <= 0:
        raise part.fault("no award adds to a total, so nobody ever reaches this.", "reaches")
    if "falls" in ranges and min((entry.range.least for entry in entries), default=0) >= 0:
        raise part.fault("no award takes from a total, so nobody ever falls to this.", "falls")

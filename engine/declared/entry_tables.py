"""Entries of a declaration: their fields, what is checked in them, and what they award."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NamedTuple

from engine.declared.calculation import POINTS_MOST, Choice, Names, Range, steps
from engine.declared.declaration import EVERYBODY, OTHERS_OF, AwardRule, Check, EntryRule, Worked
from engine.declared.parts import Citing, Part
from engine.declared.sums import NUMBER_MOST, RESERVED
from engine.fields import quote
from engine.log import CORRECTION_KINDS
from engine.rules import EntryType, Field, listed

ENTRIES_MOST, FIELDS_MOST, SHARES_MOST, VALUES_MOST, PIECES_MOST = 12, 12, 8, 80, 60
CHECKS_MOST, AWARDS_MOST, MARKS_MOST = 12, 24, 2_000
STEPS_MOST, STEPS_OF_A_LINE = 4_000, 10
QUESTION_LENGTH, SAYS_LENGTH, VALUE_LENGTH, SYMBOL_LENGTH = 200, 300, 40, 20
KINDS = ("player", "choice", "number", "flag", "pieces", "each")
SHARE_KINDS = ("choice", "number", "flag", "pieces")
#: Names that mean something in a sum, in a sentence or on a pad already.
TAKEN = RESERVED | {
    "players",
    "hands_played",
    "total",
    "who",
    "giver",
    "points",
    "winners",
    "type",
    "id",
    "done",
    EVERYBODY,
}
TOTAL = Range(-POINTS_MOST, POINTS_MOST)


class Setting(NamedTuple):
    """What the entries of a declaration share: numbers and choices of its options, its tables, its seats."""

    numbers: Mapping[str, Range]
    choices: Mapping[str, Choice]
    tables: Mapping[str, Mapping[str, int]]
    players_most: int
    citing: Citing

    @property
    def taken(self) -> set[str]:
        return {*TAKEN, *self.numbers, *self.choices, *self.tables}


class Moved(NamedTuple):
    """An entry, and how far it can move a total up and down."""

    rule: EntryRule
    range: Range


def read_entries(top: Part, setting: Setting) -> list[Moved]:
    found: list[Moved] = []
    with top.gathered():
        for part in top.parts("entry", ENTRIES_MOST, "", needed=True):
            taken = {*CORRECTION_KINDS, *(entry.rule.type.key for entry in found)}
            with part.gathered():
                found.append(_entry(part, setting, taken))
                part.keep(found[-1].rule)
    return found


def _entry(part: Part, setting: Setting, taken: Collection[str]) -> Moved:
    key = part.key(taken)
    question = part.text("question", QUESTION_LENGTH)
    fields = _fields(part, setting)
    blanks = {field.key: field for field in fields}
    each = next((field for field in fields if field.kind == "each"), None)
    names = _names(fields, setting)
    if each:
        share = each.shapes[0]
        inside = _names((*fields, *share), setting)
        names = names._replace(shares=inside)
    checks = _checks(part, names, setting)
    awards: list[AwardRule] = []
    ranges: list[Range] = []
    with part.gathered():
        for row in part.parts("award", AWARDS_MOST, f"{part.words}, ", needed=True):
            with row.gathered():
                award, bounds = _award(row, names, blanks, each, setting)
                row.keep(award)
                awards.append(award)
                ranges += [bounds, Range(-bounds.most, -bounds.least)] if award.source else [bounds]
    once = _once(part, blanks, setting)
    entry_type = EntryType(key, question, fields)
    rule = EntryRule(entry_type, part.flag("hand", False), once, checks, tuple(awards))
    work = _steps(rule, names)
    if work > STEPS_MOST:
        says = f"with the most players it takes {work:,} steps to work out, and the most is {STEPS_MOST:,}."
        raise part.fault(f"{says} Write fewer awards, or shorter sums.", "award")
    part.finish()
    least = min((bounds.least for bounds in ranges), default=0)
    return Moved(rule, Range(least, max((bounds.most for bounds in ranges), default=0)))


def _steps(rule: EntryRule, names: Names) -> int:
    """How many steps one entry takes at most: its sums and sentences, for each who receives from each."""
    found = sum(steps(check.that.tree, names) for check in rule.checks)
    one = {field.key for field in rule.type.fields if field.kind == "player"} | {None}
    for award in rule.awards:
        scope = names.shares if award.share and names.shares else names
        sums = steps(award.points.tree, scope) + (steps(award.when.tree, scope) if award.when else 0)
        words = sum(scope.choices[key].most for key in award.why.blanks if key in scope.choices)
        times = [1 if key in one else names.players_most for key in (award.to, award.source)]
        found += times[0] * times[1] * (sums + words + STEPS_OF_A_LINE)
    return found


def _fields(part: Part, setting: Setting) -> tuple[Field, ...]:
    taken = setting.taken
    found: list[Field] = []
    for row in part.parts("field", FIELDS_MOST, f"{part.words}, "):
        with row.gathered():
            field = _field(row, taken, KINDS)
            if field.kind == "each":
                _check_but(row, field, found)
                if any(other.kind == "each" for other in found):
                    says = "an entry asks only once of each player. Put both questions into one share."
                    raise row.fault(says)
            row.keep(field)
            found.append(field)
            taken |= {field.key, *(share.key for shape in field.shapes for share in shape)}
    return tuple(found)


def _check_but(part: Part, field: Field, fields: Collection[Field]) -> None:
    if field.but is None:
        return
    named = next((other for other in fields if other.key == field.but), None)
    if named is None or named.kind != "player" or not named.required:
        raise part.fault("but names a player field before this one that must be answered.", "but")


def _field(part: Part, taken: Collection[str], kinds: Collection[str]) -> Field:
    key = part.key(taken)
    kind = part.word("kind", kinds)
    question = part.text("question", QUESTION_LENGTH)
    if kind == "each":
        but = part.text("but", 40, None)
        shares = _shares(part, {*taken, key})
        part.finish()
        return Field(key, kind, question, but=but, shapes=(shares,))
    field = Field(key, kind, question, required=part.flag("required", True))
    # What may be left out is asked all the same: the pad offers "none".
    field = field._replace(nullable=not field.required)
    if kind == "number":
        field = _number(part, field)
    if kind in ("choice", "pieces"):
        field = field._replace(values=_values(part, kind))
    if kind == "pieces":
        least = part.number("from", 0, PIECES_MOST, 0)
        field = field._replace(least=least, most=part.number("to", max(least, 1), PIECES_MOST))
    part.finish()
    return field


def _shares(part: Part, taken: set[str]) -> tuple[Field, ...]:
    found: list[Field] = []
    for row in part.parts("share", SHARES_MOST, f"{part.words}, ", needed=True):
        with row.gathered():
            found.append(_field(row, taken, SHARE_KINDS))
            row.keep(found[-1])
            taken = {*taken, found[-1].key}
    if not any(share.required for share in found):
        raise part.fault("one part of the share at least must be required.", "share")
    return tuple(found)


def _number(part: Part, field: Field) -> Field:
    least = part.number("from", -NUMBER_MOST, NUMBER_MOST)
    most = part.number("to", least, NUMBER_MOST)
    step = part.number("step", 1, NUMBER_MOST, 1)
    if least % step or most % step:
        raise part.fault(f"from and to must be multiples of the step, {step}.", "step")
    return field._replace(least=least, most=most, step=step)


def _values(part: Part, kind: str) -> tuple[str | int, ...]:
    values = part.items("values", VALUES_MOST, "a list of what can be chosen")
    for at, value in enumerate(values):
        if kind == "pieces" and type(value) is int and abs(value) <= NUMBER_MOST:
            continue
        if type(value) is not str:
            named = "words, or whole numbers" if kind == "pieces" else "words in quotes"
            raise part.fault(f"values lists {named}, not {quote(value)}.", "values", at)
        part.check_text(value, VALUE_LENGTH, "values", at)
    if len({type(value) for value in values}) > 1 or len({*values}) < len(values):
        raise part.fault("values lists each once, and words and numbers do not mix.", "values")
    return tuple(values)


def _names(fields: Collection[Field], setting: Setting) -> Names:
    numbers, choices = dict(setting.numbers), dict(setting.choices)
    for field in fields:
        if field.kind == "number":
            least, most = field.least or 0, field.most or 0
            numbers[field.key] = Range(least, most) if field.required else Range(min(0, least), max(0, most))
        elif field.kind in ("flag", "player"):
            numbers[field.key] = Range(0, 1)
        elif field.kind == "choice":
            choices[field.key] = Choice(frozenset(field.values))
        elif field.kind == "pieces":
            choices[field.key] = Choice(frozenset(field.values), field.most or 0, is_list=True)
    return Names(numbers, choices, setting.tables, players_most=setting.players_most)


def _checks(part: Part, names: Names, setting: Setting) -> tuple[Check, ...]:
    found: list[Check] = []
    for row in part.parts("check", CHECKS_MOST, f"{part.words}, "):
        with row.gathered():
            found.append(_check(row, names, setting))
            row.keep(found[-1])
    return tuple(found)


def _check(part: Part, names: Names, setting: Setting) -> Check:
    that, _ = part.sum("that", names)
    check = Check(that, part.text("says", SAYS_LENGTH), setting.citing.taken(part))
    part.finish()
    return check


def _award(
    part: Part, names: Names, fields: Mapping[str, Field], each: Field | None, setting: Setting
) -> tuple[AwardRule, Range]:
    to, source = part.text("to", 60), part.text("from", 60, None)
    _check_receiver(part, to, fields)
    if source is not None and (source not in fields or fields[source].kind not in ("player", "each")):
        raise part.fault("from names the player, or each of those, who gives the points.", "from")
    if source is not None and source == to:
        raise part.fault("to and from name the same players.", "from")
    is_share = bool(each and each.key in (to, source))
    scope = names.shares._replace(shares=names.shares) if is_share and names.shares else names
    scope = scope._replace(numbers={**scope.numbers, "total": TOTAL})
    when: Worked | None = part.sum("when", scope)[0] if "when" in part else None
    part.seen.append("when")
    points, found = part.sum("points", scope)
    if max(abs(bound) for bound in found.range) > POINTS_MOST:
        raise part.fault("points can come to more than any game counts.", "points")
    if found.range == Range(0, 0):
        raise part.fault("points are always 0, so this awards nothing.", "points")
    shared = {share.key for share in each.shapes[0]} if is_share and each else set()
    known = {*(key for key, field in fields.items() if field.kind != "each"), *shared}
    known |= {*setting.numbers, *setting.choices, "who", "points"} | ({"giver"} if source else set())
    award = AwardRule(
        to=to,
        points=points,
        symbol=part.text("symbol", SYMBOL_LENGTH),
        why=part.sentence("why", SAYS_LENGTH, known),
        cites=setting.citing.taken(part),
        when=when,
        source=source,
        share=each.key if is_share and each else None,
    )
    part.finish()
    return award, found.range


def _check_receiver(part: Part, to: str, fields: Mapping[str, Field]) -> None:
    players = [key for key, field in fields.items() if field.kind == "player"]
    ways = [*players, *(OTHERS_OF + key for key in players)]
    ways += [key for key, field in fields.items() if field.kind == "each"] + [EVERYBODY]
    if to not in ways:
        raise part.fault(f"to is one of {listed(ways)}, not {quote(to)}.", "to")


def _once(part: Part, fields: Mapping[str, Field], setting: Setting) -> tuple[str, ...]:
    keys = part.items("once", FIELDS_MOST, "a list of fields", [])
    marks = 1
    for at, key in enumerate(keys):
        field = fields.get(key) if type(key) is str else None
        if field is None or field.kind not in ("player", "choice", "flag"):
            says = f"once names players, choices or flags of this entry, not {quote(key)}."
            raise part.fault(says, "once", at)
        marks *= {"player": setting.players_most + 1, "flag": 3}.get(field.kind, len(field.values) + 1)
    if marks > MARKS_MOST:
        raise part.fault("once tells too many cases apart. Name fewer fields.", "once")
    return tuple(keys)

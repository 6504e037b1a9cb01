"""Declarations for tests: the examples, Rummy 1916 as data, and entries at random for any declared game."""

from pathlib import Path

from engine.declared import read_declaration

EXAMPLES = Path(__file__).parents[2] / "fixtures" / "declared"
KEYS = sorted(folder.name for folder in EXAMPLES.iterdir())
RUMMY_1916 = """\
key = "rummy-1916"
title = "Rummy (United, 1916)"
book = "rummy-1916"
by = "A test"
seats = [2, 6]

[[option]]
key = "rounds"
question = "How many deals for each player?"
default = 1
least = 1
most = 100
authority = "text"
cites = ["one-deal-each"]

[[entry]]
key = "hand"
question = "A hand is over"
hand = true

[[entry.field]]
key = "winner"
kind = "player"
question = "Who ran out of cards?"

[[entry.field]]
key = "hands"
kind = "each"
but = "winner"
question = "What are the others left with?"
share = [{ key = "count", kind = "number", question = "The total of the unplayed cards", from = 1, to = 999 }]

[[entry.award]]
to = "hands"
points = "count"
symbol = "against"
cites = ["points-against"]
why = "{who} is left with {count} in unplayed cards"

[end]
after = "rounds * players"
wins = "lowest"
cites = ["fewest-wins", "one-deal-each"]
why = "Each player has dealt, and {winners} the fewest points."
"""


def text_of(key):
    return (EXAMPLES / key / "game.toml").read_text()


def example(key):
    return read_declaration(text_of(key))


def random_value(random, field, players):
    if field.kind == "player":
        return random.choice(players)
    if field.kind == "flag":
        return random.random() < 0.5
    if field.kind == "number":
        return random.choice(range(field.least, field.most + 1, field.step))
    if field.kind == "choice":
        return random.choice(field.values)
    return [random.choice(field.values) for _ in range(random.randint(field.least, field.most))]


def random_fields(random, fields, players):
    """Answers to these fields, of which the optional ones are left out now and then."""
    entry = {}
    for field in fields:
        if not field.required and random.random() < 0.5:
            continue
        if field.kind == "each":
            without = entry[field.but] if field.but else None
            shares = {
                name: random_fields(random, field.shapes[0], players) for name in players if name != without
            }
            entry[field.key] = shares
        else:
            entry[field.key] = random_value(random, field, players)
    return entry


def random_entry(random, game, players):
    entry_type = random.choice(game.entries)
    return {"type": entry_type.key, **random_fields(random, entry_type.fields, players)}

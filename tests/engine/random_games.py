"""Plays random games: for each game one function that proposes an entry, legal more often than not."""

from random import Random
from typing import Any

import engine
from engine.games import thumbs_up, victor_or_victim
from engine.pack import CARDS, dealt

Entry = dict[str, Any]


def victory_rummy(rng: Random, position: engine.Position) -> Entry:
    players, waiting = position.table.players, position.state.waiting
    if waiting is not None:
        return {"type": "axis", "player": players[waiting], "cards": rng.randrange(5)}
    player = rng.choice(players)
    if rng.random() < 0.1:
        return {"type": "capture", "player": player}
    return {"type": "victory", "player": player, "color": rng.choice(("red", "white", "blue"))}


def thumbs_up_hand(rng: Random, position: engine.Position) -> Entry:
    players = position.table.players
    winner = rng.choice(players)
    box = [block for block in thumbs_up.BLOCKS for _ in range(thumbs_up.COPIES[block.split()[1]])]
    rng.shuffle(box)
    losers: dict[str, Any] = {}
    for name in players:
        if name != winner:
            amount = {"points": 5 * rng.randrange(26)}
            losers[name] = amount if rng.random() < 0.4 else {"blocks": [box.pop() for _ in range(5)]}
    hand: Entry = {"type": "hand", "winner": winner, "losers": losers}
    if rng.random() < 0.5:
        hand["last"] = rng.choice([*losers, None])
    return hand if position.state.played == 0 or rng.random() < 0.95 else {"type": "end"}


def rummy(rng: Random, position: engine.Position) -> Entry:
    players = position.table.players
    winner = rng.choice(players)
    pack: list[Any] = list(CARDS) if position.game.key == "rummy-1926" else list(range(1, 12)) * 4
    rng.shuffle(pack)
    hands: dict[str, Any] = {}
    for name in players:
        if name != winner:
            left = [pack.pop() for _ in range(rng.randint(1, dealt(len(players))))]
            hands[name] = {"cards": left} if rng.random() < 0.5 else {"count": rng.randint(1, 64)}
    return {"type": "hand", "winner": winner, "hands": hands}


def rap_rummy(rng: Random, position: engine.Position) -> Entry:
    players = position.table.players
    pack = list(CARDS)
    rng.shuffle(pack)
    hands: dict[str, Any] = {}
    for name in players:
        hand = [pack.pop() for _ in range(dealt(len(players)))]
        hands[name] = {"cards": hand} if rng.random() < 0.5 else {"count": rng.randint(0, 12)}
    entry: Entry = {"type": "hand", "hands": hands, "rapper": rng.choice([*players, None])}
    if rng.random() < 0.2:
        entry |= rng.choice([{"unbroken": True}, {"tiebreak": rng.choice(players)}])
    return entry


def victor_or_victim_turn(rng: Random, position: engine.Position) -> Entry:
    players, state = position.table.players, position.state
    letters = [f"red {letter}" for letter in "VICTORM"] * 2 + list(victor_or_victim.LETTERS)
    if state.hands is None:
        return {"type": "setup", "cards": {name: rng.choices(letters, k=3) for name in players}}
    player, hand = players[state.turn], list(state.hands[state.turn])
    draw = rng.choice([*letters, *victor_or_victim.SPECIALS * 2])
    turn: Entry = {"type": "turn", "player": player, "draw": draw}
    if draw == "pass-two":
        turn["pass"] = rng.sample(hand, min(2, len(hand)))
    elif draw == "acquisition" and rng.random() < 0.7:
        other = rng.randrange(len(players))
        if other != state.turn and state.hands[other]:
            turn["take"] = {"from": players[other], "card": rng.choice(state.hands[other])}
    elif draw in letters and rng.random() < 0.95:
        turn["pass"] = [rng.choice([*hand, draw])]
    return turn


PROPOSE = {
    "victory-rummy": victory_rummy,
    "thumbs-up": thumbs_up_hand,
    "rummy-1916": rummy,
    "rummy-1926": rummy,
    "rap-rummy": rap_rummy,
    "victor-or-victim": victor_or_victim_turn,
}


CORRECTIONS = ("void", "amend", "revise", "insert")


def random_correction(rng: Random, position: engine.Position, kinds: tuple[str, ...] = CORRECTIONS) -> Entry:
    """A correction of any kind. What it puts into the log is proposed for the moment it is put into."""
    targets = [name for name, place in position.places.items() if place is not None]
    kind = rng.choice(kinds) if targets else "insert"
    if kind == "insert":
        after = rng.choice([None, *targets, *targets[-3:]])
        return {"type": kind, "after": after, "entry": _entry_for(rng, position, after)}
    if kind == "revise":
        chosen = rng.sample(targets, rng.randint(1, min(3, len(targets))))
        entries = [_entry_for(rng, position, target) if rng.random() < 0.6 else None for target in chosen]
        pairs = zip(chosen, entries, strict=True)
        return {"type": kind, "changes": [{"of": target, "entry": entry} for target, entry in pairs]}
    target = rng.choice(targets)
    entry = {"entry": _entry_for(rng, position, target)} if kind == "amend" else {}
    return {"type": kind, "of": target, **entry}


def _entry_for(rng: Random, position: engine.Position, target: str | None) -> Entry:
    place = position.places[target] if target is not None else next((at for at, _ in position.steps), None)
    return PROPOSE[position.game.key](rng, position if place is None else position.before(place))


def random_entry(rng: Random, position: engine.Position, name: str) -> Entry:
    """The next entry of a log in which people correct themselves often; not all have an id."""
    propose = random_correction if rng.random() < 0.5 else PROPOSE[position.game.key]
    return propose(rng, position) | ({"id": name} if rng.random() < 0.9 else {})


def random_options(rng: Random, game: engine.Game) -> dict[str, Any]:
    small = {"target": 300, "hands": 4, "stake": 200, "chip_value": 10, "rounds": 2}
    options: dict[str, Any] = {}
    for option in game.options:
        if rng.random() < 0.5:
            options[option.key] = rng.choice(option.values) if option.values else small[option.key]
    if options.get("when_short") == "pay-what-you-can":
        options["stake"] = 50
    return options


def random_log(rng: Random, key: str, entries_most: int = 24) -> dict[str, Any]:
    """A legal sheet with corrections of all four kinds."""
    sheet = random_sheet(rng, key, 0)
    position = engine.replay(sheet)
    for number in range(entries_most):
        try:
            position = position.enter(random_entry(rng, position, f"e{number}"))
        except engine.Refused:
            continue
    return sheet | {"entries": list(position.entries)}


def random_sheet(rng: Random, key: str, entries_most: int = 30, **fixed: Any) -> dict[str, Any]:
    """A legal sheet of this game, with an id on every entry; `fixed` sets options."""
    game = engine.GAMES[key]
    least, most = game.seats
    players = ["Ada", "Ben", "Cyd", "Dot", "Eli", "Fay"][: rng.randint(least, most)]
    options = random_options(rng, game) | fixed
    sheet = {"tally": 1, "game": key, "options": options, "players": players, "dealer": rng.choice(players)}
    position = engine.replay(sheet)
    entries: list[Entry] = []
    for _ in range(entries_most):
        entry = PROPOSE[key](rng, position) | {"id": f"e{len(entries)}"}
        try:
            position = position.enter(entry)
        except engine.Refused:
            continue
        entries.append(entry)
        if position.ended:
            break
    return sheet | {"entries": entries}

"""Simulators: every log stands, labels do not matter, and nobody sees what is hidden."""

from itertools import islice, permutations

import pytest

import engine
from engine.games.thumbs_up import COLORS as BLOCK_COLORS
from engine.games.victory_rummy import COLORS
from engine.pack import SUITS
from lab.evening import play
from lab.grid import STUDIES
from lab.simulators import SIMULATORS, rap_rummy, thumbs_up, victory_rummy
from lab.table_kind import NAMES, Chance, Kind, all_alike

KINDS = [
    ("victory-rummy", all_alike(3, "plain", "10/4/4")),
    ("victory-rummy", all_alike(4, "counting", "9/5/4")),
    ("victory-rummy", all_alike(2, "careless", "12/3/3")),
    ("rap-rummy", all_alike(2, "raps at 5", "44")),
    ("rap-rummy", all_alike(6, "patient, raps at 25", "44")),
    ("thumbs-up", all_alike(4, "plain", "one box")),
    ("thumbs-up", all_alike(8, "hoarding", "two boxes")),
    ("thumbs-up", all_alike(3, "counting", "one box")),
]


def log(game, kind, evening, deals=4, dealer=0, **labels):
    dealt = SIMULATORS[game].deals(kind, Chance("test", evening, dealer), None, **labels)
    return [entry for deal in islice(dealt, deals) for entry in deal.entries]


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_the_engine_accepts_every_entry(game, kind):
    options = {"sets": 2} if kind.pack == "two boxes" else {}
    for evening in range(5):
        outcome = play(game, kind, Chance("test", evening), [options]).outcomes[0]
        sheet = {"tally": 1, "game": game, "options": options, "players": list(kind.players)}
        result = engine.score({**sheet, "entries": list(outcome.position.entries)})
        assert result.status == "finished"
        assert result.winners == tuple(kind.players[seat] for seat in outcome.winners)


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_the_same_seed_brings_the_same_log_and_another_evening_another(game, kind):
    assert log(game, kind, 1) == log(game, kind, 1)
    assert log(game, kind, 1) != log(game, kind, 2)


@pytest.mark.parametrize(("game", "kind"), KINDS)
def test_rotating_the_seats_changes_nothing_but_the_names(game, kind):
    for shift in range(1, len(kind.policies)):
        turned = log(game, kind, 3, dealer=shift)
        names = {
            name: kind.players[(seat + shift) % len(kind.players)] for seat, name in enumerate(kind.players)
        }
        assert turned == [renamed(entry, names) for entry in log(game, kind, 3)]


def renamed(value, names):
    if isinstance(value, dict):
        return {renamed(key, names): renamed(there, names) for key, there in value.items()}
    return names.get(value, value) if isinstance(value, str) else value


@pytest.mark.parametrize("policy", ["plain", "counting", "careless"])
def test_colours_of_victory_rummy_are_only_labels(policy):
    kind = all_alike(3, policy, "10/4/4")
    for evening in range(3):
        usual = log("victory-rummy", kind, evening)
        for order in permutations(range(3)):
            names = {color: COLORS[order[place]] for place, color in enumerate(COLORS)}
            relabelled = log("victory-rummy", kind, evening, colors=order)
            assert relabelled == [renamed(entry, names) for entry in usual]


@pytest.mark.parametrize("policy", ["raps at 15", "patient, raps at 25"])
def test_suits_of_rap_rummy_are_only_labels(policy):
    kind = all_alike(4, policy, "44")
    for evening in range(4):
        usual = log("rap-rummy", kind, evening)
        for order in [*permutations(range(4))][::5]:
            names = {suit: SUITS[order[place]] for place, suit in enumerate(SUITS)}
            relabelled = log("rap-rummy", kind, evening, suits=order)
            assert [shown_cards(entry) for entry in relabelled] == [shown_cards(one, names) for one in usual]


def shown_cards(entry, names=None):
    names = names or {suit: suit for suit in SUITS}
    hands = {
        player: sorted(names[card[0]] + card[1:] for card in hand["cards"])
        for player, hand in entry["hands"].items()
    }
    return entry["rapper"], hands


@pytest.mark.parametrize("policy", ["plain", "counting", "hoarding"])
def test_colours_of_thumbs_up_are_only_labels(policy):
    kind = all_alike(4, policy, "one box")
    for evening in range(3):
        usual = log("thumbs-up", kind, evening)
        for order in [*permutations(range(5))][::29]:
            names = {color: BLOCK_COLORS[order[place]] for place, color in enumerate(BLOCK_COLORS)}
            relabelled = log("thumbs-up", kind, evening, colors=order)
            assert [shown_blocks(entry) for entry in relabelled] == [
                shown_blocks(one, names) for one in usual
            ]


def shown_blocks(entry, names=None):
    def named(blocks):
        return sorted(f"{(names or {}).get(*[block.split()[0]] * 2)} {block.split()[1]}" for block in blocks)

    losers = {player: named(hand["blocks"]) for player, hand in entry["losers"].items()}
    return entry["winner"], entry["last"], named(entry["winning"]), losers


def test_no_policy_of_victory_rummy_looks_at_hidden_cards():
    """With the pack and the other hands exchanged for anything else, the same card is thrown."""
    for policy in ("plain", "counting"):
        for seed in range(40):
            pack = victory_rummy.pack_of("10/4/4")
            deal = victory_rummy.Deal(victory_rummy.generator("hidden", seed), pack, [policy] * 3)
            hand = deal.hands[0][:]
            hand[deal.stock[-1]] += 1
            thrown = deal.players[0].discard(hand, 10)
            deal.stock.reverse()
            deal.hands[1], deal.hands[2] = [9] * 10, [0] * 10
            assert deal.players[0].discard(hand, 10) == thrown


def test_the_packs_are_whole():
    for name, split in victory_rummy.SPLITS.items():
        assert sum(split) == 18
        assert len(victory_rummy.pack_of(name)) == 63
    assert sorted(rap_rummy.pack_of()) == [1 << place for place in range(44)]
    assert len(thumbs_up.box_of("one box")) == 50
    assert len(thumbs_up.box_of("two boxes")) == 100


def test_every_policy_and_pack_of_the_grid_is_described():
    for game, study in STUDIES.items():
        simulator = SIMULATORS[game]
        kinds = [item.kind for item in (*study.cells, *study.apart)]
        assert {kind.pack for kind in kinds} <= simulator.packs.keys()
        for policy in {kind.policies[0] for kind in kinds}:
            spoken = " ".join("N" if word.isdigit() else word for word in policy.split())
            assert spoken in simulator.policies


def test_a_table_has_as_many_names_as_seats():
    assert Kind(("plain", "counting"), "10/4/4").players == NAMES[:2]

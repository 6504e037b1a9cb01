"""Melds against two peers on hands of a 52-card pack: OpenSpiel's count in C++ and rlcard's search for melds.

The peers live in an environment of their own under var/, made here and never part of the project's lock. The
engine needs nothing but the standard library, so it is measured inside that environment: both sides in one
process, in turns, on the same hands, after their answers have been compared. A missed floor, a wrong answer
or a peer that cannot be installed fails the bench.

The peers are given cards in their own form, so the floor is for ours, the mask. A list of names has
to be read first: its floor is half of that.
"""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from statistics import median
from typing import Any

from engine.melds import best, best_mask, count, count_mask
from tests.engine.gin_rummy import GIN_RUMMY

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "var" / "bench-peers"
# Their other requirements serve learning, which we do not ask them to do.
WANTED = {"pyspiel": ["open_spiel==2.0.2"], "rlcard": ["rlcard==1.2.0", "termcolor==3.3.0", "numpy>=2,<3"]}

PACK = GIN_RUMMY
HANDS = 10_000
FEW = 1000
STARTS = range(0, HANDS, FEW)

# A card is 0 to 51, suit after suit: OpenSpiel's numbering, rlcard's, and the places of the bits in our mask.
Hand = list[int]
Run = Callable[[list[Any]], None]
Runner = tuple[Run, list[Any]]  # what is timed, and the hands in the form it takes


def main() -> int:
    install()
    here = [str(PEERS / "bin" / "python"), "-m", "tests.bench.bench_melds", "--among-peers"]
    return subprocess.run(here, cwd=ROOT, check=False).returncode


def install() -> None:
    """Make the peers' environment. One that cannot be had is missed later, by name, and stops no other."""
    python = PEERS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", PEERS], check=True)
    for packages in WANTED.values():
        pip = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-deps"]
        subprocess.run([*pip, *packages], check=False)


def uniform(size: int, chance: random.Random) -> Hand:
    return chance.sample(range(52), size)


def rich(size: int, chance: random.Random) -> Hand:
    """A hand of sets and sequences laid over each other, as far as they fit, and any cards to fill it."""
    hand: set[int] = set()
    for _ in range(size):
        suit, rank, length = chance.randrange(4), chance.randrange(13), chance.choice([3, 3, 4])
        if chance.random() < 0.5:
            meld = {other * 13 + rank for other in chance.sample(range(4), length)}
        else:
            lowest = suit * 13 + min(rank, 13 - length)
            meld = set(range(lowest, lowest + length))
        if len(hand | meld) <= size:
            hand |= meld
    spare = [card for card in range(52) if card not in hand]
    return [*hand, *chance.sample(spare, size - len(hand))]


class Bench:
    """Prints a row per comparison and remembers whether one was missed."""

    def __init__(self) -> None:
        self.missed = 0

    def row(self, name: str, text: str, good: bool) -> None:
        self.missed += not good
        print(f"{'ok    ' if good else 'MISSED'}  {name:<56} {text}", flush=True)

    def ratio(self, name: str, floor: float, ours: Runner, peer: Runner) -> None:
        """Let both run in turns, over a few hands at a time that neither has seen, and take the medians."""
        rounds = [[clock(run, hands[start : start + FEW]) for run, hands in (ours, peer)] for start in STARTS]
        ratio = median(theirs / own for own, theirs in rounds)
        own, theirs = (median(column) / FEW * 1e6 for column in zip(*rounds, strict=True))
        text = f"{ratio:5.2f} times as fast, floor {floor:g}  ({own:.2f} µs a hand, peer {theirs:.2f} µs)"
        self.row(name, text, ratio >= floor)


def clock(run: Run, hands: list[Any]) -> float:
    start = time.thread_time()
    run(hands)
    return time.thread_time() - start


def count_masks(masks: list[int]) -> None:
    for mask in masks:
        count_mask(mask, PACK)


def count_lists(hands: list[list[str]]) -> None:
    for hand in hands:
        count(hand, PACK)


def best_of_masks(masks: list[int]) -> None:
    for mask in masks:
        best_mask(mask, PACK).melds  # noqa: B018


def best_of_lists(hands: list[list[str]]) -> None:
    for hand in hands:
        best(hand, PACK).melds  # noqa: B018


def among_peers() -> int:
    bench = Bench()
    chance = random.Random(1926)
    dealt = {
        f"{size} cards, {kind.__name__}": [kind(size, chance) for _ in range(HANDS)]
        for size in (7, 10)
        for kind in (uniform, rich)
    }
    for peer, compare in (("pyspiel", against_open_spiel), ("rlcard", against_rlcard)):
        try:
            importlib.import_module(peer)
        except ImportError as error:
            bench.row(" ".join(WANTED[peer]), f"not installed, nothing compared: {error}", good=False)
            continue
        for name, hands in dealt.items():
            compare(bench, name, hands)
    return 1 if bench.missed else 0


def against_open_spiel(bench: Bench, name: str, hands: list[Hand]) -> None:
    import pyspiel

    min_deadwood = pyspiel.gin_rummy.GinRummyUtils(13, 4, 10).min_deadwood

    def peer(hands: list[Hand]) -> None:
        for hand in hands:
            min_deadwood(hand)

    lists = [[PACK.names[card] for card in hand] for hand in hands]
    masks = [PACK.mask(cards) for cards in lists]
    right = sum(
        count(cards, PACK) == count_mask(mask, PACK) == min_deadwood(hand)
        for cards, mask, hand in zip(lists, masks, hands, strict=True)
    )
    bench.row(f"{name}: the count of OpenSpiel", f"{right} of {HANDS}", right == HANDS)
    bench.ratio(f"{name}: count of a mask against OpenSpiel", 1, (count_masks, masks), (peer, hands))
    bench.ratio(f"{name}: count of a list against OpenSpiel", 0.5, (count_lists, lists), (peer, hands))


def against_rlcard(bench: Bench, name: str, hands: list[Hand]) -> None:
    from rlcard.games.gin_rummy.utils import melding, utils

    def search(hand: list[Any]) -> list[Any]:
        """rlcard's search takes ten cards and no other number; for these, its own steps one by one."""
        if len(hand) == 10:
            return melding.get_best_meld_clusters(hand)
        clusters = melding.get_meld_clusters(hand)
        counts = [deadwood(hand, cluster) for cluster in clusters]
        return [cluster for cluster, count in zip(clusters, counts, strict=True) if count == min(counts)]

    def deadwood(hand: list[Any], cluster: list[Any]) -> int:
        melded = [card for meld in cluster for card in meld]
        return sum([utils.get_deadwood_value(card) for card in hand if card not in melded])

    def peer(hands: list[Any]) -> None:
        for hand in hands:
            search(hand)

    theirs = [[utils.get_card(card) for card in hand] for hand in hands]
    lists = [[PACK.names[card] for card in hand] for hand in hands]
    masks = [PACK.mask(cards) for cards in lists]
    right = sum(
        best(cards, PACK).count == deadwood(hand, (search(hand) or [[]])[0])
        for cards, hand in zip(lists, theirs, strict=True)
    )
    bench.row(f"{name}: the best count of rlcard", f"{right} of {HANDS}", right == HANDS)
    bench.ratio(f"{name}: melds of a mask against rlcard", 10, (best_of_masks, masks), (peer, theirs))
    bench.ratio(f"{name}: melds of a list against rlcard", 5, (best_of_lists, lists), (peer, theirs))


if __name__ == "__main__":
    sys.exit(among_peers() if "--among-peers" in sys.argv else main())

"""Spoiling good files by a seed: bytes and JSON values are flipped, cut, doubled, swapped and made odd."""

import copy
import random

ODD_BYTES = [
    b"",
    b"\0",
    b"\xff",
    b"\xff\xd8",
    b"{",
    b"[",
    b'"',
    b"\\",
    b"1e999",
    b"-0",
    b"NaN",
    b"null",
    b"\xed\xa0\x80",
]
ODD_VALUES = [
    None, True, False, 0, -1, 1, 10**30, -(10**30), 0.5, float("inf"), "", " ", "\0", "\ud800", "x" * 5_000,
    [], {}, [[]], {"": {}}, [None] * 300, "Ada", "Ben", "red", "void", "amend", "victory", {"type": "void"},
    ["Ada", "Ada"],
]  # fmt: skip


def spoiled_bytes(content: bytes, chance: random.Random) -> bytes:
    """The file with one to four things wrong with it."""
    told = bytearray(content)
    for _ in range(chance.randint(1, 4)):
        at, much = chance.randrange(len(told) + 1), chance.choice([1, 1, 2, 4, 16, 200])
        turn = chance.randrange(6)
        if turn == 0 and at < len(told):
            told[at] ^= 1 << chance.randrange(8)
        elif turn == 1:
            del told[at : at + much]
        elif turn == 2:
            told[at:at] = chance.choice(ODD_BYTES) * chance.choice([1, 1, 3, 2_000])
        elif turn == 3:
            told[at:at] = told[at : at + much * 4]
        elif turn == 4:
            told[at : at + much] = chance.randbytes(much)
        else:
            other = chance.randrange(len(told) + 1)
            told[at : at + much], told[other : other + much] = (
                told[other : other + much],
                told[at : at + much],
            )
    return bytes(told)


def spoiled_value(value: object, chance: random.Random) -> object:
    """The JSON value with one to three of its places made odd, missing, double or exchanged."""
    told = copy.deepcopy(value)
    for _ in range(chance.randint(1, 3)):
        places = list(_places(told))
        if not places:
            return chance.choice(ODD_VALUES)
        holder, key = chance.choice(places)
        turn = chance.randrange(5)
        if turn < 2:
            holder[key] = copy.deepcopy(chance.choice(ODD_VALUES))
        elif turn == 2:
            del holder[key]
        elif turn == 3:
            other, where = chance.choice(places)
            holder[key] = copy.deepcopy(other[where])
        elif isinstance(holder, list):
            holder.insert(key, copy.deepcopy(holder[key]))
        else:
            holder[f"{key}x"] = holder[key]
    return told


def _places(value: object):
    if isinstance(value, dict | list):
        for key in list(value) if isinstance(value, dict) else range(len(value)):
            yield value, key
            yield from _places(value[key])

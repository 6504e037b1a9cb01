"""Numbers in mixed radix: one digit for each answer, which is one of so many."""

from __future__ import annotations

from engine.rules import Refused

UNREADABLE = "This code cannot be read. Take it again, or ask for the game as a file."


class UnfitError(Exception):
    """A value that is not one of those it may be."""


def unreadable() -> Refused:
    return Refused("bad-code", UNREADABLE)


class Writer:
    """A number in mixed radix that grows at its far end."""

    def __init__(self) -> None:
        self.number, self.radix = 0, 1

    def put(self, value: int, of: int) -> None:
        if not 0 <= value < of:
            raise UnfitError
        self.number += value * self.radix
        self.radix *= of

    def count(self, value: int) -> None:
        """Any whole number from 0, small ones in few digits."""
        if value < 0:
            raise UnfitError
        while value >= 8:
            self.put(8 + value % 8, 16)
            value //= 8
        self.put(value, 16)

    def add(self, other: Writer) -> None:
        self.number += other.number * self.radix
        self.radix *= other.radix

    def text(self, words: str) -> None:
        data = words.encode()
        self.count(len(data))
        self.put(int.from_bytes(data, "little"), 256 ** len(data))

    def bytes(self) -> bytes:
        return self.number.to_bytes((self.radix.bit_length() + 7) // 8, "little")


class Reader:
    """The same number, read from its near end."""

    def __init__(self, data: bytes) -> None:
        self.number, self.bits = int.from_bytes(data, "little"), 8 * len(data)

    def get(self, of: int) -> int:
        self.bits -= of.bit_length() - 1
        if self.bits < 0:
            raise unreadable()
        self.number, value = divmod(self.number, of)
        return value

    def count(self) -> int:
        value, place = 0, 1
        while (digit := self.get(16)) >= 8:
            value += (digit - 8) * place
            place *= 8
        return value + digit * place

    def text(self) -> str:
        length = self.count()
        if 8 * length > self.bits:
            raise unreadable()
        return self.get(256**length).to_bytes(length, "little").decode()

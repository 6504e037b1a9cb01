"""A disk that loses its power: what a process wrote and synced, recorded call by call and played again.

strace notes every write, sync and answer of the running site in their order. At any point of that record the
disk may hold what had been synced by then, and of everything written since as much or as little as it likes,
sector by sector. Each such disk is made as files, and the database is opened on them as after a restart.
"""

import re
from dataclasses import dataclass, field
from pathlib import Path

SECTOR = 512
CALLS = "openat,pwrite64,write,pwritev,ftruncate,fsync,fdatasync,unlink,rename,sendto,sendmsg,writev"
WHOLE = re.compile(r"^(\d+) +(\w+)\((.*)\) += (-?\d+|\?)")
BEGUN = re.compile(r"^(\d+) +(\w+)\((.*) <unfinished \.\.\.>$")
ENDED = re.compile(r"^(\d+) +<\.\.\. (\w+) resumed>.*\) += (-?\d+|\?)")
PLACE = re.compile(r"^\d+<((?:\\x[0-9a-f]{2})+)>")
WORDS = re.compile(r'"((?:\\x[0-9a-f]{2})*)"(\.\.\.)?')
STORED = re.compile(rb'"id": "([0-9a-f]{32})", "status": "(?:stored|known)"')


def recorder(out):
    """The command that runs another and records it."""
    return [
        "strace",
        "-f",
        "-y",
        "-xx",
        "-s",
        "2000000",
        "--seccomp-bpf",
        "-e",
        f"trace={CALLS}",
        "-o",
        str(out),
    ]


@dataclass(frozen=True)
class Write:
    offset: int
    content: bytes


@dataclass(frozen=True)
class Truncate:
    size: int


@dataclass
class File:
    """A file as it is surely on the disk, and what was done to it since, in order."""

    synced: bytearray = field(default_factory=bytearray)
    pending: list = field(default_factory=list)

    def sync(self, count):
        for change in self.pending[:count]:
            apply(self.synced, change)
        del self.pending[:count]


def apply(content, change):
    if isinstance(change, Truncate):
        del content[change.size :]
        content.extend(bytes(change.size - len(content)))
        return
    end = change.offset + len(change.content)
    content.extend(bytes(max(0, end - len(content))))
    content[change.offset : end] = change.content


def torn(change, chance, share):
    """A write of which some sectors arrived, or a truncation that did or did not."""
    if isinstance(change, Truncate):
        return [change] if chance.random() < share else []
    pieces, at = [], change.offset
    while at < change.offset + len(change.content):
        until = min((at // SECTOR + 1) * SECTOR, change.offset + len(change.content))
        if chance.random() < share:
            pieces.append(Write(at, change.content[at - change.offset : until - change.offset]))
        at = until
    return pieces


class Disk:
    """The files whose names begin with one path, as the record says, and what was acknowledged meanwhile."""

    def __init__(self, database):
        self.database = str(database)
        self.folder = str(Path(database).parent)
        self.names = {self.database: File(bytearray(Path(database).read_bytes()))}
        self.kept_names = dict(self.names)
        self.acknowledged = set()
        self.begun = {}

    def play(self, record):
        """Goes through the record, and stops after each line that matters."""
        for line in record:
            if (whole := WHOLE.match(line)) is not None:
                process, call, words, answer = whole.groups()
                yield from self._begin(process, call, words)
                yield from self._end(process, call, answer)
            elif (begun := BEGUN.match(line)) is not None:
                yield from self._begin(*begun.groups())
            elif (ended := ENDED.match(line)) is not None:
                yield from self._end(*ended.groups())

    def _ours(self, path):
        return path.startswith(self.database) and not path.endswith("-shm")

    def _begin(self, process, call, words):
        if call == "openat":
            path = text(WORDS.search(words)[1])
            if self._ours(path) and "O_CREAT" in words and path not in self.names:
                self.names[path] = File()
                yield call
            return
        if call in {"unlink", "rename"}:
            paths = [text(found[0]) for found in WORDS.findall(words)]
            assert call == "unlink" or not any(map(self._ours, paths)), "a renamed database is not modelled"
            if self.names.pop(paths[0], None) is not None:
                yield call
            return
        place = PLACE.match(words)
        path = text(place[1]) if place else ""
        if call in {"fsync", "fdatasync"}:
            if path == self.folder:
                self.begun[process] = dict(self.names)
            elif path in self.names:
                self.begun[process] = (self.names[path], len(self.names[path].pending))
        elif path in self.names:
            self.names[path].pending.append(change_of(call, words))
            yield call
        elif path.startswith("socket:"):
            said = b"".join(plain(found[0]) for found in WORDS.findall(words))
            if names := STORED.findall(said):
                self.acknowledged.update(name.decode() for name in names)
                yield "acknowledged"

    def _end(self, process, call, answer):
        synced = self.begun.pop(process, None) if call in {"fsync", "fdatasync"} else None
        if synced is None or answer != "0":
            return
        if isinstance(synced, dict):
            self.kept_names = synced
        else:
            synced[0].sync(min(synced[1], len(synced[0].pending)))
        yield call

    def after_power_cut(self, folder, chance, share):
        """Writes the files as they may be found afterwards; `share` of what was not synced arrived."""
        for path in self.names.keys() | self.kept_names.keys():
            found = self.names.get(path) if chance.random() < share else self.kept_names.get(path)
            if found is not None:
                content = bytearray(found.synced)
                for change in found.pending:
                    for piece in torn(change, chance, share):
                        apply(content, piece)
                (folder / Path(path).name).write_bytes(content)


def change_of(call, words):
    if call == "ftruncate":
        return Truncate(int(words.rpartition(",")[2]))
    assert call == "pwrite64", f"{call} on the database is not modelled"
    found = WORDS.search(words)
    assert not found[2], "the record is cut short"
    return Write(int(words.rpartition(",")[2]), plain(found[1]))


def plain(escaped):
    return bytes.fromhex(escaped.replace("\\x", ""))


def text(escaped):
    return plain(escaped).decode()

"""BagIt bags (RFC 8493): files under data/ with lists of their checksums, written and checked."""

from __future__ import annotations

import hashlib
import io
import re
import shutil
import stat
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any

from archive.dump.errors import BagError
from archive.images.storage import HashingReader

DECLARATION = b"BagIt-Version: 1.0\nTag-File-Character-Encoding: UTF-8\n"
BAGIT, INFO = "bagit.txt", "bag-info.txt"
MANIFEST, TAG_MANIFEST = "manifest-sha256.txt", "tagmanifest-sha256.txt"
PAYLOAD = "data/"
LINE = re.compile(r"(?P<digest>[0-9a-fA-F]{64})[ \t]+\*?(?P<path>.+)")
PICTURES = (".jpg", ".png", ".jpeg", ".webp", ".tif", ".tiff")
BLOCK = 1 << 20
TEXT_BYTES_MOST = 16_000_000
"""Bytes of a text in a bag, or of one line of its records; the longest of ours has some hundred thousand."""
UNPACKED_BYTES_FREE = 64_000_000
UNPACKED_RATIO_MOST = 50
"""A bag may be so many times as large as its file, and so many bytes more; packed texts are much smaller."""

Put = Callable[[str, HashingReader], None]


@dataclass
class BagWriter:
    """A bag that is being written."""

    put: Put
    digests: dict[str, str] = field(default_factory=dict)
    size: int = 0

    def has(self, name: str) -> bool:
        return f"{PAYLOAD}{name}" in self.digests

    def add(self, name: str, content: bytes) -> None:
        self.copy(name, io.BytesIO(content))

    def copy(self, name: str, file: IO[bytes] | Any) -> None:
        """A file, in pieces: an original may be larger than the memory."""
        weighed = HashingReader(file)
        self.put(f"{PAYLOAD}{name}", weighed)
        self.digests[f"{PAYLOAD}{name}"] = weighed.digest.hexdigest()
        self.size += weighed.size

    def close(self, told: Mapping[str, str]) -> None:
        """Write what says that the bag is whole; `told` are the lines of bag-info.txt."""
        lines = {**told, "Payload-Oxum": f"{self.size}.{len(self.digests)}"}
        tags = {
            BAGIT: DECLARATION,
            INFO: "".join(f"{label}: {' '.join(value.split())}\n" for label, value in lines.items()).encode(),
            MANIFEST: _manifest(self.digests.items()),
        }
        tags[TAG_MANIFEST] = _manifest(
            (name, hashlib.sha256(content).hexdigest()) for name, content in tags.items()
        )
        for name, content in tags.items():
            self.put(name, HashingReader(io.BytesIO(content)))


def _manifest(rows: Iterable[tuple[str, str]]) -> bytes:
    return "".join(f"{digest}  {_encode_path(path)}\n" for path, digest in sorted(rows)).encode()


def _encode_path(path: str) -> str:
    return path.replace("%", "%25").replace("\n", "%0A").replace("\r", "%0D")


def _decode_path(path: str) -> str:
    for code, sign in (("%0A", "\n"), ("%0D", "\r"), ("%0a", "\n"), ("%0d", "\r"), ("%25", "%")):
        path = path.replace(code, sign)
    return path


@contextmanager
def new_bag(target: Path) -> Iterator[BagWriter]:
    """A new bag in this folder or zip file, for its owner alone: originals are private. If writing it fails,
    nothing stays behind."""
    if target.exists():
        raise BagError(f"{target} is there already. Give the dump a name of its own.")
    if not target.absolute().parent.is_dir():
        raise BagError(f"There is no folder {target.absolute().parent}. Make it, or choose another.")
    part = target.with_name(f".{target.name}.part")
    if part.exists():
        raise BagError(f"{part} is left from a dump that was stopped. Remove it and begin again.")
    try:
        if target.suffix == ".zip":
            part.touch(0o600)
            with zipfile.ZipFile(part, "w") as packed:
                yield BagWriter(lambda name, file: _write_zipped(packed, f"{target.stem}/{name}", file))
        else:
            part.mkdir(0o700)
            yield BagWriter(lambda name, file: _write_file(part / name, file))
        part.rename(target)
    except BaseException:
        _remove(part)
        raise


def _write_zipped(packed: zipfile.ZipFile, name: str, file: HashingReader) -> None:
    head = zipfile.ZipInfo(name, time.localtime()[:6])
    # Pictures do not get smaller; texts do, by much.
    head.compress_type = zipfile.ZIP_STORED if name.endswith(PICTURES) else zipfile.ZIP_DEFLATED
    head.external_attr = 0o644 << 16
    with packed.open(head, "w", force_zip64=True) as out:
        shutil.copyfileobj(file, out, BLOCK)


def _write_file(path: Path, file: HashingReader) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("xb") as out:
        shutil.copyfileobj(file, out, BLOCK)


def _remove(part: Path) -> None:
    if part.is_dir():
        for path in sorted(part.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        part.rmdir()
    else:
        part.unlink(missing_ok=True)


@dataclass(frozen=True)
class Bag:
    """A bag in a folder or a zip file, for reading: its files by name, and how to open one."""

    names: frozenset[str]
    open: Callable[[str], IO[bytes]]

    def read(self, name: str) -> bytes:
        """A whole file, which is a text; BagError if it is longer than any."""
        with self.open(name) as file:
            content = file.read(TEXT_BYTES_MOST + 1)
        if len(content) > TEXT_BYTES_MOST:
            raise BagError(f"{name} is too long: more than {TEXT_BYTES_MOST} bytes.")
        return content

    def lines(self, name: str) -> Iterator[bytes]:
        """The lines of a file that may be larger than the memory, without empty ones."""
        with self.open(name) as file:
            while line := file.readline(TEXT_BYTES_MOST + 1):
                if len(line) > TEXT_BYTES_MOST:
                    raise BagError(f"{name} has a line that is too long: more than {TEXT_BYTES_MOST} bytes.")
                if line.strip():
                    yield line.rstrip(b"\r\n")

    def under(self, folder: str) -> list[str]:
        """The payload files in this folder, by name, without data/."""
        start = f"{PAYLOAD}{folder}"
        return sorted(name.removeprefix(PAYLOAD) for name in self.names if name.startswith(start))

    def payload(self, name: str) -> bytes:
        return self.read(f"{PAYLOAD}{name}")

    def payload_lines(self, name: str) -> Iterator[bytes]:
        return self.lines(f"{PAYLOAD}{name}")


@contextmanager
def open_bag(source: Path) -> Iterator[Bag]:
    """The bag at this path, every checksum compared. Raises BagError, which names the first bad file."""
    with ExitStack() as held:
        try:
            bag = _find_bag(source, held)
            _check(bag)
        except FileNotFoundError:
            raise BagError(f"There is no {source}.") from None
        except (zipfile.BadZipFile, zlib.error, RuntimeError, UnicodeDecodeError) as fault:
            # A zip that wants a password, or is packed in a way not known here, is a RuntimeError.
            raise BagError(f"{source} cannot be read as a bag: {fault}.") from None
        except OSError as fault:
            raise BagError(f"{source} cannot be read: {fault.strerror or fault}.") from None
        yield bag


def _find_bag(source: Path, held: ExitStack) -> Bag:
    if not source.is_dir():
        return _zipped_bag(held.enter_context(zipfile.ZipFile(source)), source.stat().st_size)
    paths = [path for path in source.rglob("*") if path.is_symlink() or not path.is_dir()]
    sizes = [path.lstat() for path in paths]
    for path, size in zip(paths, sizes, strict=True):
        if not stat.S_ISREG(size.st_mode):
            raise BagError(f"{path.relative_to(source)} is not a plain file.")
    # The blocks on the disk tell a file that is all holes from one that is large.
    _check_sizes(sum(size.st_size for size in sizes), sum(size.st_blocks * 512 for size in sizes))
    found = frozenset(path.relative_to(source).as_posix() for path in paths)
    return Bag(found, lambda name: (source / name).open("rb"))


def _check_sizes(unpacked: int, packed: int) -> None:
    if unpacked > UNPACKED_BYTES_FREE + UNPACKED_RATIO_MOST * packed:
        raise BagError(f"This bag has {packed} bytes and would become {unpacked}: no dump of Tallyroom does.")


def _zipped_bag(packed: zipfile.ZipFile, size: int) -> Bag:
    heads = [head for head in packed.infolist() if not head.is_dir()]
    # No more than these sizes is read of any file, whatever it holds.
    _check_sizes(sum(head.file_size for head in heads), size)
    for head in heads:
        if head.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
            raise BagError(f"{head.filename} is packed in a way that no dump of Tallyroom is.")
    files = [head.filename for head in heads]
    tops = {name.partition("/")[0] for name in files}
    if len(tops) != 1:
        raise BagError("A zipped bag holds one folder and nothing beside it.")
    top = tops.pop()
    return Bag(frozenset(name.partition("/")[2] for name in files), lambda name: packed.open(f"{top}/{name}"))


def _check(bag: Bag) -> None:
    if BAGIT not in bag.names or MANIFEST not in bag.names:
        raise BagError(f"This is not a bag, or not a whole one: it has no {BAGIT} or no {MANIFEST}.")
    if not bag.read(BAGIT).startswith(b"BagIt-Version: "):
        raise BagError(f"{BAGIT} does not say which form this bag has.")
    tags = _listed(bag, TAG_MANIFEST) if TAG_MANIFEST in bag.names else {}
    payload = _listed(bag, MANIFEST)
    for name, digest in (*tags.items(), *payload.items()):
        if name not in bag.names:
            raise BagError(f"{name} is missing from the bag.")
        if _digest(bag, name) != digest.lower():
            raise BagError(f"{name} is damaged: it does not have its checksum.")
    extra = {name for name in bag.names if name.startswith(PAYLOAD)} - set(payload)
    if extra:
        raise BagError(f"{min(extra)} does not belong to the bag: its manifest does not name it.")


def _listed(bag: Bag, name: str) -> dict[str, str]:
    """A manifest's digests by path; a path that leads out of the bag is a fault."""
    listed = {}
    for written in bag.lines(name):
        line = written.decode()
        match = LINE.fullmatch(line)
        path = _decode_path(match["path"]) if match else ""
        if match is None or ".." in PurePosixPath(path).parts or path.startswith(("/", "~")):
            raise BagError(f"{name} has a line that makes no sense: {line[:80]!r}.")
        listed[path] = match["digest"]
    return listed


def digest_in(bag: Bag, name: str) -> str:
    """The SHA-256 of a payload file, named without data/."""
    return _digest(bag, f"{PAYLOAD}{name}")


def _digest(bag: Bag, name: str) -> str:
    digest = hashlib.sha256()
    try:
        with bag.open(name) as file:
            while block := file.read(BLOCK):
                digest.update(block)
    except (zipfile.BadZipFile, zlib.error, EOFError, OSError):
        raise BagError(f"{name} is damaged: it cannot be read.") from None
    return digest.hexdigest()


def bag_info(bag: Bag) -> dict[str, str]:
    """The lines of bag-info.txt, by label."""
    lines = bag.read(INFO).decode().splitlines() if INFO in bag.names else []
    return {label: value.strip() for label, _, value in (line.partition(":") for line in lines)}

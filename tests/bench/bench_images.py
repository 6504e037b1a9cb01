"""Page images: made how fast, served how fast beside any other static file, and how heavy on a phone.

The site is prepared in a scratch folder and served as `make run` does. One client asks for a static file, a
kept size and a tile, in turns, over one connection each; the best round of each counts.
"""

from __future__ import annotations

import io
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from PIL import Image

from tests.interop.image_api import free_port, wait_for

ROOT = Path(__file__).resolve().parents[2]
FILE_LEAST = 0.5  # of the rate of a static file of about the same size
ASSEMBLE_LEAST = 2.0  # times as fast as decoding the whole page for the same clip
PHONE_MOST = (
    120_000  # bytes of a leaf on a phone: 960 pixels wide serve 400 points at twice the density and more
)
ROUNDS, REQUESTS = 12, 60


class Client:
    """A connection that is kept open, and as little else as possible: the server is what is measured."""

    def __init__(self, port: int, path: str) -> None:
        self.request = (
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nAccept-Encoding: identity\r\n\r\n".encode()
        )
        self.port = port
        self.socket = self.connect()
        self.get()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=30)

    def get(self) -> bytes:
        try:
            return self.ask()
        except ConnectionError:
            # The server closes a connection that was silent for a while.
            self.socket = self.connect()
            return self.ask()

    def ask(self) -> bytes:
        self.socket.sendall(self.request)
        got = b""
        while b"\r\n\r\n" not in got:
            got += self.receive()
        head, _, body = got.partition(b"\r\n\r\n")
        assert head.startswith(b"HTTP/1.1 200"), head.decode()
        found = re.search(rb"content-length: (\d+)", head, re.IGNORECASE)
        assert found, head.decode()
        parts, missing = [body], int(found[1]) - len(body)
        while missing > 0:
            parts.append(self.receive())
            missing -= len(parts[-1])
        return b"".join(parts)

    def receive(self) -> bytes:
        part = self.socket.recv(262144)
        if not part:
            raise ConnectionResetError("the server closed the connection")
        return part


def rates(runs: dict[str, Callable[[], object]], requests: int = REQUESTS) -> dict[str, float]:
    """Requests a second, by name: the best of rounds taken in turns."""
    best = dict.fromkeys(runs, 0.0)
    for _ in range(ROUNDS):
        for name, run in runs.items():
            begin = time.perf_counter()
            for _ in range(requests):
                run()
            best[name] = max(best[name], requests / (time.perf_counter() - begin))
    return best


def nearest_static(folder: Path, size: int) -> Path:
    """The static file whose size is nearest, so that both sides send as much."""
    files = [path for path in folder.rglob("*") if path.suffix in (".woff2", ".png", ".js", ".css", ".svg")]
    return min(files, key=lambda path: abs(path.stat().st_size - size))


def main() -> int:
    with tempfile.TemporaryDirectory(prefix="tallyroom-bench-images-") as folder:
        port = free_port()
        environment = {**os.environ, "TALLYROOM_VAR": folder, "HOST": "127.0.0.1", "PORT": str(port)}
        environment.pop("DATABASE_URL", None)
        prepare = [sys.executable, "-m", "config.serve", "--prepare"]
        said = subprocess.run(prepare, cwd=ROOT, env=environment, check=True, capture_output=True, text=True)
        print("\n".join(line for line in said.stdout.splitlines() if line.startswith("pages")))
        serve = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
        quiet = ["--no-access-log", "--log-level", "warning"]
        server = subprocess.Popen([*serve, *quiet], cwd=ROOT, env=environment)
        try:
            wait_for(f"http://127.0.0.1:{port}/health", server)
            missed = served(Path(folder), port) + assembled(Path(folder), port) + weight(Path(folder))
        finally:
            server.terminate()
            server.wait(10)
    for floor in missed:
        print(f"missed: {floor}")
    return 1 if missed else 0


def the_page(var: Path) -> tuple[str, Path]:
    """An identifier and the folder of its files."""
    page = var / "images" / "victory-rummy-1942-5-f"
    return page.name, next(page.iterdir())


def served(var: Path, port: int) -> list[str]:
    name, files = the_page(var)
    missed = []
    wanted = {
        "tile": ("1/0-1.jpg", f"/iiif/image/3/{name}/0,512,512,512/512,512/0/default.jpg"),
        "size": ("full/480.jpg", f"/images/{name}/{files.name}/full/480.jpg"),
        "size by the image API": ("full/480.jpg", f"/iiif/image/3/{name}/full/480,/0/default.jpg"),
    }
    for what, (file, path) in wanted.items():
        size = (files / file).stat().st_size
        static = nearest_static(var / "static", size)
        clients = {
            "static": Client(port, f"/static/{static.relative_to(var / 'static').as_posix()}"),
            "image": Client(port, path),
        }
        found = rates({key: client.get for key, client in clients.items()})
        ratio = found["image"] / found["static"]
        bytes_ = f"{size / 1000:.0f} kB beside {static.stat().st_size / 1000:.0f} kB"
        line = f"{what}: {found['image']:.0f} a second, {ratio:.2f} of a static file ({bytes_})"
        print(f"{line}; at least {FILE_LEAST}")
        if ratio < FILE_LEAST:
            missed.append(line)
    return missed


def assembled(var: Path, port: int) -> list[str]:
    """A passage's clip from tiles, against cutting it from the whole page, both as JPEG."""
    name, files = the_page(var)
    original = next((var / "originals" / name).iterdir()).read_bytes()
    whole = next(path for path in (files / "full").iterdir() if int(path.stem) > 1280).read_bytes()

    def from_whole(source: bytes) -> None:
        with Image.open(io.BytesIO(source)) as page:
            clip = page.resize((600, 150), Image.Resampling.BICUBIC, box=(150, 900, 1350, 1200))
            clip.save(io.BytesIO(), "JPEG", quality=82, progressive=True, optimize=True)

    client = Client(port, f"/iiif/image/3/{name}/150,900,1200,300/600,150/0/default.jpg")
    found = rates(
        {"tiles": client.get, "jpeg": lambda: from_whole(whole), "png": lambda: from_whole(original)},
        requests=6,
    )
    ratio = found["tiles"] / found["jpeg"]
    line = f"clip from tiles: {found['tiles']:.0f} a second over HTTP, {ratio:.1f} times decoding the page"
    print(f"{line} ({found['tiles'] / found['png']:.1f} times the original); at least {ASSEMBLE_LEAST}")
    return [line] if ratio < ASSEMBLE_LEAST else []


def weight(var: Path) -> list[str]:
    first = {page.name: page for page in (var / "images").iterdir() if page.name.endswith("-1-f")}
    missed = []
    for name, page in sorted(first.items()):
        sizes = {int(path.stem): path.stat().st_size for path in next(page.iterdir()).glob("full/*.jpg")}
        line = f"{name}: " + ", ".join(
            f"{width} px {sizes[width] / 1000:.0f} kB" for width in (360, 640, 960)
        )
        print(line)
        if sizes[960] > PHONE_MOST:
            missed.append(f"{line}; at most {PHONE_MOST / 1000:.0f} kB at 960")
    return missed


if __name__ == "__main__":
    sys.exit(main())

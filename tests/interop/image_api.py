"""`python -m tests.interop.image_api`: the IIIF validator's own tests, level 2, against the running site.

The validator lives in an environment of its own. It expects a picture of a hundred coloured squares under a
known name; the picture is drawn from the validator's own table of colours, taken in as a scan like any other,
and served by the product from a scratch folder. One test is waived: size_noup wants !w,h refused where the
specification wants it fitted. Whatever else fails, or cannot be run, fails here.
"""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "var" / "doors" / "iiif-validator"
WANTED = ["iiif-validator==1.0.5", "python-magic==0.4.27"]
IDENTIFIER = "67352ccc-d1b0-11e1-89ae-279075081939"
WAIVED = {"size_noup"}
SQUARE = 100


def main() -> int:
    install()
    with tempfile.TemporaryDirectory(prefix="tallyroom-image-api-") as folder:
        port = free_port()
        environment = {**os.environ, "TALLYROOM_VAR": folder, "HOST": "127.0.0.1", "PORT": str(port)}
        environment.pop("DATABASE_URL", None)
        run([sys.executable, "manage.py", "migrate", "--verbosity", "0"], environment)
        run([sys.executable, "-m", "tests.interop.image_api", "--take-in"], environment)
        serve = [sys.executable, "-m", "uvicorn", "config.asgi:application", "--port", str(port)]
        # Its log is full of the refusals the validator asks for; the report names what matters.
        quiet = subprocess.DEVNULL
        server = subprocess.Popen([*serve, "--log-level", "error"], cwd=ROOT, env=environment, stderr=quiet)
        try:
            wait_for(f"http://127.0.0.1:{port}/iiif/image/3/{IDENTIFIER}/info.json", server)
            return judge(validate(port))
        finally:
            server.terminate()
            server.wait(10)


def run(command: list[str], environment: dict[str, str]) -> None:
    subprocess.run(command, cwd=ROOT, env=environment, check=True)


def install() -> None:
    python = TOOLS / "bin" / "python"
    if not python.exists():
        subprocess.run([sys.executable, "-m", "venv", TOOLS], check=True)
    have = [python, "-c", "import iiif_validator.validator"]
    if subprocess.run(have, capture_output=True, check=False).returncode:
        subprocess.run([python, "-m", "pip", "install", "--quiet", *WANTED], check=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def wait_for(address: str, server: subprocess.Popen[bytes], seconds: float = 30) -> None:
    deadline = time.monotonic() + seconds
    while True:
        try:
            urllib.request.urlopen(address, timeout=2)
            return
        except OSError:
            if time.monotonic() > deadline or server.poll() is not None:
                raise
            time.sleep(0.2)


def take_in() -> None:
    """Draw the validator's picture and take it in as the scan of a leaf of a book made for it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django

    django.setup()
    from django.utils import timezone

    from archive.images.derivatives import png
    from archive.models import Book, Leaf
    from tests.archive.page_images import ingest_scan

    rights = "http://rightsstatements.org/vocab/NoC-US/1.0/"
    book = Book.objects.create(
        slug="squares", title="A hundred squares", short_title="Squares", rights_address=rights,
        fingerprint="squares", published=timezone.now(),
    )  # fmt: skip
    leaf = Leaf.objects.create(book=book, number=1, title="Squares", break_certainty="certain")
    ingest_scan(leaf, IDENTIFIER, png(squares()), ".png")


def squares():
    from PIL import Image

    show = "import json, iiif_validator.validator as v; print(json.dumps(v.ValidationInfo().colorInfo))"
    said = subprocess.check_output([TOOLS / "bin" / "python", "-c", show], text=True)
    # The validator may speak before it answers; the table is the last line.
    table = json.loads(said.strip().splitlines()[-1])
    image = Image.new("RGB", (SQUARE * 10, SQUARE * 10))
    for x, column in enumerate(table):
        for y, colour in enumerate(column):
            image.paste(tuple(colour), (x * SQUARE, y * SQUARE, (x + 1) * SQUARE, (y + 1) * SQUARE))
    return image


def validate(port: int) -> str:
    command = [TOOLS / "bin" / "python", TOOLS / "bin" / "iiif-validate.py"]
    command += ["--server", f"127.0.0.1:{port}", "--prefix", "iiif/image/3", "--identifier", IDENTIFIER]
    command += ["--version", "3.0", "--level", "2", "--verbose"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=300)
    return done.stdout + done.stderr


def judge(report: str) -> int:
    passed = re.findall(r"test (\w+) PASS", report)
    failed = [name for name in re.findall(r"test (\w+) FAIL", report) if name not in WAIVED]
    wanted = len(set(passed) | set(failed))
    if failed or wanted < 25:
        print(report)
    print(
        f"IIIF Image API 3, level 2: {len(passed)} tests passed, {len(failed)} failed, {len(WAIVED)} waived"
    )
    for name in failed:
        print(f"  failed: {name}")
    # Fewer tests than there are means that the validator did not run as it should.
    return 1 if failed or wanted < 25 else 0


if __name__ == "__main__":
    if "--take-in" in sys.argv[1:]:
        take_in()
    else:
        sys.exit(main())

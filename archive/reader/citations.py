"""A book or a passage as a citation: in plain words, BibTeX, RIS and CSL-JSON."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from django.utils import timezone

from archive import SITE_NAME
from archive.models import Book, Passage


@dataclass(frozen=True)
class CitedWork:
    """A whole book, or one passage of it by its words. `address` is the lasting one."""

    book: Book
    address: str
    anchor: str = ""
    leaf: str = ""
    words: str = ""

    @property
    def key(self) -> str:
        return f"{self.book.slug}-{self.anchor}" if self.anchor else self.book.slug

    @property
    def year(self) -> str:
        return str(self.book.year) if self.book.year else "n.d."


def cite_book(book: Book, origin: str) -> CitedWork:
    return CitedWork(book, f"{origin}/books/{book.slug}/")


def cite_passage(passage: Passage, origin: str) -> CitedWork:
    book = passage.book
    leaf = f"leaf {', '.join(map(str, passage.leaves))}" if passage.leaves else ""
    words = shortened(passage.reading or passage.printed)
    return CitedWork(
        book, f"{origin}/books/{book.slug}/passages/{passage.anchor}/", passage.anchor, leaf, words
    )


def shortened(text: str, max_letters: int = 160) -> str:
    """The first words of a text, with three dots where it goes on."""
    # A table in one line: bars between its cells, so that the empty ones are seen.
    line = " ".join(text.replace("\t", " | ").split())
    return line if len(line) <= max_letters else line[: line.rfind(" ", 0, max_letters)].rstrip(" ,;:") + " …"


def as_text(cited: CitedWork) -> str:
    """In plain words, as one would write it in a footnote."""
    book = cited.book
    stop = "" if book.title.endswith((".", "?", "!")) else "."
    place = ": ".join(part for part in (_if_known(book.place), _if_known(book.maker)) if part)
    year = cited.year if cited.year.endswith(".") else f"{cited.year}."
    head = f"{book.title}{stop} {place + ', ' if place else ''}{year}"
    words = f"“{cited.words}” " if cited.words else ""
    where = f" {cited.leaf[0].upper()}{cited.leaf[1:]}." if cited.leaf else ""
    named = f", passage {cited.anchor}" if cited.anchor else ""
    return f"{words}{head}{where} Edited by {SITE_NAME}{named}. {cited.address}"


def _if_known(value: str) -> str:
    return "" if value == "Not known" else value


def as_bibtex(cited: CitedWork) -> str:
    book = cited.book
    fields = {
        "title": "{" + _tex(book.title) + "}",
        "organization": _tex(book.maker),
        "address": _tex(_if_known(book.place)),
        "year": cited.year if book.year else "",
        "pages": _tex(cited.leaf),
        "howpublished": _tex(f"Edited by {SITE_NAME}"),
        "url": cited.address,
        "urldate": timezone.localdate().isoformat(),
        "note": _tex(f"Passage {cited.anchor}: “{cited.words}”") if cited.anchor else "",
        "language": book.language,
    }
    inside = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@booklet{{{cited.key},\n{inside}}}\n"


def _tex(text: str) -> str:
    """Escape what TeX would take for a command."""
    signs = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\&%$#_{}~^]", lambda sign: signs.get(sign[0], "\\" + sign[0]), text)


def as_ris(cited: CitedWork) -> str:
    book = cited.book
    rows = [
        ("TY", "PAMP"),
        ("TI", book.title),
        ("PB", book.maker),
        ("CY", _if_known(book.place)),
        ("PY", str(book.year) if book.year else ""),
        ("SP", cited.leaf),
        ("N1", f"Passage {cited.anchor}: “{cited.words}”" if cited.anchor else ""),
        ("LA", book.language),
        ("DB", SITE_NAME),
        ("UR", cited.address),
        ("Y2", timezone.localdate().strftime("%Y/%m/%d")),
        ("ID", cited.key),
    ]
    return "".join(f"{tag}  - {_one_line(value)}\r\n" for tag, value in rows if value) + "ER  - \r\n"


def _one_line(text: str) -> str:
    return " ".join(text.split())


def as_csl(cited: CitedWork) -> str:
    book, today = cited.book, timezone.localdate()
    item: dict[str, object] = {
        "id": cited.key,
        "type": "pamphlet",
        "title": book.title,
        "publisher": book.maker,
        "publisher-place": _if_known(book.place),
        "page": cited.leaf,
        "archive": SITE_NAME,
        "language": book.language,
        "note": f"Passage {cited.anchor}: “{cited.words}”" if cited.anchor else "",
        "URL": cited.address,
        "accessed": {"date-parts": [[today.year, today.month, today.day]]},
    }
    if book.year:
        item["issued"] = {"date-parts": [[book.year]]}
    return (
        json.dumps([{key: value for key, value in item.items() if value}], ensure_ascii=False, indent=1)
        + "\n"
    )


FORMATS = {
    "txt": (as_text, "text/plain; charset=utf-8", "Plain text"),
    "bib": (as_bibtex, "application/x-bibtex; charset=utf-8", "BibTeX"),
    "ris": (as_ris, "application/x-research-info-systems; charset=utf-8", "RIS"),
    "json": (as_csl, "application/vnd.citationstyles.csl+json; charset=utf-8", "CSL-JSON"),
}


def citation_context(cited: CitedWork) -> dict[str, object]:
    """The context of a page that offers this citation."""
    return {
        "cited": cited,
        "citation": as_text(cited),
        "formats": [(key, row[2]) for key, row in FORMATS.items()],
    }

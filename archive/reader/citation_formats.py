"""Citations as text: plain words, Chicago, MLA, BibTeX, RIS and CSL-JSON; and tags and COinS for pages."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from urllib.parse import urlencode

from archive.reader.citations import CitedWork, in_one_line
from archive.site import site

MONTHS = ["Jan.", "Feb.", "Mar.", "Apr.", "May", "June", "July", "Aug.", "Sept.", "Oct.", "Nov.", "Dec."]


def _day(day: date) -> str:
    return f"{day.day} {day:%B %Y}"


STOPS = (".", "?", "!", ".”", "?”", "!”", ".’”", "?’”", "!’”")


def _sentences(*parts: str) -> str:
    """Parts as sentences: each ends in a stop, and none in two."""
    ended = (part if part.endswith(STOPS) else f"{part}." for part in parts if part)
    return " ".join(ended)


def _in_quotes(title: str) -> str:
    """A title in quotation marks with its stop inside; marks within it become single ones."""
    inner = title.replace("“", "‘").replace("”", "’")
    ends_quoted = title.endswith("”")
    bare = inner[:-1] if ends_quoted else inner
    stop = "" if bare.endswith((".", "?", "!")) else "."
    return f"“{bare}{stop}{'’' if ends_quoted else ''}”"


def as_text(cited: CitedWork) -> str:
    """In plain words, as in a footnote: what, where, in which revision, and when it was read."""
    place = ": ".join(part for part in (cited.place, cited.publisher) if part and cited.is_print)
    imprint = ", ".join(part for part in (place, cited.year or ("n.d." if cited.is_print else "")) if part)
    quoted = f"“{cited.words}”" if cited.words else ""
    title = _in_quotes(cited.title) if cited.voice == "editor" else cited.title
    within = f"In: {cited.within}" if cited.within and cited.voice == "editor" else ""
    named = (
        f"Edited by {site().edited_by}" if cited.is_print or within else f"Published by {site().publisher}"
    )
    where = ", ".join(part for part in (named, cited.name, _revision(cited)) if part)
    page = f"Page {cited.page}" if cited.page else ""
    head = _sentences(quoted, cited.author, title, within, imprint, page, where)
    kept = f" Revision: {_revision_elsewhere(cited)}" if _revision_elsewhere(cited) else ""
    return f"{head} {cited.address}{kept} (read on {_day(cited.accessed)})"


def as_quotation(cited: CitedWork, words: str) -> str:
    """All the words of a passage with its citation and address."""
    return as_text(replace(cited, words=in_one_line(words)))


def _revision(cited: CitedWork) -> str:
    return f"revision {cited.revision.number} of {_day(cited.revision.day)}" if cited.revision else ""


def _revision_elsewhere(cited: CitedWork) -> str:
    """The permanent address of the revision that was read, unless it is what is cited."""
    return cited.revision.address if cited.revision and cited.revision.address != cited.address else ""


def as_chicago(cited: CitedWork) -> str:
    """An entry of a bibliography in the Chicago author-date style."""
    year = cited.year or "n.d"
    if cited.is_print:
        head = _sentences(cited.title, year, cited.edition, cited.publisher)
    elif cited.voice == "copy":
        head = _sentences(cited.title, year)
    elif cited.within:
        inside = f"In {cited.within}, {cited.edition}"
        head = _sentences(cited.author, year, _in_quotes(cited.title), inside, cited.publisher)
    else:
        head = _sentences(cited.author, year, _in_quotes(cited.title), f"{site().name}, {_month_day(cited)}")
    return f"{head} {cited.address}.{_kept_at(cited)}"


def _kept_at(cited: CitedWork) -> str:
    """The address of the revision that was read, which the styles have no place for; of a comparison the
    numbers of both."""
    if cited.revision and _revision_elsewhere(cited):
        return f" Revision {cited.revision.number}: {cited.revision.address}."
    return f" {cited.name.capitalize()}." if cited.name and not cited.revision else ""


def _month_day(cited: CitedWork) -> str:
    day = cited.written or cited.accessed
    return f"{day:%B} {day.day}"


def as_mla(cited: CitedWork) -> str:
    """An entry of a list of works cited in the style of the Modern Language Association."""
    return _mla_entry(cited) + _kept_at(cited)


def _mla_entry(cited: CitedWork) -> str:
    if cited.is_print:
        return (
            f"{_sentences(cited.title)} {_listed(cited.edition, cited.publisher, cited.year, _pages(cited))}."
        )
    if cited.voice == "copy":
        return f"{_sentences(cited.title)} {cited.address}."
    head = _sentences(cited.author, _in_quotes(cited.title))
    if cited.within:
        return f"{head} {_listed(cited.within, cited.edition, cited.publisher, cited.year, cited.address)}."
    day = cited.written or cited.accessed
    return f"{head} {_listed(site().name, f'{day.day} {MONTHS[day.month - 1]} {day.year}', cited.address)}."


def _listed(*parts: str) -> str:
    return ", ".join(part for part in parts if part)


def _pages(cited: CitedWork) -> str:
    pages = f"{'pp' if ',' in cited.page else 'p'}. {cited.page}" if cited.page else ""
    return _listed(pages, cited.address)


def as_bibtex(cited: CitedWork) -> str:
    fields = {
        "author": "{" + _tex(cited.author) + "}" if cited.author else "",
        "title": "{" + _tex(cited.title) + "}",
        "booktitle": "{" + _tex(cited.within) + "}" if cited.within else "",
        "editor": _bibtex_editors(cited),
        "publisher": _tex(cited.publisher),
        "address": _tex(cited.place),
        "year": cited.year,
        "edition": _tex(cited.edition),
        "pages": _tex(cited.page),
        "url": cited.address,
        "urldate": cited.accessed.isoformat(),
        "note": _tex(_place_and_words(cited)),
        "language": cited.book.language,
    }
    kind = "booklet" if cited.is_print else "incollection" if cited.within else "misc"
    inside = "".join(f"  {name} = {{{value}}},\n" for name, value in fields.items() if value)
    return f"@{kind}{{{cited.key},\n{inside}}}\n"


def _editors(cited: CitedWork) -> list[str]:
    """The editors of a rulebook, by family name first; the archive where none is named."""
    if not (cited.is_print or cited.within):
        return []
    return [editor.inverted for editor in site().editors] or [site().name]


def _bibtex_editors(cited: CitedWork) -> str:
    """A name that is not divided stands in braces of its own, so that TeX does not divide it."""
    names = (_tex(name) if ", " in name else "{" + _tex(name) + "}" for name in _editors(cited))
    return " and ".join(names)


def _place_and_words(cited: CitedWork) -> str:
    """What the styles have no field for: the name of the place, its words, and the revision's address."""
    words = f"“{cited.words}”" if cited.words else ""
    place = ": ".join(part for part in (cited.name.capitalize(), words) if part)
    kept = _kept_at(cited).strip().removesuffix(".") if cited.revision else ""
    return ". ".join(part for part in (place, kept) if part)


def _tex(text: str) -> str:
    """Escape what TeX would take for a command."""
    signs = {"\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}"}
    return re.sub(r"[\\&%$#_{}~^]", lambda sign: signs.get(sign[0], "\\" + sign[0]), text)


def as_ris(cited: CitedWork) -> str:
    kind = {"print": "PAMP", "editor": "CHAP", "copy": "UNPB", "ours": "ELEC"}[cited.voice]
    rows = [
        ("TY", kind),
        ("AU", cited.author),
        ("TI", cited.title),
        ("T2", cited.within),
        *(("ED", name) for name in _editors(cited)),
        ("ET", cited.edition),
        ("PB", cited.publisher),
        ("CY", cited.place),
        ("PY", cited.year),
        ("SP", cited.page),
        ("N1", _place_and_words(cited)),
        ("LA", cited.book.language),
        ("DB", site().name),
        ("UR", cited.address),
        ("Y2", f"{cited.accessed:%Y/%m/%d}"),
        ("ID", cited.key),
    ]
    return "".join(f"{tag}  - {' '.join(value.split())}\r\n" for tag, value in rows if value) + "ER  - \r\n"


CSL_KINDS = {"print": "pamphlet", "editor": "chapter", "copy": "manuscript", "ours": "webpage"}


def csl_item(cited: CitedWork) -> dict[str, object]:
    within = cited.within if cited.voice == "editor" else site().name if cited.voice == "ours" else ""
    item: dict[str, object] = {
        "id": cited.key,
        "type": CSL_KINDS[cited.voice],
        "title": cited.title,
        "author": [{"literal": cited.author}] if cited.author else "",
        "container-title": within,
        "edition": cited.edition if cited.voice in ("print", "editor") else "",
        "publisher": cited.publisher if cited.voice in ("print", "editor") else "",
        "publisher-place": cited.place,
        "page": cited.page if cited.is_print else "",
        "language": cited.book.language,
        "note": _place_and_words(cited),
        "URL": cited.address,
        "accessed": _date_parts(cited.accessed),
        "issued": _date_parts(cited.written) if cited.written else "",
    }
    if cited.year and not cited.written:
        item["issued"] = {"date-parts": [[int(cited.year)]]}
    return {key: value for key, value in item.items() if value}


def _date_parts(day: date) -> dict[str, object]:
    return {"date-parts": [[day.year, day.month, day.day]]}


def as_csl(cited: CitedWork) -> str:
    return json.dumps([csl_item(cited)], ensure_ascii=False, indent=1) + "\n"


def coins(cited: CitedWork) -> str:
    """ContextObject in a span, for reference managers that read pages."""
    rows = [
        ("ctx_ver", "Z39.88-2004"),
        ("rft_val_fmt", "info:ofi/fmt:kev:mtx:book"),
        ("rft.genre", _genre(cited)),
        ("rft.btitle", cited.within or cited.title),
        ("rft.atitle", cited.title if cited.within else ""),
        ("rft.au", cited.author),
        ("rft.pub", cited.publisher),
        ("rft.place", cited.place),
        ("rft.date", cited.year),
        ("rft.edition", cited.edition),
        ("rft.pages", cited.page),
        ("rft_id", cited.address),
    ]
    return urlencode([row for row in rows if row[1]])


def _genre(cited: CitedWork) -> str:
    """The kind of work as COinS names it: our own words about a game are no book."""
    if cited.voice == "ours":
        return "document"
    return "bookitem" if cited.words or cited.within else "book"


def highwire(cited: CitedWork) -> tuple[tuple[str, str], ...]:
    """Names and contents of the meta elements that search engines for scholars read."""
    rows = [
        ("citation_title", cited.title),
        ("citation_author", cited.author),
        ("citation_inbook_title", cited.within),
        *(("citation_editor", name) for name in _editors(cited)),
        ("citation_publisher", cited.publisher),
        ("citation_publication_date", cited.year),
        ("citation_language", cited.book.language),
        ("citation_public_url", cited.address),
        ("citation_abstract_html_url", cited.address),
        ("DC.type", "leaflet" if cited.is_print else ""),
        ("DC.rights", cited.rights),
    ]
    return tuple(row for row in rows if row[1])


PLAIN = "text/plain; charset=utf-8"
FORMATS: dict[str, tuple[Callable[[CitedWork], str], str, str, str]] = {
    "txt": (as_text, PLAIN, "Plain text", "txt"),
    "chicago": (as_chicago, PLAIN, "Chicago", "chicago.txt"),
    "mla": (as_mla, PLAIN, "MLA", "mla.txt"),
    "bib": (as_bibtex, "application/x-bibtex; charset=utf-8", "BibTeX", "bib"),
    "ris": (as_ris, "application/x-research-info-systems; charset=utf-8", "RIS", "ris"),
    "json": (as_csl, "application/vnd.citationstyles.csl+json; charset=utf-8", "CSL-JSON", "json"),
}


def citation_context(cited: CitedWork) -> dict[str, object]:
    """The context of a page that offers this citation."""
    return {
        "cited": cited,
        "citation": as_text(cited),
        "coins": coins(cited),
        "formats": [(key, row[2]) for key, row in FORMATS.items()],
    }

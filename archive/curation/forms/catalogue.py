"""Form for the catalogue of a book: answers to its questions; what was not touched stays byte for byte."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from django.http import QueryDict
from django.utils import timezone

import engine
from archive.curation.book_files import CATALOGUE, leaves_in, write_catalogue
from archive.curation.errors import CatalogueError
from archive.curation.forms import fields
from archive.curation.forms.catalogue_fields import MAX_ROWS, NOT_KNOWN, QUESTIONS, RIGHTS_STATEMENTS
from archive.edition import STYLES, Catalogue, CoverLine, Rights, Section, Subject
from archive.text_input import clean_line, clean_text

MIN_YEAR = 1450
COVER_STYLES = tuple(name for name, style in STYLES.items() if not style.furniture and not style.flow)
MAX_LINE = 200
NO_YEAR = "Four digits, such as 1930. Write “the 1930s” under the date in words and leave this empty."
LANGUAGE = re.compile(r"[a-z]{2,3}(-[A-Za-z0-9]{2,8})*")
ADDRESS = re.compile(r"https?://[^\s<>\"]+$")
Pair = tuple[str, str]


@dataclass(frozen=True)
class CatalogueDraft:
    """A catalogue as it is written in the form, right or wrong: `cover` are rows of text and style,
    `sections` rows of anchor and title."""

    answers: Mapping[str, str]
    rights: str = ""
    games: tuple[str, ...] = ()
    cover: tuple[Pair, ...] = ()
    sections: tuple[Pair, ...] = ()


def answers_with_defaults(draft: CatalogueDraft) -> dict[str, str]:
    return {name: draft.answers.get(name) or question.default or "" for name, question in QUESTIONS.items()}


def draft_of(catalogue: Catalogue) -> CatalogueDraft:
    """The catalogue as the form shows it, without the defaults that were written for missing answers."""
    answers = {name: str(getattr(catalogue, name, "") or "") for name in QUESTIONS}
    for name, question in QUESTIONS.items():
        # Of a dated book an empty date in words says the year, so there the words must stay.
        is_written_again = question.default == NOT_KNOWN or (name == "date" and not catalogue.year)
        if is_written_again and answers[name] == NOT_KNOWN:
            answers[name] = ""
    answers |= {"unknown": "\n".join(catalogue.unknown), "reasons": catalogue.rights.reasons}
    answers["subjects"] = "\n".join(f"{one.term} {one.address}".strip() for one in catalogue.subjects)
    return CatalogueDraft(
        answers=answers,
        rights=catalogue.rights.address,
        games=catalogue.games,
        cover=tuple((line.text, line.style) for line in catalogue.cover),
        sections=tuple((section.anchor, section.title) for section in catalogue.sections),
    )


def draft_from(sent: QueryDict) -> CatalogueDraft:
    """The answers that were sent, tidied but not yet checked. A row that was emptied goes."""
    answers = {
        name: clean_text(sent.get(name, "")).strip() if question.is_prose else clean_line(sent.get(name, ""))
        for name, question in QUESTIONS.items()
    }
    return CatalogueDraft(
        answers=answers,
        rights=clean_line(sent.get("rights", "")),
        games=tuple(key for key in engine.GAMES if key in sent.getlist("game")),
        cover=tuple(row for row in _rows(sent, "cover-text", "cover-style") if row[0]),
        sections=tuple(row for row in _rows(sent, "section-anchor", "section-title") if any(row)),
    )


def _rows(sent: QueryDict, one: str, two: str) -> list[Pair]:
    pairs = zip(sent.getlist(one), sent.getlist(two), strict=False)
    return [(clean_line(first), clean_line(second)) for first, second in pairs][: MAX_ROWS + 1]


def moved(draft: CatalogueDraft, index: int, by: int) -> CatalogueDraft:
    """The draft with one line of the cover moved up or down."""
    return replace(draft, cover=tuple(fields.moved(draft.cover, index, by)))


def catalogue_from(draft: CatalogueDraft, anchors: Sequence[str], old: Catalogue | None = None) -> Catalogue:
    """The catalogue a form describes, or CatalogueError. `anchors` are the names of the passages in the order
    of the text; sections follow that order by themselves."""
    faults = {name: fault for name in QUESTIONS if (fault := _fault(name, draft.answers.get(name, "")))}
    faults |= _faults_of_rows(draft, anchors)
    if draft.rights not in RIGHTS_STATEMENTS and (old is None or draft.rights != old.rights.address):
        faults["rights"] = "Choose one of the statements."
    if faults:
        raise CatalogueError(faults)
    answers = answers_with_defaults(draft)
    year = int(answers["year"]) if answers["year"] else None
    same_rights = old is not None and draft.rights == old.rights.address
    label = old.rights.label if old is not None and same_rights else RIGHTS_STATEMENTS[draft.rights]
    order = {anchor: place for place, anchor in enumerate(anchors)}
    return Catalogue(
        title=answers["title"],
        short_title=answers["short_title"],
        maker=answers["maker"],
        place=answers["place"],
        year=year,
        date=answers["date"] or (str(year) if year else NOT_KNOWN),
        copyright=answers["copyright"],
        language=answers["language"],
        players=answers["players"],
        pieces=answers["pieces"],
        games=_games_in_order(draft.games, old),
        blurb=answers["blurb"],
        provenance=answers["provenance"],
        holding=answers["holding"],
        unknown=tuple(line for line in map(clean_line, answers["unknown"].split("\n")) if line),
        cover_leaf=fields.number_from(answers["cover_leaf"], 1),
        rights=Rights(draft.rights, label, answers["reasons"]),
        cover=tuple(CoverLine(text, style) for text, style in draft.cover),
        subjects=tuple(subjects_from(answers["subjects"])),
        sections=tuple(Section(*row) for row in sorted(draft.sections, key=lambda row: order[row[0]])),
    )


def subjects_from(written: str) -> list[Subject]:
    """The subjects of these lines: a term each, and behind it its address, if it has one."""
    found = []
    for line in filter(None, map(clean_line, written.split("\n"))):
        term, _, last = line.rpartition(" ")
        found.append(Subject(term.strip(), last) if ADDRESS.match(last) else Subject(line))
    return found


def _subjects_fault(written: str) -> str:
    subjects = subjects_from(written)
    if len(subjects) > MAX_ROWS:
        return f"At most {MAX_ROWS} subjects."
    for subject in subjects:
        if not subject.term or ADDRESS.match(subject.term):
            return f"Write the term before its address: “Rummy {subject.address or subject.term}”."
        if len(subject.term) > MAX_LINE or len(subject.address) > MAX_LINE:
            return f"“{subject.term[:30]}” is too long: at most {MAX_LINE} letters."
    return ""


def _games_in_order(games: Collection[str], old: Catalogue | None) -> tuple[str, ...]:
    """The games as they were listed before, then new ones: ticking nothing changes nothing."""
    before = [key for key in (old.games if old else ()) if key in games]
    return (*before, *(key for key in games if key not in before))


def is_year(written: str) -> bool:
    return len(written) == 4 and written.isascii() and written.isdecimal()


def _fault(name: str, written: str) -> str:
    question = QUESTIONS[name]
    if not written:
        return "" if question.default is not None else "This needs an answer."
    if name == "year":
        if not is_year(written):
            return NO_YEAR
        latest = timezone.localdate().year
        if not MIN_YEAR <= int(written) <= latest:
            return f"Write the year in four digits, from {MIN_YEAR} to {latest}, or leave it empty."
    if name == "language" and not LANGUAGE.fullmatch(written):
        return "Write the language as a code: en, en-US, de."
    if name == "cover_leaf" and fields.number_from(written, 1) is None:
        return "Write the number of a page, such as 1."
    if name == "subjects" and (fault := _subjects_fault(written)):
        return fault
    if len(written) > question.max_length:
        return f"This is too long: at most {question.max_length} letters, and it has {len(written)}."
    return ""


def _faults_of_rows(draft: CatalogueDraft, anchors: Sequence[str]) -> dict[str, str]:
    faults: dict[str, str] = {}
    for text, style in draft.cover:
        if style not in COVER_STYLES or len(text) > MAX_LINE:
            faults["cover"] = f"Choose how “{text[:30]}” is set; a line has at most {MAX_LINE} letters."
    seen: set[str] = set()
    for anchor, title in draft.sections:
        if anchor not in anchors:
            faults["sections"] = f"No passage is called “{anchor[:60]}”. Choose one from the list."
        elif not title or len(title) > MAX_LINE:
            faults["sections"] = f"Give the section at {anchor} a title of at most {MAX_LINE} letters."
        elif anchor in seen:
            faults["sections"] = f"Two sections begin at {anchor}; remove one."
        seen.add(anchor)
    for name, rows in (("cover", draft.cover), ("sections", draft.sections)):
        if len(rows) > MAX_ROWS:
            faults[name] = f"At most {MAX_ROWS} rows."
    return faults


def with_catalogue(files: Mapping[str, str], catalogue: Catalogue) -> dict[str, str]:
    return {CATALOGUE: write_catalogue(catalogue, leaves_in(files))}


def merged(base: CatalogueDraft, mine: CatalogueDraft, theirs: CatalogueDraft) -> CatalogueDraft:
    """The form after a conflict: what I changed stays mine, everything else is as others have it now."""
    answers = {
        name: mine.answers[name] if mine.answers[name] != base.answers[name] else theirs.answers[name]
        for name in QUESTIONS
    }
    rest = {
        name: getattr(mine if getattr(mine, name) != getattr(base, name) else theirs, name)
        for name in ("rights", "games", "cover", "sections")
    }
    return CatalogueDraft(answers=answers, **rest)

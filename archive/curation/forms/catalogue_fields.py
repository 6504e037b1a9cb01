"""Questions that a catalogue answers, in plain words, with what each answer may be; statements of rights."""

from __future__ import annotations

from dataclasses import dataclass

from archive.rights_statements import RIGHTS_STATEMENTS

__all__ = ["MAX_PROSE", "MAX_ROWS", "NOT_KNOWN", "QUESTIONS", "RIGHTS_STATEMENTS", "Question"]

NOT_KNOWN = "Not known"
MAX_PROSE = 5_000
MAX_ROWS = 40


@dataclass(frozen=True)
class Question:
    """One question. `default` is written where nothing was answered; without it, something must be."""

    name: str
    words: str
    hint: str = ""
    max_length: int = 300
    default: str | None = None
    is_prose: bool = False

    @property
    def rows(self) -> int:
        return 4 if self.is_prose else 1


WHAT = (
    Question("title", "What is its full title?", "As printed on the cover or title page."),
    Question("short_title", "What do people call it?", "For the front page and for headings.", 120),
    Question("maker", "Who made it?", "Left empty, it says “Not known”.", 300, NOT_KNOWN),
    Question("place", "Where was it made?", "Left empty, it says “Not known”.", 200, NOT_KNOWN),
    Question("year", "In which year?", "Four digits. Left empty, the rulebook is shown as undated.", 60, ""),
    Question("date", "The date in words", "Say how sure we are: “1941, probably the second half”.", 200, ""),
    Question("copyright", "Which copyright line is printed on it?", "Empty if there is none.", 500, ""),
    Question("language", "In which language is it?", "As a code: en, en-US, de.", 35, "en"),
    Question(
        "cover_leaf",
        "The scan of which page is its cover on the front page?",
        "The number of the page, usually 1. Left empty, the cover is typeset from the lines below.",
        3,
        "",
    ),
    Question(
        "subjects",
        "What is it about?",
        "A term in each line, with its address in Wikidata, LCSH or BoardGameGeek behind it if you know it.",
        MAX_PROSE,
        "",
        True,
    ),
)
TABLE = (
    Question("players", "How many can play?", "“2 to 4”. Left empty, it says “Not known”.", 300, NOT_KNOWN),
    Question(
        "pieces", "What is it played with?", "Cards, blocks, chips. Left empty, “Not known”.", 500, NOT_KNOWN
    ),
)
TOLD = (
    Question("blurb", "What is it, in two or three sentences?", "In our own words.", MAX_PROSE, None, True),
    Question(
        "provenance",
        "How did it come to us?",
        "Who found or scanned it. Left empty, it says “Not known”.",
        MAX_PROSE,
        NOT_KNOWN,
        True,
    ),
    Question(
        "holding",
        "Who holds a copy?",
        "A library, a collector. Left empty, “Not known”.",
        MAX_PROSE,
        NOT_KNOWN,
        True,
    ),
    Question("unknown", "What do we not know?", "One sentence in each line.", MAX_PROSE, "", True),
)
WHY = Question(
    "reasons", "Why does it hold?", "What was searched, and what was found.", MAX_PROSE, None, True
)
QUESTIONS = {question.name: question for question in (*WHAT, *TABLE, *TOLD, WHY)}

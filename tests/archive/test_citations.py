"""A rule is one thing seen in three places: what the engine cites is in the edition, and the reverse."""

import ast
import re
from pathlib import Path

import pytest

import engine
from archive.models import Note, Passage, PassageName
from archive.reader import passage_scoring
from archive.reader.evidence import evidence_of, lines_of

REQUIRED = {
    "victory-rummy-1942": "score-victory score-grand-victory score-bonus begin-again tally score-capture"
    " score-axis win-500",
    "thumbs-up-1941": "block-values pay-other-colors liberty-against drawing-color winning-hand"
    " last-to-notice five-hands open-length most-chips",
    "rummy-1916": "points-against one-deal-each fewest-wins",
    "rap-rummy-1926": "points-against one-deal-each fewest-wins count-the-rest lowest-wins tie-break"
    " difference failed-rap no-rap most-points",
    "victor-or-victim": "victor-wins victim-out last-standing pass-two acquisition change-direction",
}
"""The anchors of the scoring rules, as games and edition have agreed on them."""

pytestmark = pytest.mark.django_db


@pytest.fixture
def names(loaded):
    return {f"{book}/{name}" for book, name in PassageName.objects.values_list("book__slug", "name")}


def written_citations():
    """Every anchor written in a call of `cite(…)` in the engine, by file."""
    for path in sorted(Path(engine.__file__).parent.rglob("*.py")):
        for call in ast.walk(ast.parse(path.read_text())):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") == "cite":
                for word in call.args:
                    if isinstance(word, ast.Constant):
                        yield path.stem, word.value


def books_of(stem):
    """The books a file of the engine cites: a game's own, or those of all games that share the file."""
    module = stem.replace("_", "-")
    own = {game.book for key, game in engine.GAMES.items() if key == module}
    return own or {"rummy-1916", "rap-rummy-1926"}


def test_every_citation_the_engine_emits_leads_to_a_passage(names):
    cited = set(passage_scoring.by_passage())
    assert len(cited) > 40
    assert cited - names == set()


def test_every_citation_written_in_the_engine_leads_to_a_passage(names):
    written = {f"{book}/{anchor}" for stem, anchor in written_citations() for book in books_of(stem)}
    assert len(written) > 50
    assert written - names == set()


@pytest.mark.parametrize("book", REQUIRED)
def test_every_scoring_passage_is_in_the_edition_and_something_cites_it(names, book):
    for anchor in REQUIRED[book].split():
        assert f"{book}/{anchor}" in names
        assert passage_scoring.by_passage().get(f"{book}/{anchor}"), f"nothing cites {book}/{anchor}"


def test_every_option_that_is_read_differently_has_its_note(names):
    noted = set(Note.objects.exclude(option="").values_list("option", flat=True))
    read = {f"{game.key}/{option.key}" for game in engine.GAMES.values() for option in game.options}
    assert noted - read == set()
    graded = {
        f"{game.key}/{option.key}"
        for game in engine.GAMES.values()
        for option in game.options
        if option.authority in ("reading", "sample")
    }
    assert graded - noted == set()


def test_note_and_option_name_the_same_authority(names):
    options = {
        f"{game.key}/{option.key}": option for game in engine.GAMES.values() for option in game.options
    }
    for note in Note.objects.exclude(option=""):
        assert note.authority == options[note.option].authority, note.slug


def test_every_quote_of_a_note_is_found_in_its_passage(names):
    quoted = list(Note.objects.exclude(quote="").select_related("passage"))
    assert len(quoted) > 60
    for note in quoted:
        text = note.passage.printed if note.layer == "printed" else note.passage.reading
        wanted = "".join(f"{note.prefix}{note.quote}{note.suffix}".split())
        assert wanted in "".join(text.split()), note.slug


def test_a_passage_is_found_by_each_of_its_names(names):
    for passage in Passage.objects.select_related("book"):
        for name in (*passage.anchors, *passage.aliases):
            assert Passage.objects.named(passage.book.slug, name).get() == passage


KNOWN_GRADES = {
    "victory-rummy-1942/score-capture": "text",
    "victory-rummy-1942/score-bonus": "reading",
    "victory-rummy-1942/a-victory": "supplied",
    "victory-rummy-1942/ten-or-five": "supplied",
    "victory-rummy-1942/sign-bonus": "supplied",
    "victory-rummy-1942/sample-score": "supplied",
    "victory-rummy-1942/sign-red": "corrected",
    "victory-rummy-1942/pick-discard": "corrected",
    "victory-rummy-1942/winning-the-game": "heading",
    "victory-rummy-1942/stamp-agca": "stamp",
    "victory-rummy-1942/blank-pad": "ours",
    "thumbs-up-1941/equipment": "supplied",
    "thumbs-up-1941/block-values": "text",
    "rap-rummy-1926/rap-heading": "lost",
    "rap-rummy-1926/slip": "slip",
    "rap-rummy-1926/order-fixed": "corrected",
    "rap-rummy-1926/difference": "sample",
    "victor-or-victim/victor-wins": "ours",
}


def test_every_statement_about_history_names_its_source(names, client):
    notes = list(Note.objects.filter(kind="history").select_related("book"))
    assert len(notes) >= 8
    page = client.get("/sources/").content.decode()
    for note in notes:
        assert note.sources, note.slug
        for key in note.sources:
            assert f'id="{note.book.slug}.{key}"' in page
        shown = client.get(note.passage.get_absolute_url()).content.decode()
        assert f'href="/sources/#{note.book.slug}.{note.sources[0]}"' in shown
    assert page.count("Not looked up.") > 5 and "Looked up." in page
    told = client.get("/books/rummy-1916/book.json").json()
    assert told["sources"][0]["title"] == "Cooncan (Conquián): a game of cards also called Rum"
    assert next(note for note in told["notes"] if note["id"] == "cooncan")["sources"] == [
        "foster-1913",
        "conquian",
    ]
    tei = client.get("/books/rummy-1916/tei.xml").content.decode()
    assert 'xml:id="source.foster-1913"' in tei and 'target="#source.foster-1913"' in tei


def test_a_quoted_table_keeps_its_empty_cells_and_examples_play_by_the_defaults(names, client):
    quoted = client.get("/books/victory-rummy-1942/passages/sample-score/?fragment").content.decode()
    assert '<td colspan="1"></td>' in quoted and quoted.count("<tr>") == 14
    wins = client.get("/books/victory-rummy-1942/passages/win-500/").content.decode()
    assert "is the first to score 500." in wins and "score 20" not in wins
    said = client.get("/books/victory-rummy-1942/passages/five-hundred/").content.decode()
    assert "How many points win the game?" in said and "Not used in scoring" not in said


def grades():
    for passage in Passage.objects.select_related("book").prefetch_related("notes"):
        evidence = evidence_of(passage, lines_of(passage), list(passage.notes.all()))
        yield f"{passage.book.slug}/{passage.anchor}", passage, evidence


def test_no_passage_claims_more_than_its_words_carry(names):
    seen = {}
    for name, passage, evidence in grades():
        seen[name] = evidence.grade
        ours = re.findall(r"⟨([^⟩]*)⟩", passage.reading)
        plain = evidence.grade in ("text", "reading", "sample", "heading")
        if any(re.search(r"[\w…]", words) for words in ours) or passage.kind != "text":
            assert evidence.grade not in ("text", "reading", "sample", "heading", "corrected"), name
            assert "stated in the text" not in evidence.words, name
        elif plain:
            folded = [" ".join(text.replace("- ", "").split()) for text in (passage.printed, passage.reading)]
            omits = passage.printed != passage.reading and len(folded[0]) > len(folded[1])
            assert folded[0] == folded[1] or omits, name
    assert len(seen) > 150
    assert {name: seen[name] for name in KNOWN_GRADES} == KNOWN_GRADES


@pytest.mark.parametrize(
    "name", ["victory-rummy-1942/ten-or-five", "rap-rummy-1926/slip", "rap-rummy-1926/rap-heading"]
)
def test_the_page_of_a_passage_shows_its_label(names, client, name):
    book, anchor = name.split("/")
    html = client.get(f"/books/{book}/passages/{anchor}/?fragment").content.decode()
    assert f'">{KNOWN_GRADES[name]}</span>' in html
    assert "stated in the text" not in html

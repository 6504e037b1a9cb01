"""Plain words: sentences that people read use the terms they know, and none of those we have dropped."""

import ast
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGES = (
    "archive", "config", "engine", "home", "lab", "ops", "people", "phone", "ratelimit", "scorepad",
)  # fmt: skip
BOOKS = sorted((ROOT / "fixtures" / "books").iterdir())
DROPPED = (
    "What is whose", "Cite and take away", "Leaf before", "Leaf after", "Kitchen at night",
    "Mend the text", "What scores by this sentence", "It is here to be read", "Lines it awards",
    "Options that read it", "Variants that rest on it", "It rests on", "golden sheets", "Both layers",
    "nothing was mended", "Its name is", "This address stays", "In the whole book",
    "How sure we are that a page begins", "What the signs mean", "a sentence says it",
    "can be read otherwise", "only a worked example", "the book is silent", "Every state that was",
    "Loaded from the folder", "The best 30 places", "None has all of your words", "in the open",
    "lay the phone among", "silent where it hurts", "told to programs too", "letters and figures",
    "Do the losers' columns shrink", "of how many?", "How often does each player deal", "Rummy, Parker",
    "Rummy, United", "(ours)", "Nothing on the shelf", "Bring it in", "Take it away", "Propose anew",
    "This is no ", "How many pages has", "begin it with a line end", "more than its days old",
    "Six figures", "Present password", "wider than high", "Not told", "Who plays so", "Everything (json)",
    "an English ear", "What is refused", "Nothing has “", "came since; ", "Bring it back", "Bring them over",
)  # fmt: skip
PRIVATE = re.compile(
    r"\b(leaf|leaves of|mend|mended|mends|keepers?|facsimiles?|the shelf|leaflets?|booklets?|whoever"
    r"|nought)\b",
    re.I,
)
KINDS_OF_PRINT = (
    "Leaflet with the rules of a game",
    "did renew leaflets",
    "Victor or Victim?, leaflet",
)
"""Where a leaflet is a kind of print, as libraries and registers say it."""
NOT_OURS = {
    "sources",
    "cites",
    "id",
    "kind",
    "slug",
    "key",
    "anchor",
    "quote",
    "prefix",
    "suffix",
    "here",
    "there",
    "leaf",
    "region",
}
"""Answers of a book's tables that are names, or words of the print."""
TOKENS = re.compile(r"\{%.*?%\}|\{\{.*?\}\}|\{#.*?#\}", re.S)
SPOKEN = re.compile(r'(?:aria-label|title|alt|placeholder|content)="([^"]*)"')
STYLE_GUIDE = {"style.html", "_style_parts.html"}


def words_of_template(text):
    """What a browser shows or speaks of a template, without what is filled in."""
    text = TOKENS.sub(" ", text)
    return " ".join(
        re.sub(r"<[^<>]*>", lambda tag: " ".join(["", *SPOKEN.findall(tag[0]), ""]), text).split()
    )


def sentences_of_module(text):
    """Texts of a module that have a space and begin like a sentence, filled-in or not; its docstrings are for
    developers."""
    tree = ast.parse(text)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    pieces = {
        id(piece) for node in ast.walk(tree) if isinstance(node, ast.JoinedStr) for piece in node.values
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.JoinedStr):
            said = "".join(
                str(piece.value) if isinstance(piece, ast.Constant) else "…" for piece in node.values
            )
        elif (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str)
            and not {id(node)} & (docs | pieces)
        ):
            said = node.value
        else:
            continue
        if re.match(r"(?:[A-Z]\S*|…) \S", said):
            yield " ".join(said.split())


def sentences_of_script(text):
    """Texts of a script in quotation marks that begin like a sentence."""
    for said in re.findall(r"""(["'`])((?:(?!\1)[^\\\n]|\\.)*)\1""", text):
        if re.match(r"[A-Z]\S* \S", said[1]):
            yield re.sub(r"\$\{.*?\}", "…", said[1])


def sentences_of_table(value):
    """Every text in a table of TOML that is written by an editor for readers; names and keys are not."""
    if isinstance(value, str):
        yield " ".join(value.split())
    elif isinstance(value, list):
        yield from (said for inner in value for said in sentences_of_table(inner))
    elif isinstance(value, dict):
        yield from (
            said for key, inner in value.items() if key not in NOT_OURS for said in sentences_of_table(inner)
        )


def our_words(text):
    """The facts of a rulebook in our own words, without the marks of their passages."""
    return re.sub(r"\{#.*?\}", "", text.partition("=== ours ===")[2].partition("\n===")[0])


def faults(words):
    for kind in KINDS_OF_PRINT:
        words = words.replace(kind, "")
    return [phrase for phrase in DROPPED if phrase in words] + PRIVATE.findall(words)


def test_templates_speak_plainly():
    found = {
        path.relative_to(ROOT).as_posix(): wrong
        for path in (ROOT / "templates").rglob("*.html")
        if path.name not in STYLE_GUIDE and (wrong := faults(words_of_template(path.read_text())))
    }
    assert not found


@pytest.mark.parametrize("package", PACKAGES)
def test_refusals_labels_and_commands_speak_plainly(package):
    found = [
        (path.relative_to(ROOT).as_posix(), wrong, said)
        for path in (ROOT / package).rglob("*.py")
        if "migrations" not in path.parts
        for said in sentences_of_module(path.read_text())
        if (wrong := faults(said))
    ]
    assert not found


@pytest.mark.parametrize("folder", BOOKS, ids=lambda folder: folder.name)
def test_notes_variants_and_catalogues_speak_plainly(folder):
    said = [
        words
        for file in folder.glob("*.toml")
        for words in sentences_of_table(tomllib.loads(file.read_text()))
    ]
    said.append(our_words((folder / "text.txt").read_text()))
    assert [(wrong, words) for words in said if (wrong := faults(words))] == []


def test_scripts_speak_plainly():
    found = [
        (path.name, wrong, said)
        for path in (ROOT / "static" / "js").rglob("*.js")
        for said in sentences_of_script(path.read_text())
        if (wrong := faults(said))
    ]
    assert not found


def test_what_is_filled_in_is_not_judged_and_what_is_spoken_is():
    assert (
        words_of_template('{{ leaf }}<a class="leaf" href="/mend/" title="Edit">Page {# leaf #}</a>')
        == "Edit Page"
    )
    assert faults("Mend the text of this leaf") == ["Mend the text", "Mend", "leaf"]
    assert [*sentences_of_module('x = f"Page {leaf} of the leaf"; y = "leaf 3"')] == ["Page … of the leaf"]
    assert [*sentences_of_script("say(`Leaf ${n} is here`, 'no-leaf')")] == ["Leaf … is here"]
    assert [*sentences_of_table({"id": "leaf", "line": [{"text": "The\nleaf"}]})] == ["The leaf"]

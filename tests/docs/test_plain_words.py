"""Plain words: sentences that people read use the terms they know, and none of those we have dropped."""

import ast
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent.parent
PACKAGES = ("archive", "config", "engine", "home", "lab", "ops", "people", "scorepad")
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
    "Six figures", "Present password", "wider than high",
)  # fmt: skip
PRIVATE = re.compile(r"\b(leaf|leaves of|mend|mended|mends|keepers?|facsimiles?|the shelf)\b", re.I)
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
    """Texts of a module that have a space and begin like a sentence; its docstrings are for developers."""
    tree = ast.parse(text)
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        is_text = isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs
        if is_text and re.match(r"[A-Z]\S* \S", node.value):
            yield " ".join(node.value.split())


def faults(words):
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


def test_what_is_filled_in_is_not_judged_and_what_is_spoken_is():
    assert (
        words_of_template('{{ leaf }}<a class="leaf" href="/mend/" title="Edit">Page {# leaf #}</a>')
        == "Edit Page"
    )
    assert faults("Mend the text of this leaf") == ["Mend the text", "Mend", "leaf"]

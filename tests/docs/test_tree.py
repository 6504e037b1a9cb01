"""The tree keeps its promises: files are called by nouns, each name is in one place, functions stay short."""

import ast
import collections
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGES = ("archive", "config", "engine", "home", "lab", "ops", "people", "phone", "ratelimit", "scorepad")
PRODUCT = sorted(
    path for name in PACKAGES for path in (ROOT / name).rglob("*.py") if "migrations" not in path.parts
)
TESTS = sorted((ROOT / "tests").rglob("*.py"))
NOUNS_IN_ING = {"box_tracking", "evening", "proofreading", "scoring"}
"""Words that end like a verb and are the names people know."""

DJANGO = {"apps", "asgi", "base", "errors", "forms", "limits", "middleware", "models", "permissions", "urls"}
DJANGO |= {"__main__", "settings", "validators", "views"}
"""Every package of Django may have these."""

ROLES = {"views", "forms", "models", "commands", "presentation", "templatetags"}
"""A folder for one side of things: a file there has the name of what it is that side of."""

SAME_NAME = {
    "archive": "the archive's template tags, and its part of the OpenAPI description",
    "cache": "a bounded cache for all, and the replays the ledger remembers",
    "clubs": "the clubs, and their part of the OpenAPI description",
    "content": "what an offprint has, and what the kit of the phone has",
    "fields": "the fields of an entry, and of a curator's forms",
    "history": "the history of a book, and of a pad",
    "notes": "a note on a page, and in TEI",
    "pads": "the pads, and their part of the OpenAPI description",
    "questions": "open questions of a book, and questions for the parts of an entry",
    "rummy": "what several games share, in the engine and in their layouts",
}
"""Names in several packages, with the reason. A game's file and its layout have the game's name."""


def of_root(path):
    return path.relative_to(ROOT).as_posix()


def functions(path):
    tree = ast.parse(path.read_text())
    return [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)]


def test_no_file_is_called_by_a_verb():
    found = {path.stem.removeprefix("test_") for path in [*PRODUCT, *TESTS] if path.stem.endswith("ing")}
    assert {name for name in found if not any(name.endswith(noun) for noun in NOUNS_IN_ING)} == set()


def is_one_thing(paths):
    """The same thing in other roles: within one package, and at most once outside the folders of roles."""
    outside = [path for path in paths if path.parent.name not in ROLES]
    return len({path.relative_to(ROOT).parts[0] for path in paths}) == 1 and len(outside) <= 1


def test_a_name_stands_in_one_package_but_for_its_roles():
    places = collections.defaultdict(list)
    for path in PRODUCT:
        places[path.stem].append(path)
    games = {path.stem for path in (ROOT / "engine" / "games").glob("*.py")}
    several = {name for name, paths in places.items() if len(paths) > 1 and not is_one_thing(paths)}
    assert several - DJANGO - games - SAME_NAME.keys() == set()
    assert SAME_NAME.keys() - several == set(), "what is excused is there"


@pytest.mark.parametrize("package", PACKAGES)
def test_no_function_is_longer_than_a_screen(package):
    for path in PRODUCT:
        if of_root(path).startswith(f"{package}/"):
            lengths = {node.name: node.end_lineno - node.lineno + 1 for node in functions(path)}
            assert {name for name, length in lengths.items() if length > 60} == set(), of_root(path)


@pytest.mark.parametrize("folder", ["static/css", "static/js", "templates"])
def test_no_line_is_longer_than_a_reader_takes_in(folder):
    for path in sorted(
        path for path in (ROOT / folder).rglob("*") if path.suffix in {".css", ".html", ".js"}
    ):
        assert [n for n, line in enumerate(path.read_text().splitlines(), 1) if len(line) > 140] == [], (
            path.name
        )


@pytest.mark.parametrize("package", PACKAGES)
def test_a_module_says_what_it_is_and_not_what_somebody_does_with_it(package):
    """The first word of its docstring is a noun or a verb."""
    for path in PRODUCT:
        words = (ast.get_docstring(ast.parse(path.read_text())) or "The").split()
        if of_root(path).startswith(f"{package}/"):
            assert words[0] not in {"What", "Whether", "Who", "Whoever", "Where"}, of_root(path)


def rooms(init):
    """The modules and packages beside an `__init__`, but for games and names of Django's."""
    folder = init.parent
    inner = {path.stem for path in folder.glob("*.py")}
    inner |= {path.parent.name for path in folder.glob("*/__init__.py")}
    games = {path.stem for path in (ROOT / "engine" / "games").glob("*.py")}
    return inner - DJANGO - games - {"__init__", "migrations", "management", "templatetags"}


def lists_its_rooms(init):
    return len(rooms(init)) > 2 and "\n" in (ast.get_docstring(ast.parse(init.read_text())) or "")


def test_a_package_that_lists_its_modules_lists_all_of_them():
    """Where a docstring says more than one sentence, a stranger looks there for the room."""
    listing = [path for path in PRODUCT if path.name == "__init__.py" and lists_its_rooms(path)]
    assert len(listing) > 20
    for init in listing:
        named = set(re.findall(r"\w+", ast.get_docstring(ast.parse(init.read_text()))))
        assert rooms(init) - named == set(), of_root(init)

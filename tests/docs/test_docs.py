"""What the documents say is true: commands are run, named files exist, a game is only where they say."""

import ast
import doctest
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

import engine
from tests.docs.test_tree import PACKAGES

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])


def shell_sessions(text):
    """Each command of a console block with what it prints: `$ ` begins a command, `> ` goes on with it."""
    for block in re.findall(r"```console\n(.*?)```", text, re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            lines = part.splitlines()
            command = [lines[0], *(line[2:] for line in lines[1:] if line.startswith("> "))]
            yield "\n".join(command), "\n".join(line for line in lines[1:] if not line.startswith("> "))


def test_the_hand_scored_in_the_readme_scores_so():
    sessions = list(shell_sessions((ROOT / "README.md").read_text()))
    assert sessions
    for command, printed in sessions:
        run = subprocess.run(["bash", "-c", command], cwd=ROOT, capture_output=True, text=True, timeout=30)
        assert run.stdout.strip("\n") == printed.strip("\n")


def test_the_library_in_the_readme_answers_so():
    blocks = re.findall(r"```pycon\n(.*?)```", (ROOT / "README.md").read_text(), re.S)
    assert blocks
    test = doctest.DocTestParser().get_doctest("\n".join(blocks), {}, "README", "README.md", 0)
    report = []
    doctest.DocTestRunner().run(test, out=report.append)
    assert not report, "".join(report)


def test_the_engine_shows_itself_truly():
    assert doctest.testmod(engine) == (0, doctest.testmod(engine).attempted)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_names_only_files_and_commands_that_exist(document):
    text = document.read_text()
    for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", text):
        assert (document.parent / target).exists(), target
    makefile = (ROOT / "Makefile").read_text()
    for target in re.findall(r"\bmake ([a-z][\w-]*)", "\n".join(re.findall(r"`+[^`]+`+", text))):
        assert re.search(rf"^{target}:", makefile, re.M), f"make {target}"


SUFFIXES = "py|js|mjs|html|css|toml|conf|target"
FILE_ENDINGS = {*SUFFIXES.split("|"), "csv", "json", "lock", "md", "txt"}
ELSEWHERE = ("/", "http", "var/")
"""Addresses, files of the machine and files made at run time are not in the tree."""


@cache
def tree():
    """Every file of the project by its path, and the folders they are in."""
    folders = [
        ROOT / name for name in (*PACKAGES, "deploy", "docs", "fixtures", "static", "templates", "tests")
    ]
    files = [path for folder in folders for path in folder.rglob("*") if "__pycache__" not in path.parts]
    paths = [path.relative_to(ROOT) for path in [*files, *ROOT.glob("*")] if path.is_file()]
    return {path.as_posix() for path in paths}, {
        folder.as_posix() for path in paths for folder in path.parents
    }


def is_in_the_tree(name):
    """A document may leave out the first folders of a path: they are in its sentence."""
    files, _ = tree()
    return name in files or any(file.endswith(f"/{name}") for file in files)


@cache
def names_of(module):
    """The names that a module, or the `__init__` of a package, defines or imports."""
    files, folders = tree()
    [file] = [path for path in (f"{module}.py", f"{module}/__init__.py") if path in files] or [None]
    if file is None:
        return None
    found = {Path(path).stem for path in files if Path(path).parent.as_posix() == module}
    found |= {Path(path).name for path in folders if Path(path).parent.as_posix() == module}
    for node in ast.walk(ast.parse((ROOT / file).read_text())):
        if isinstance(node, ast.FunctionDef | ast.ClassDef):
            found.add(node.name)
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        elif isinstance(node, ast.ImportFrom):
            found |= {alias.asname or alias.name for alias in node.names}
    return found


def modules_called(dotted):
    """The modules that `align` of `alignment.align` may be in: documents leave out the packages before it."""
    files, _ = tree()
    path = dotted.replace(".", "/")
    ends = (f"{path}.py", f"{path}/__init__.py")
    return [
        file.removesuffix(".py").removesuffix("/__init__")
        for file in files
        if file in ends or any(file.endswith(f"/{end}") for end in ends)
    ]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_a_document_names_only_modules_and_functions_of_today(document):
    if document.name == "CHANGELOG.md":
        pytest.skip("it tells what was")
    _, folders = tree()
    for code in re.findall(r"`([^`\n]+)`", document.read_text()):
        for name in re.findall(rf"(?<![\w@./<>-])[\w@.-]+(?:/[\w@.-]+)*\.(?:{SUFFIXES})\b", code):
            assert is_in_the_tree(name) or name.startswith(ELSEWHERE), name
        if re.fullmatch(rf"(?:{'|'.join(PACKAGES)})(?:/\w+)+/?", code):
            assert code.rstrip("/") in folders, code
        dotted = re.fullmatch(r"([a-z]\w*(?:\.[a-z_]\w*)*)\.(\w+)(?:\([\w, ]*\))?", code)
        if dotted and dotted[2] not in FILE_ENDINGS and (modules := modules_called(dotted[1])):
            assert any(dotted[2] in names_of(module) for module in modules), code


def test_a_name_of_yesterday_would_be_noticed():
    assert not is_in_the_tree("layouts/symbols.py")
    assert "align" in names_of("archive/ocr/alignment")
    assert "aligning" not in names_of("archive/ocr")


def test_settings_named_in_the_documents_are_read_by_the_site_or_by_make():
    read = "".join((ROOT / "config" / name).read_text() for name in ("settings.py", "environment.py"))
    makefile = (ROOT / "Makefile").read_text()
    for document in DOCUMENTS:
        for name in re.findall(
            r"\b([A-Z][A-Z_]{3,})=", "\n".join(re.findall(r"`+[^`]+`+", document.read_text()))
        ):
            assert f'"{name}"' in read or f"{name}=" in makefile, f"{document.name}: {name}"


def files_of(game):
    return {
        f"engine/games/{game.key.replace('-', '_')}.py",
        f"fixtures/books/{game.book}/book.toml",
        f"fixtures/sheets/{game.key}.json",
    }


@pytest.mark.parametrize("game", engine.GAMES.values(), ids=lambda game: game.key)
def test_a_game_is_in_the_files_that_contributing_names(game):
    for file in files_of(game):
        assert (ROOT / file).exists(), file


@pytest.mark.parametrize("game", engine.GAMES.values(), ids=lambda game: game.key)
def test_no_other_python_file_knows_a_game_by_its_key(game):
    """Else a seventh game would touch more than CONTRIBUTING says. It allows for a pad of its own."""
    own = files_of(game)
    for path in [*ROOT.glob("engine/**/*.py"), *ROOT.glob("archive/**/*.py"), *ROOT.glob("config/**/*.py")]:
        name = path.relative_to(ROOT).as_posix()
        if name in own or game.key == game.book:
            continue
        code = re.sub(r'""".*?"""', "", path.read_text(), flags=re.S)
        assert not re.search(rf"[\"']{game.key}[\"']", code), name


def test_a_seventh_game_is_offered_everywhere_once_it_is_registered(client, db, monkeypatch):
    seventh = engine.GAMES["rummy-1916"]._replace(key="seventh", title="A seventh game")
    monkeypatch.setitem(engine.GAMES, seventh.key, seventh)
    page = client.get("/").content.decode()
    assert "A seventh game" in page
    assert "/pads/new/?game=seventh" in page

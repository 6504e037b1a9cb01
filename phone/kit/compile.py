"""Compilation of the program, run by the very Python that will read it: Pyodide, under Node.

What is compiled is what is needed: our own packages whole, and of Django and the standard library the modules
that were imported when every game was begun and every page asked for once. `build.mjs` runs this file with
/src, /packages and /out mounted.
"""

import _imp
import importlib._bootstrap_external as external
import importlib.util
import json
import os
import sys
import zipfile
from pathlib import Path
from types import CodeType
from urllib.parse import urlencode

SOURCES, PACKAGES, OUT = Path("/src"), Path("/packages"), Path("/out")
STANDARD = "/lib/python314.zip"
LEFT_OUT = (
    "phone/kit/",
    "phone/site/",
    "scorepad/management/",
    "scorepad/migrations/",
    *(f"scorepad/result_pictures/{name}.py" for name in ("card_cache", "result_png", "typefaces")),
)
OURS = ("engine", "phone", "ratelimit", "scorepad")
NEEDED_LATE = (
    *("encodings", "encodings.ascii", "encodings.latin_1", "encodings.idna", "encodings.cp437"),
    *(
        "encodings.utf_8_sig",
        "linecache",
        "traceback",
        "tokenize",
        "token",
        "textwrap",
        "_colorize",
        "codeop",
    ),
    *("html.entities", "zoneinfo", "zoneinfo._common", "importlib.resources", "importlib.readers"),
)
"""Modules that are imported when something goes wrong, or before any trace of it."""
FORM = {"content-type": "application/x-www-form-urlencoded"}


def rehearse() -> None:
    """Ask for every kind of page once, so that whatever they import is imported."""
    import engine
    from phone import application

    nothing: dict[str, object] = {"version": "", "static": {}, "variants": {}, "games": {}}
    application.start(json.dumps({**nothing, "briefs": {}, "passages": {}, "declared": []}))
    from phone import pad_records

    for key, game in engine.GAMES.items():
        names = [("name", name) for name in ("Ada", "Ben", "Cy", "Di")[: game.seats[1]]]
        application.answer("GET", f"/pads/here-new/?game={key}", {})
        sent = urlencode([("game", key), *names]).encode()
        begun = application.answer("POST", "/pads/here-new/", FORM, sent)
        path, held = dict(begun.headers)["Location"], _held(begun.cookies)
        pages = ("", "fragment/", "help/", "table/", "history/", "after/", "print/", "board/", "code/")
        files = ("pad.json", "sheet.csv", "log.json", "result.json", "about.json", "play.json")
        for page in (*pages, *files):
            application.answer("GET", path + page, held)
        tap = urlencode({"enter": json.dumps({"type": next(iter(game.entries)).key})}).encode()
        application.answer("POST", f"{path}tap/", {**FORM, **held, "accept": "text/vnd.pad"}, tap)
        application.answer("POST", f"{path}rematch/", {**FORM, **held}, b"")
        code = path.split("/")[2]
        pad_records.restore(code, pad_records.record(code))
    for path in ("/pads/here/", "/pads/here-away/", "/nowhere/", "/pads/samples/", "/pads/import/"):
        application.answer("GET", path, {})


def _held(cookies: dict[str, str]) -> dict[str, str]:
    return {"cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}


def compiled(source: bytes, name: str, *, lines: bool = False) -> bytes:
    """A module as Python keeps it. Numbers of lines, for reports of errors, are kept of our own alone."""
    code = compile(source, name, "exec", dont_inherit=True, optimize=2)
    if not lines:
        code = _without_lines(code)
    return bytes(external._code_to_hash_pyc(code, importlib.util.source_hash(source), checked=False))


def _without_lines(code: CodeType) -> CodeType:
    parts = [_without_lines(part) if isinstance(part, CodeType) else part for part in code.co_consts]
    return code.replace(co_linetable=b"", co_consts=tuple(parts))


def standard_library(names: set[str]) -> dict[str, bytes]:
    found = {}
    with zipfile.ZipFile(STANDARD) as library:
        there = set(library.namelist())
        for name in names:
            path = name.replace(".", "/")
            for file in (f"{path}.py", f"{path}/__init__.py"):
                if file in there:
                    found[f"{file}c"] = compiled(library.read(file), file)
        for file in there:
            if file.startswith(("pyodide/", "_pyodide/")) and file.endswith(".py"):
                found[f"{file}c"] = compiled(library.read(file), file)
    return found


def program(files: set[Path]) -> dict[str, bytes]:
    found = {}
    for file in files:
        root = PACKAGES if file.is_relative_to(PACKAGES) else SOURCES
        name = str(file.relative_to(root))
        if not name.startswith(LEFT_OUT):
            found[f"{name}c"] = compiled(file.read_bytes(), name, lines=root == SOURCES)
    return found


def needed_files() -> set[Path]:
    """The files of every module that was imported outside the standard library, and all of our own."""
    files = {Path(str(getattr(module, "__file__", None) or "")) for module in [*sys.modules.values()]}
    found = {file for file in files if file.is_relative_to(PACKAGES) or file.is_relative_to(SOURCES)}
    for package in OURS:
        found.update((SOURCES / package).rglob("*.py"))
    found |= {
        folder / "__init__.py"
        for file in found
        for folder in file.parents
        if (folder / "__init__.py").is_file()
    }
    return {file for file in found if file.suffix == ".py"}


def write(name: str, entries: dict[str, bytes]) -> None:
    """A zip without compression: what carries it compresses it whole, and better. The same files give the
    same bytes."""
    with zipfile.ZipFile(OUT / name, "w", zipfile.ZIP_STORED) as made:
        for path, data in sorted(entries.items()):
            made.writestr(zipfile.ZipInfo(path, (2026, 1, 1, 0, 0, 0)), data)


def main() -> None:
    before = set(sys.modules)
    os.environ["PHONE_HOME"] = str(SOURCES)
    sys.path[:0] = [str(SOURCES), str(PACKAGES)]
    sys.dont_write_bytecode = True
    rehearse()
    standard = {name for name, module in sys.modules.items() if _is_standard(module)}
    # Some are inside the interpreter itself.
    frozen = {name for name in sys.modules if _imp.is_frozen(name)}
    write("library.zip", standard_library((standard | before | set(NEEDED_LATE)) - frozen))
    write("program.zip", program(needed_files()))


def _is_standard(module: object) -> bool:
    return str(getattr(module, "__file__", None) or "").startswith(STANDARD)


main()

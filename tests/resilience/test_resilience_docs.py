"""docs/resilience.md names checks that are there, and every check of a promise is named in it."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT, MEASURED = (ROOT / "docs" / "resilience.md").read_text().split("\n## Measured\n")


def rows():
    """The rows of the tables of promises, without their heads."""
    lines = [line.strip("|").split("|") for line in TEXT.splitlines() if line.startswith("| ")]
    return [[cell.strip() for cell in cells] for cells in lines if cells[0].strip() != "promise"]


def named():
    """Every check that a row names; a name without a folder is in the folder of the one before it."""
    for row in rows():
        folder = ROOT
        for name in row[-1].split(", "):
            path = ROOT / name if "/" in name else folder / name
            folder = path.parent
            yield path


def test_every_check_that_is_named_is_there():
    assert [path for path in named() if not path.exists()] == []


def test_every_promise_has_a_figure_a_control_and_a_check():
    assert len(rows()) > 15
    for row in rows():
        assert len(row) == 5 and row[0] and row[3] and row[4] and (row[1] or row[2]), row


def test_every_check_of_a_promise_is_named():
    here = {
        path for path in (ROOT / "tests" / "resilience").glob("test_*.py") if path.name != Path(__file__).name
    }
    assert here <= set(named())


def test_the_variables_that_set_a_figure_are_read_where_it_is_checked():
    for row in rows():
        for names in re.findall(r"\(([A-Z, ]{4,})\)", row[2]):
            check = (ROOT / row[-1].split(", ")[0]).read_text()
            assert all(f'"{name}"' in check for name in names.split(", ")), row[-1]


def test_what_was_measured_has_its_figure():
    lines = [line for line in MEASURED.splitlines() if line.startswith("| ")][1:]
    assert len(lines) > 5
    assert all(re.search(r"\d", line) for line in lines)

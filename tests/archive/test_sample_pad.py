"""The sample pad of 1942: the text prints what the enumeration decides, and nothing more."""

from pathlib import Path

from archive.edition import read_book
from archive.sample_pad import COLUMNS, completions, reconstruct_all

BOOK = read_book(Path(__file__).parents[2] / "fixtures" / "books" / "victory-rummy-1942")


def table():
    """The cells of the reading text, as runs, and the place of the tally among the rows."""
    rows = [line for line in BOOK.passage("sample-score").lines if line.layer == "reading"]
    return [line.cells for line in rows], [line.style for line in rows].index("tally")


def printed(cell):
    """What a cell has, what it supplies, and whether it is left open."""
    plain = "".join(run.printed for run in cell).strip()
    supplied = any(run.kind == "supplied" for run in cell)
    return (
        "".join(run.words for run in cell).strip() if supplied else plain,
        supplied,
        any(run.kind == "lacuna" for run in cell),
    )


def check(cell, ways, in_file):
    text, supplied, gap = printed(cell)
    if gap:
        assert len(ways) > 1, "a gap where everything is decided"
    elif supplied:
        assert {str(way) for way in ways} == {text}, "supplied, but not decided"
    else:
        assert text in {str(way) for way in ways} and text in in_file
        assert len(ways) == 1 or not text.isdigit(), "a figure that is not decided"


def test_the_reading_text_has_what_all_cheapest_completions_agree_on():
    rows, tally = table()
    columns, _, _ = reconstruct_all()
    for number, found in enumerate(columns):
        cells = [(row[2 * number], row[2 * number + 1]) for row in rows]
        entries = [pair for place, pair in enumerate(cells) if place != tally and any(pair)]
        assert len(entries) == len(found.figures)
        figures = {str(figure) for half in (found.column.above, found.column.below) for figure in half[0]}
        signs = set(found.column.above[1] + found.column.below[1])
        for (score, sign), may_score, may_sign in zip(entries, found.figures, found.signs, strict=True):
            check(score, may_score, figures)
            check(sign, may_sign, signs)
        check(cells[tally][0], set(found.sums), figures)


def test_the_counts_that_the_notes_give_come_out_again():
    columns, moved, counts = reconstruct_all()
    assert [(found.cost, len(found.cheapest)) for found in columns] == [(4, 81), (4, 6), (2, 1), (3, 9)]
    assert (counts.all, counts.in_order, counts.allowed) == (2304, 48, 6)
    assert (moved.cost, len(moved.cheapest), moved.sums) == (1, 1, [30])
    next_best = completions(COLUMNS[2], 3)
    assert sum(cost == 3 for cost in next_best.values()) == 20
    notes = {note.id: note.body for note in BOOK.notes}
    assert "2,304" in notes["sample-b"] and "48" in notes["sample-b"] and "81" in notes["sample-a"]
    assert "Nine completions" in notes["sample-d"] and "twenty of them" in notes["sample-c"]

"""Differences of notes, variants and the catalogue are told record by record, in words."""

from archive.curation.diff import diff_files, diff_records
from archive.curation.matches import DiffBudget

NOTES = '''[[note]]
id = "one"
title = "The first"
body = """
It counts fifty.
"""

[[note]]
id = "two"
title = "The second"
'''


def told(old, new):
    return [
        (record.kind, record.name, record.came, [(one.label, one.pieces) for one in record.answers])
        for record in diff_records(old, new, DiffBudget())
    ]


def test_a_changed_answer_stands_under_its_record():
    assert told(NOTES, NOTES.replace("fifty", "sixty")) == [
        (
            "note",
            "one",
            "",
            [("Body", (("same", "It counts "), ("out", "fifty"), ("in", "sixty"), ("same", ".")))],
        )
    ]


def test_a_record_comes_and_goes():
    one = NOTES[: NOTES.index('[[note]]\nid = "two"')]
    [(_, name, came, answers)] = told(one, NOTES)
    assert (name, came, answers[1]) == ("two", "in", ("Title", (("in", "The second"),)))
    assert told(NOTES, one)[0][2] == "out"


def test_a_line_put_in_between_is_one_difference():
    head, line = '[[brief]]\ngame = "rum"\n', '[[brief.line]]\ntext = "{}"\n'.format
    old, new = (head + "".join(map(line, lines)) for lines in ("1245", "12345"))
    assert told(old, new) == [("brief", "rum", "", [("Line, text", (("in", "3"),))])]


def test_what_a_file_says_of_the_book_itself_has_no_name():
    old = 'short_title = "Rum"\nyear = 1920\nunknown = ["Who?", "When?"]\n[rights]\nlabel = "None known"\n'
    new = old.replace("1920", "1921").replace('"Who?", ', "").replace("None known", "Not known")
    [(kind, name, _, answers)] = told(old, new)
    assert (kind, name) == ("", "")
    assert [label for label, _ in answers] == ["Year", "Unknown", "Rights, label"]


def test_where_only_the_writing_differs_lines_are_shown():
    [found] = diff_files({"notes.toml": NOTES}, {"notes.toml": NOTES + "# Done.\n"})
    assert not found.records and found.hunks and found.title == "Notes"
    [found] = diff_files({"notes.toml": NOTES}, {"notes.toml": "not = [toml"})
    assert not found.records and found.hunks

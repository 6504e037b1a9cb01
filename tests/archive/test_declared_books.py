"""Books with a declared game: its files are part of the edition, published only if it plays as it must."""

import json
import shutil

import pytest
from django.conf import settings

from archive.curation.merge import merge_file
from archive.edition import EditionError, read_book, write_book
from archive.models import Book
from archive.publication import publish, revisions
from archive.publication.errors import PublishError
from home import bookshelf
from scorepad import archive_lookup

EXAMPLES = settings.FIXTURES / "declared"


@pytest.fixture
def rook(tmp_path):
    return shutil.copytree(EXAMPLES / "rook", tmp_path / "rook")


def change(file, was, becomes):
    text = file.read_text()
    assert was in text
    file.write_text(text.replace(was, becomes, 1))


@pytest.mark.parametrize("folder", sorted(EXAMPLES.iterdir()), ids=lambda folder: folder.name)
def test_a_book_with_its_game_is_written_as_it_was_read(folder, tmp_path):
    write_book(read_book(folder), tmp_path / folder.name)
    for file in folder.iterdir():
        assert (tmp_path / folder.name / file.name).read_bytes() == file.read_bytes(), file


@pytest.mark.parametrize(
    ("name", "was", "becomes", "file", "line", "says"),
    [
        ("game.toml", 'cites = ["set-back"]', 'cites = ["set-forward"]', "game.toml", 75, "no passage"),
        ("game.toml", 'points = "taken"', 'points = "took"', "game.toml", 64, "Nothing here is called took"),
        ("game.toml", 'book = "rook"', 'book = "pit"', "game.toml", 1, "for the book pit, not rook"),
        ("game.toml", 'key = "rook"', 'key = "rummy-1916"', "game.toml", 1, "has a game rummy-1916 already"),
        ("game.toml", "when = \"taken < bid\"", "when = \"taken > bid\"", "sheets.json", 2, "totals is"),
    ],
)  # fmt: skip
def test_a_game_that_does_not_play_as_it_must_is_refused_with_file_and_line(
    rook, name, was, becomes, file, line, says
):
    change(rook / name, was, becomes)
    with pytest.raises(EditionError, match=says) as fault:
        read_book(rook)
    assert fault.value.file == str(rook / file)
    assert file == "sheets.json" or fault.value.line == line


def test_a_game_needs_three_golden_sheets(rook):
    sheets = json.loads((rook / "sheets.json").read_text())
    (rook / "sheets.json").write_text(json.dumps(sheets[:2]))
    with pytest.raises(EditionError, match="at least 3 example sheets, and here are 2"):
        read_book(rook)
    (rook / "game.toml").unlink()
    with pytest.raises(EditionError, match=r"only beside game\.toml"):
        read_book(rook)


@pytest.mark.django_db
def test_a_published_game_is_in_the_history_and_is_offered_until_its_book_is_withdrawn(rook):
    publish.load([rook])
    book, text = Book.objects.get(), (rook / "game.toml").read_text()
    assert revisions.files_at(book, 1)["game.toml"] == text
    assert archive_lookup.declared_games() == [text]
    assert "Rook" in [start.title for start in bookshelf.games().shown]
    change(rook / "game.toml", "default = 300", "default = 500")
    publish.load([rook])
    assert "default = 500" in archive_lookup.declared_games()[0]
    assert revisions.files_at(book, 1)["game.toml"] == text
    Book.objects.update(state=Book.WITHDRAWN)
    assert archive_lookup.declared_games() == []


@pytest.mark.django_db
def test_a_game_that_is_refused_changes_nothing(rook):
    publish.load([rook])
    change(rook / "game.toml", 'wins = "highest"', 'wins = "best"')
    with pytest.raises(PublishError, match="wins is one of"):
        publish.load([rook])
    assert 'wins = "highest"' in archive_lookup.declared_games()[0]


def test_changes_of_two_curators_in_one_game_are_merged_by_lines():
    base = (EXAMPLES / "rook" / "game.toml").read_text()
    mine, theirs = base.replace("default = 300", "default = 500"), base.replace("to = 300", "to = 200")
    merged, clashes = merge_file("game.toml", base, mine, theirs)
    assert not clashes and "default = 500" in merged and "to = 200" in merged

"""The text of a declaration with one piece put in, changed or taken out: every other line stays."""

import tomllib

import pytest
from django.conf import settings

from archive.curation.game_text import (
    kind_of,
    moved_up,
    own_keys,
    piece_at,
    with_new_piece,
    with_piece,
    without_piece,
)
from archive.publication.errors import EditError

FILES = sorted((settings.FIXTURES / "declared").glob("*/game.toml"))
REMARK = "# here the end is told\n[end]"


def places(data):
    """Every place at which a piece stands."""
    found = [("table", name) for name in data.get("table", {})]
    for kind in ("option", "entry"):
        for at, row in enumerate(data.get(kind, [])):
            found.append((kind, at))
            for inner in ("field", "check", "award"):
                for place, piece in enumerate(row.get(inner, [])):
                    found.append((kind, at, inner, place))
                    shares = range(len(piece.get("share", [])))
                    found += [(kind, at, inner, place, "share", share) for share in shares]
    return [*found, ("end",)]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_each_piece_is_written_into_its_own_lines(file):
    text = file.read_text().replace("[end]", REMARK)
    data = tomllib.loads(text)
    for path in [(), *places(data)]:
        own = own_keys(piece_at(data, path), kind_of(path))
        same = with_piece(text, path, own)
        assert tomllib.loads(same) == data and REMARK in same
        # Only what was written in one line by hand, as [{ }, { }], is written anew.
        assert same == text or ("share = [" in text and "field" in path)
        if path:
            left = without_piece(text, path)
            assert len(left) < len(text) and ("# here the end is told" in left)
            assert piece_at(tomllib.loads(left), path) != piece_at(data, path)
            assert with_new_piece(left, path, own) if path == ("end",) else True


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_new_piece_stands_behind_those_of_its_kind(file):
    text = file.read_text().replace("[end]", REMARK)
    awards = len(tomllib.loads(text)["entry"][0]["award"])
    more = with_new_piece(text, ("entry", 0, "award", awards), {"to": "x", "a b": True})
    added = '\n[[entry.award]]\nto = "x"\n"a b" = true\n'
    assert more.replace(added, "", 1) == text
    assert with_new_piece(text, ("table", "zz"), {"pair royal": 6}).count("[table.zz]") == 1


def test_what_the_form_cannot_keep_is_left_to_the_text():
    with pytest.raises(EditError, match="Edit it as text"):
        with_piece("x = nan\n[end]\nwins = 1\n", ("end",), {"wins": "first"})


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_piece_moved_up_changes_places_with_the_one_before_it(file):
    text = file.read_text().replace("[end]", REMARK)
    for path in places(tomllib.loads(text)):
        if isinstance(path[-1], int) and path[-1]:
            before = (*path[:-1], path[-1] - 1)
            moved = moved_up(text, path)
            data = tomllib.loads(moved)
            assert piece_at(data, before) == piece_at(tomllib.loads(text), path)
            assert sorted(moved.split("\n")) == sorted(text.split("\n")) or "share = [" in text
            assert REMARK in moved
            assert tomllib.loads(moved_up(moved, path)) == tomllib.loads(text)

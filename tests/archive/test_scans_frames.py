"""A proposed frame is never inside print: held on photographs of our own pages in all kinds of light."""

import os

import pytest

from archive.scans.detection import FRAME_DOUBTS, propose_steps
from archive.scans.geometry import Steps
from archive.scans.ink_map import map_ink
from archive.scans.page_angle import find_angle
from archive.scans.page_edges import add_frame
from tests.archive.photographs import KINDS, photographs, words_cut

SOAK = bool(os.environ.get("SOAK"))
COUNT = 64 if SOAK else len(KINDS)


@pytest.fixture(scope="module")
def taken():
    return photographs(COUNT)


def unchecked(photograph):
    """The frame around what looks like paper, whatever is printed there."""
    ink_map = map_ink(photograph.image, 0)
    return add_frame(ink_map, Steps(angle=find_angle(ink_map)))


def test_no_word_is_cut_and_most_pictures_get_a_frame(taken):
    proposed = [propose_steps(photograph.image) for photograph in taken]
    cut = [(p.kind, words_cut(p, one.steps)) for p, one in zip(taken, proposed, strict=True)]
    assert all(words == 0 for _, words in cut), cut
    framed = sum(one.steps.frame != (0, 0, 100, 100) for one in proposed)
    assert framed >= 0.7 * len(taken), framed
    for one in proposed:
        assert bool(one.doubt) == (one.steps.frame == (0, 0, 100, 100))
        assert not one.doubt or one.doubt in FRAME_DOUBTS


def test_the_paper_alone_would_not_do(taken):
    """The control: the same measure finds words cut off where print is not looked for."""
    assert sum(words_cut(photograph, unchecked(photograph)) > 0 for photograph in taken) >= 0.15 * len(taken)

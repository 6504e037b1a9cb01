"""A fold that is moved takes along what lies at it."""

import pytest

from archive.scans.geometry import Steps, move_fold


@pytest.mark.parametrize(
    ("before", "left", "right"),
    [
        (Steps(part="left", split=50, left=10, right=50), 10, 54),
        (Steps(part="right", split=50, left=50, right=90), 54, 90),
        (Steps(part="left", split=50, left=10, right=44), 10, 44),
        (Steps(part="right", split=50, left=56, right=90), 56, 90),
        (Steps(part="whole", split=50), 0, 100),
    ],
)
def test_an_inner_edge_goes_with_the_fold_it_lies_at_and_else_stays(before, left, right):
    after = move_fold(before, 54)
    assert (after.split, after.left, after.right) == (54, left, right)

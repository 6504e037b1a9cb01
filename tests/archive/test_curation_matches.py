"""Differences of texts: exact where that is cheap, bounded in time and in size where it is not."""

import time

import pytest
from django.template.loader import render_to_string
from hypothesis import given, settings
from hypothesis import strategies as st

from archive.curation import merge
from archive.curation.diff import diff_files, word_diff
from archive.curation.edits import MAX_FILE_LENGTH
from archive.curation.forms import leaf_text
from archive.curation.matches import MAX_PIECES, MAX_ROWS, BoundedMatcher, DiffBudget
from archive.models.history import Proposal
from tests.archive.curators import BOOK, signed_in
from tests.people.conftest import make_person

SECONDS_MOST = 6
ANSWER_BYTES_MOST = 6_000_000

FULL = MAX_FILE_LENGTH
NUMBERS = range(40_000)
WORST = {
    "one letter a line": ("a\n" * (FULL // 2), "b\na\n" * (FULL // 4)),
    "one word, many times": ("x " * (FULL // 2), "x y " * (FULL // 4)),
    "lines of the same words": (("a b " * 500 + "\n") * 200, ("b a c " * 333 + "\n") * 200),
    "every other line": ("\n".join(map(str, NUMBERS)), "\n".join(str(n - n % 2) for n in NUMBERS)),
    "backwards": ("\n".join(map(str, NUMBERS)), "\n".join(map(str, reversed(NUMBERS)))),
}


@pytest.mark.parametrize("case", WORST)
def test_the_dearest_texts_are_compared_in_seconds_and_shown_on_a_page_of_some_size(case):
    old, new = WORST[case]
    began = time.process_time()
    found = diff_files({"text.txt": old}, {"text.txt": new})
    merge.merge_text(old, new, old + "\nmore")
    page = render_to_string("curation/_diff.html", {"found": found})
    assert time.process_time() - began < SECONDS_MOST
    assert len(page.encode()) < ANSWER_BYTES_MOST
    rows = [line for hunk in found[0].hunks for line in hunk]
    assert rows and len(rows) <= 2 * MAX_ROWS + 20
    assert sum(len(line.pieces) for line in rows) <= MAX_PIECES + 2 * len(rows)


@pytest.mark.parametrize("steps", [0, 10**9])
@given(a=st.lists(st.sampled_from("abcdef")), b=st.lists(st.sampled_from("abcdef")))
@settings(max_examples=200, deadline=None)
def test_blocks_are_the_same_in_both_and_in_order(steps, a, b):
    *blocks, last = BoundedMatcher(a, b, DiffBudget(steps=steps)).get_matching_blocks()
    assert last == (len(a), len(b), 0)
    end_a = end_b = 0
    for i, j, size in blocks:
        assert i >= end_a and j >= end_b and size and a[i : i + size] == b[j : j + size]
        end_a, end_b = i + size, j + size


@given(
    base=st.lists(st.sampled_from(["", "a", "b", "c"])),
    mine=st.lists(st.sampled_from(["", "a", "b", "d"])),
)
@settings(max_examples=100, deadline=None)
def test_a_merge_with_nothing_new_is_mine_whatever_the_budget(base, mine):
    texts = ["\n".join(lines) for lines in (base, mine)]
    assert merge.text_of(merge.merge_text(texts[0], texts[1], texts[0])) == texts[1]


def test_without_budget_lines_that_stand_once_are_still_found():
    old = [f"line {n}" for n in range(100)]
    new = [*old[:40], "another", *old[41:]]
    blocks = BoundedMatcher(["x", *old, "x"], ["y", *new, "y"], DiffBudget(steps=0)).get_matching_blocks()
    assert [block.size for block in blocks] == [40, 59, 0]


def test_a_line_without_room_for_its_words_goes_and_comes_whole():
    assert word_diff("one two", "one three", DiffBudget(pieces=1)) == (
        ("out", "one two"),
        ("in", "one three"),
    )
    assert word_diff("one two", "", DiffBudget(pieces=0)) == (("out", "one two"),)


@pytest.mark.django_db
@pytest.mark.parametrize("act", ["", "preview/"])
def test_more_than_a_page_can_hold_is_refused_with_a_sentence_and_a_small_answer(shelved, act):
    client = signed_in(make_person("Carla", "contributor"))
    address = f"/books/{BOOK}/1/mend/"
    sent = {"line": ["a\n" * 150_000], "reason": "All of it.", "parent": "1"}
    began = time.process_time()
    answer = client.post(f"{address}{act}", sent)
    assert time.process_time() - began < 3
    assert answer.status_code == (200 if act else 422) and len(answer.content) < 500_000
    assert f"at most {leaf_text.MAX_LINES} lines" in answer.content.decode()
    assert not Proposal.objects.exists()

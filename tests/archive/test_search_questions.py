"""The questions of search_questions.toml: what readers look for is found, and in its place."""

import tomllib
from pathlib import Path

import pytest

from archive import search

pytestmark = pytest.mark.django_db
QUESTIONS = tomllib.loads(Path(__file__).with_name("search_questions.toml").read_text())["question"]
WORDS = {"query", "finds", "kind", "place", "means", "not"}


def name_of(hit):
    return hit.key if hit.kind in ("book", "variant", "brief") else f"{hit.book}/{hit.key}"


def test_there_are_forty_questions_and_each_can_fail():
    assert len(QUESTIONS) >= 40
    for question in QUESTIONS:
        assert question.keys() <= WORDS and {"finds", "means"} & question.keys(), question
        assert ("finds" in question) == ("kind" in question) == ("place" in question), question
    assert {question.get("kind") for question in QUESTIONS} >= set(search.KINDS)


def test_every_question_finds_what_it_must_and_in_its_place(loaded):
    for question in QUESTIONS:
        found = search.index().page(question["query"])
        names = [(hit.kind, name_of(hit)) for hit in found.hits]
        if "finds" in question:
            wanted = (question["kind"], question["finds"])
            assert wanted in names[: question["place"]], (question, names[:8])
        assert found.suggestion == question.get("means", ""), question
        assert question.get("not") not in {name for _, name in names}, question

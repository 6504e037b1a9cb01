"""Names that look like another's are refused, names of the world are not."""

import importlib
import threading
import time
import unicodedata

import pytest
from confusable_homoglyphs.confusables import confusables_data
from django.apps import apps
from django.core.checks import run_checks
from django.db import connection
from django.test import Client

from people import invitations, lookalikes
from people.errors import NameTakenError
from people.models import Person
from people.name_check import names_that_look_alike
from tests.people.conftest import PASSWORD, make_person

CYRILLIC_A, GREEK_O, HANGUL_FILLER = "\u0430", "\u039f", "\u3164"


def came_in(name):
    token = invitations.invite("curator")
    return Client().post(f"/people/invitation/{token}", {"name": name, "password": PASSWORD})


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("here", "comes"),
    [
        ("Capa", "Сара"),
        ("Capa", "САРА"),
        ("capa", "сара"),
        ("Kim", "КІМ"),
        ("Ian", "lan"),
        ("Bill", "BilI"),
        ("Tom", "Torn"),
        ("Rob", "R0b"),
        ("Otto", "Οττο"),
        ("Νίκος", "Nίκος"),
        ("O’Hara", "O'Hara"),
    ],
)
def test_a_name_that_looks_like_anothers_is_refused_with_a_sentence(here, comes):
    assert here != comes
    make_person(here, "curator")
    answer = came_in(comes)
    assert answer.status_code == 422
    said = answer.content.decode().split('id="name-fault"')[1].split("</p>")[0]
    assert "looks like the name of someone here" in said or "different alphabets" in said
    assert came_in("Ada Byron").status_code == 302


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    [f"Kim L{CYRILLIC_A}e", f"{GREEK_O}laf", "Kimλ", "Наташa", "Ελλa", "李Наташа", f"Kim{GREEK_O}"],
)
def test_a_name_of_mixed_alphabets_is_refused_with_a_sentence(name):
    answer = came_in(name)
    assert answer.status_code == 422 and "mixes letters of different alphabets" in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "unseen",
    [HANGUL_FILLER, "\u115f", "\u1160", "\uffa0", "\u200b", "\u200d", "\u2060", "\ufe0f", "\u00ad", "\u034f",
     "\u180e", "\u2800", "\U000e0100", "\u17b4"],
    ids=lambda letter: f"{ord(letter):04x}",
)  # fmt: skip
def test_a_letter_that_is_drawn_as_nothing_is_refused(unseen):
    make_person("Kim Lee", "curator")
    for name in (f"Kim{unseen} Lee", f"{unseen}Kim Lee", f"Kim Lee{unseen}", unseen * 3):
        assert came_in(name).status_code == 422


@pytest.mark.django_db
@pytest.mark.parametrize(
    "name",
    ["Наталья Ильина", "Ελένη Παππά", "李小龙", "田中 ひろし", "김민수", "प्रिया", "ยุพา", "عائشة", "Nguyễn",
     "Lee 李", "Zoë Müller", "Łukasz", "Ağa", "Şükrü", "Ng Õ", "Jean-Luc P.", "ქეთი", "Արամ", "אורה"],
)  # fmt: skip
def test_honest_names_of_the_world_come_in(name):
    for other in ("Kim Lee", "Lan", "Nina", "Capa"):
        make_person(other, "curator")
    assert came_in(name).status_code == 302
    assert Person.objects.get(name=name).skeleton == lookalikes.column(name)


@pytest.mark.parametrize(
    ("one", "other"), [("Ian", "Lan"), ("Nina", "Vina"), ("Guy", "Gyu"), ("Zoe", "Zoë"), ("Anna", "Anne")]
)
def test_names_that_are_only_like_each_other_are_two(one, other):
    assert not lookalikes.look_alike(one, other)


def test_every_pair_of_unicodes_table_has_one_shape():
    """But for those whose letters fall apart before they are compared: so UTS 39 has it."""
    pairs = [
        (_bare(letter), _bare(entry["c"])) for letter, found in confusables_data.items() for entry in found
    ]
    missed = [pair for pair in pairs if len(set(map(lookalikes.skeleton, pair))) > 1]
    assert len(pairs) > 12_000 and len(missed) < 50
    assert [pair for pair in missed if all(unicodedata.is_normalized("NFD", part) for part in pair)] == []


def _bare(letter):
    return letter.replace(lookalikes.MARK, "")


def test_a_shape_has_itself_for_its_shape():
    for letter in lookalikes._shapes():
        shape = lookalikes.skeleton(letter)
        assert lookalikes.skeleton(shape) == shape, hex(ord(letter))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_come_in_at_once_with_names_of_one_shape_one_is_refused(monkeypatch):
    """The column decides, also where neither saw the other."""
    monkeypatch.setattr(lookalikes, "has_lookalike", lambda name, others: False)
    told = []

    def come(token, name):
        try:
            told.append(invitations.accept(token, name, PASSWORD).name)
        except NameTakenError:
            told.append("refused")
        finally:
            connection.close()

    threads = [
        threading.Thread(target=come, args=[invitations.invite("curator"), name]) for name in ("Capa", "Сара")
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert "refused" in told and Person.objects.count() == 1


@pytest.mark.django_db
def test_names_from_before_stay_are_listed_by_the_check_and_get_their_shapes_by_the_migration():
    for name in ("Capa", "Сара", "Kim Lee"):
        make_person(name, "curator")
    importlib.import_module("people.migrations.0005_shapes_of_names").fill(apps, connection.schema_editor())
    shapes = dict(Person.objects.values_list("name", "skeleton"))
    assert shapes["Capa"] and shapes["Kim Lee"] and shapes["Сара"] is None
    [found] = names_that_look_alike(databases=["default"])
    assert found.id == "people.W001" and "Capa and Сара" in found.msg
    assert [one.id for one in run_checks(databases=["default"])].count("people.W001") == 1
    assert Client().post("/people/sign-in/", {"name": "Сара", "password": PASSWORD}).status_code == 302


def test_a_name_is_compared_with_a_thousand_in_a_moment():
    names = [f"Person number {number}" for number in range(1_000)]
    lookalikes.skeleton("x")
    started = time.perf_counter()
    assert not lookalikes.has_lookalike("Ada Byron", names)
    assert time.perf_counter() - started < 2

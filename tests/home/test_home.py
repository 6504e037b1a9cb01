"""The shelf shows the real books, to scale, and never grows with the archive."""

from itertools import pairwise

import pytest
from django.core.management import call_command
from django.test import Client

import engine
from archive.models import Book, Leaf, LeafCheck
from home import bookshelf, recent_pads, timeline
from tests.html import holds
from tests.people.conftest import make_person


@pytest.fixture
def books(db):
    call_command("load_books", verbosity=0)


def test_the_shelf_shows_every_book_with_its_link_and_every_game_with_its_seats(client, books):
    page = client.get("/").content.decode()
    assert "Four old rulebooks and the facts of a modern game, page by page" in page
    assert "No page is proofread yet" in page
    for book in Book.objects.all():
        assert f'href="/books/{book.slug}/"' in page
        assert book.maker.replace("'", "&#x27;") in page
    for game in engine.GAMES.values():
        assert f'href="/pads/new/?game={game.key}"' in page
        assert "{} to {} seats".format(*game.seats) in page


def test_covers_carry_the_printed_lines_and_a_book_without_pages_says_why(client, books):
    page = client.get("/").content.decode()
    for line in Book.objects.get(slug="rap-rummy-1926").cover:
        assert line["text"] in page
    assert "In Copyright: no pages here" in page


def test_the_foot_groups_the_years_by_their_rights(books):
    grouped = {label: years for years, label in bookshelf.rights(bookshelf.books())}
    assert grouped["No Known Copyright"] == "1941 and 1942"


def test_the_shelf_asks_the_database_the_same_few_questions_however_many_books_there_are(
    client, books, django_assert_max_num_queries
):
    first = Book.objects.get(slug="rummy-1916")
    for year in range(1800, 1860):
        first.pk, first.slug, first.year = None, f"book-{year}", year
        first.save(force_insert=True)
    with django_assert_max_num_queries(8):
        page = client.get("/").content.decode()
    assert page.count("row__book") == bookshelf.MAX_BOOKS
    assert "64 old rulebooks and the facts of a modern game" in page


def test_an_empty_shelf_says_so_and_still_offers_the_games(client, db):
    page = client.get("/").content.decode()
    assert "No rulebooks are loaded" in page
    assert page.count("/pads/new/?game=") == len(engine.GAMES)


def test_years_stand_to_scale():
    line = timeline.draw([1916, 1926, 1941, 1942, None])
    x = {mark.label: mark.x for mark in line.marks}
    assert (x["1926"] - x["1916"]) / (x["1942"] - x["1941"]) == pytest.approx(10, rel=0.01)
    assert x["undated"] > line.dated_end > x["1942"]


def test_neighbouring_years_keep_their_labels_apart_and_hide_the_decade_between():
    line = timeline.draw([1916, 1926, 1941, 1942, None])
    x = {mark.label: mark.label_x for mark in line.marks}
    assert x["1942"] - x["1941"] == pytest.approx(timeline.LABEL_PERCENT)
    assert [tick.label for tick in line.ticks if tick.label] == ["1910", "1920", "1930"]


@pytest.mark.parametrize(
    "years",
    [
        [1938, 1939, 1940, 1940, 1941, 1941, 1942, 1942, 1943],
        [1900, 1901, 1902, 1903, 1904, 1905, 1906, 1907, 1908, None],
        [1850, 1941, 1942, 1943, 1944, None],
        [1910, 1911, 1990, 1991],
    ],
)
def test_labels_of_close_years_never_overlap_and_stay_on_the_line(years):
    line = timeline.draw(years)
    labels = {mark.label: mark.label_x for mark in line.marks}
    labels |= {tick.label: tick.x for tick in line.ticks if tick.label}
    assert {str(year) for year in years if year} <= labels.keys()
    xs = sorted(labels.values())
    assert min(right - left for left, right in pairwise(xs)) >= timeline.LABEL_PERCENT - 0.03
    assert xs[0] > 0 and xs[-1] < 100
    # To scale as before: a label that made room is joined to its year by a stroke.
    assert [mark.x for mark in line.marks] == sorted(mark.x for mark in line.marks)


def test_each_lead_ends_in_the_middle_of_its_cover():
    line = timeline.draw([1916, 1926, 1941, 1942, None])
    assert [mark.lead.cover_x for mark in line.marks] == [10, 30, 50, 70, 90]


def test_only_the_first_row_of_covers_hangs_from_the_line():
    line = timeline.draw([1900 + n for n in range(7)])
    assert [mark.lead is not None for mark in line.marks] == [True] * 5 + [False] * 2
    assert line.dated_end == 100


def test_a_long_line_has_few_ticks_and_labels_that_do_not_touch():
    line = timeline.draw([1660, 1916, 1942])
    xs = sorted([tick.x for tick in line.ticks if tick.label] + [mark.label_x for mark in line.marks])
    assert len(line.ticks) < 60 and min(b - a for a, b in pairwise(xs)) > 5


def test_all_books_without_a_year_share_one_mark():
    line = timeline.draw([1916, 1926, None, None, None])
    assert [mark.label for mark in line.marks] == ["1916", "1926", "undated"]


def open_pad(client, game, players, entries):
    made = client.post("/pads/", {"game": game, "players": players}, content_type="application/json").json()
    client.get(made["keep"])
    sent = [{"id": f"00000000-0000-4000-8000-{n:012}", **entry} for n, entry in enumerate(entries)]
    answer = client.post(
        f"{made['pad']}entries/",
        {"entries": sent},
        content_type="application/json",
        headers={"Authorization": f"Bearer {made['keep'].rsplit('/', 1)[1]}"},
    )
    assert [row["status"] for row in answer.json()["results"]] == ["stored"] * len(entries)
    return made


def test_a_phone_that_knows_no_pad_sees_none_and_costs_no_query(client, db, django_assert_num_queries, rf):
    assert "Pads on this phone" not in client.get("/").content.decode()
    with django_assert_num_queries(0):
        assert recent_pads.for_request(rf.get("/")).pads == []


def test_the_pads_a_phone_knows_are_on_its_shelf_and_on_no_other(client, db):
    victory = {"type": "victory", "player": "Ada", "color": "red"}
    made = open_pad(client, "victory-rummy", ["Ada", "Ben"], [victory, {"type": "capture", "player": "Ben"}])
    page = client.get("/").content.decode()
    assert "Pads on this phone" in page
    assert f'href="{made["pad"]}"' in page
    assert holds(page, "<td>10</td><td>50</td>")
    assert "Pads on this phone" not in Client().get("/").content.decode()


def test_a_finished_pad_says_who_won(client, db):
    rules = {"game": "rummy-1916", "players": ["Ada", "Ben"]}
    hand = {"type": "hand", "winner": "Ada", "hands": {"Ben": {"count": 9}}}
    open_pad(client, **rules, entries=[hand, hand])
    assert "Finished; Ada won" in client.get("/").content.decode()


def test_the_shelf_tells_how_many_pages_are_proofread_as_they_are_now(client, books):
    leaves = list(Leaf.objects.filter(book__slug="rummy-1916").order_by("number")[:2])
    person = make_person("Conrad", "curator")
    for leaf, fingerprint in zip(leaves, (leaves[0].fingerprint, "of an older text"), strict=True):
        LeafCheck.objects.create(
            book=leaf.book, leaf=leaf.number, state="proofread", person=person, fingerprint=fingerprint
        )
    assert f"1 of {Leaf.objects.count()} pages are proofread" in client.get("/").content.decode()
    page = client.get("/about/edition/").content.decode()
    assert "1 of 7 pages" in page and "Facts in our own words" in page
    assert page.count("/revisions/") == Book.objects.count()

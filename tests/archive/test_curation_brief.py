"""The rules in brief by form: each line on its passage, in any order, with the history of everything else."""

import pytest
from django.conf import settings

from archive.curation import book_files
from archive.curation.forms import brief as brief_form
from archive.edition.transcript import read_text
from archive.images import facsimiles
from archive.models import Book, BriefLine
from archive.models.history import Proposal, Revision
from tests.archive.curators import BOOK, as_written, signed_in, source
from tests.html import holds

ADDRESS = f"/books/{BOOK}/brief/victory-rummy/"
FOLDERS = sorted((settings.FIXTURES / "books").iterdir())

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_pages(monkeypatch):
    """Setting pages takes seconds and has its own tests."""
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)


def form(rows=None, **more):
    brief = book_files.briefs_in({"brief.toml": source("brief.toml")})[0]
    rows = brief_form.rows_of(brief) if rows is None else rows
    sent = {"parent": 1, "title": brief.title, "reason": "Plainer.", "text": [text for text, _ in rows]}
    return sent | {"cites": [cites for _, cites in rows]} | more


def rows():
    return brief_form.rows_of(book_files.briefs_in({"brief.toml": source("brief.toml")})[0])


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_a_form_sent_back_untouched_gives_the_same_bytes(folder):
    files = {name: (folder / name).read_text() for name in ("brief.toml", "text.txt")}
    known = {name for p in read_text(files["text.txt"]).passages for name in (*p.anchors, *p.aliases)}
    for brief in book_files.briefs_in(files):
        texts, cites = zip(*brief_form.rows_of(brief), strict=True)
        again = brief_form.rows_from(texts, cites)
        written = brief_form.brief_from(brief.game, brief.title, again, folder.name, known)
        assert brief_form.with_brief(files, written) == {"brief.toml": files["brief.toml"]}


def test_a_line_is_added_changed_and_moved(curated, client):
    changed = [("Spell VICTORY.", "score-capture"), *reversed(rows())][:12]
    answer = signed_in(curated["curator"]).post(ADDRESS, form(changed))
    assert answer["Location"] == f"{ADDRESS}?saved=2"
    stored = list(BriefLine.objects.filter(game="victory-rummy").values_list("text", flat=True))
    assert stored == [text for text, _ in changed]
    page = client.get("/brief/victory-rummy/").content.decode()
    assert "Spell VICTORY." in page
    assert Revision.objects.get(number=2).reason == "Plainer."


def test_rows_move_and_are_shown_without_a_script_and_nothing_is_saved(curated):
    client = signed_in(curated["curator"])
    two = [("first words", "win-500"), ("second words", "win-500")]
    page = client.post(ADDRESS, form(two, act="down:0")).content.decode()
    assert page.index("second words") < page.index("first words")
    page = client.post(ADDRESS, form(two, act="preview")).content.decode()
    assert holds(page, "<li>first words <a href") and Revision.objects.count() == 1


BAD = [
    ({"title": ""}, "a title"),
    ({"text": ["words"], "cites": [""]}, "Name the passage"),
    ({"text": ["words"], "cites": ["nowhere"]}, "No passage is called"),
    ({"text": ["x" * 161], "cites": ["win-500"]}, "1 to 160 letters"),
    ({"text": [""], "cites": ["win-500"]}, "1 to 160 letters"),
    ({"text": [], "cites": []}, "1 to 14 lines"),
    ({"text": ["x"] * 15, "cites": ["win-500"] * 15}, "1 to 14 lines"),
    ({"reason": ""}, "Say briefly why"),
]


def test_what_cannot_stand_is_said_and_kept(curated):
    client = signed_in(curated["curator"])
    for change, says in BAD:
        answer = client.post(ADDRESS, form([("A line of mine", "win-500")]) | change)
        assert answer.status_code == 422 and says in answer.content.decode(), change
        assert "A line of mine" in answer.content.decode() or "text" in change
    assert Revision.objects.count() == 1


def test_two_who_change_one_line_get_412_and_what_else_changed_is_joined(curated):
    one, two = signed_in(curated["curator"]), signed_in(curated["keeper"])
    mine, theirs, last = rows(), rows(), len(rows()) - 1
    theirs[0], theirs[last] = ("Theirs.", theirs[0][1]), ("Theirs at the end.", theirs[last][1])
    one.post(ADDRESS, form(theirs))
    mine[0] = ("Mine.", mine[0][1])
    answer = two.post(ADDRESS, form(mine))
    page = as_written(answer.content.decode())
    assert answer.status_code == 412 and "Theirs." in page and ">Mine.</textarea>" in page
    assert ">Theirs at the end.</textarea>" in page and 'name="parent" value="2"' in page
    assert BriefLine.objects.filter(text="Mine.").count() == 0


def test_a_contributors_lines_wait_and_are_amended(curated):
    signed_in(curated["contributor"]).post(ADDRESS, form([("Proposed words.", "win-500")]))
    proposal = Proposal.objects.get()
    curator = signed_in(curated["curator"])
    assert "Proposed words." in curator.get(f"{proposal.address}?proposal={proposal.pk}").content.decode()
    amended = form([("Amended words.", "win-500")], proposal=proposal.pk)
    assert curator.post(ADDRESS, amended).status_code == 302
    assert "Amended words." in Book.objects.get().files["brief.toml"]


def test_only_games_scored_by_this_book_have_their_rules_here(curated):
    client = signed_in(curated["curator"])
    assert client.get(f"/books/{BOOK}/brief/").status_code == 200
    assert client.get(f"/books/{BOOK}/brief/thumbs-up/").status_code == 404
    asked = {
        "title": "x",
        "blurb": "x",
        "leaves": "1",
        "rights": "http://rightsstatements.org/vocab/UND/1.0/",
    }
    client.post("/curation/books/new/", asked | {"game": ["thumbs-up"]})
    assert "no game is scored by this one" in client.get("/books/x/brief/").content.decode()

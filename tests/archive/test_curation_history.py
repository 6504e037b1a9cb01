"""Every published state is a revision: numbered, signed, byte-stable, comparable, and it can come back."""

import os
import re
import threading

import pytest
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.test import Client

from archive.curation import edits, merge
from archive.curation.errors import MergeConflictError
from archive.images import facsimiles
from archive.models import Book, Note, Passage
from archive.models.history import Revision, Slip
from archive.publication import publish as books
from archive.publication import revisions
from archive.publication.errors import EditError
from archive.publication.publish import export
from archive.publication.revisions import Signature
from tests.people.conftest import make_person

BOOK = "victory-rummy-1942"
FOLDER = settings.FIXTURES / "books" / BOOK
ROUNDS = 200 if os.environ.get("SOAK") else 3
OLD, NEW = "A CAPTURE counts 50 points.", "A CAPTURE counts fifty points."

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def wanted(monkeypatch):
    """The books whose pages were to be set; setting them takes seconds and is tested in the browser."""
    slugs = []
    monkeypatch.setattr(facsimiles, "enqueue_update", slugs.append)
    return slugs


@pytest.fixture
def book(db):
    books.load([FOLDER])
    return Book.objects.get(slug=BOOK)


@pytest.fixture
def curator(db):
    return make_person("Conrad", "curator")


def at_once(act, calls):
    threads = [threading.Thread(target=act, args=call) for call in calls]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def text_with(old=OLD, new=NEW, name="text.txt"):
    whole = (FOLDER / name).read_text()
    assert whole.count(old) >= 1
    return whole.replace(old, new, 1)


def publish(curator, files=None, parent=1, reason="Spelt out."):
    return edits.save(BOOK, files or {"text.txt": text_with()}, parent, Signature(reason, curator))


def test_loading_makes_revision_one(book):
    first = Revision.objects.get(book=book)
    assert (first.number, first.parent, first.signed) == (1, None, "Imported files")
    assert revisions.files_at(book, 1)["text.txt"] == (FOLDER / "text.txt").read_text()
    call_command("load_books", BOOK)
    assert Revision.objects.count() == 1


def test_a_book_loaded_before_there_was_a_log_gets_its_first_revision(book):
    Revision.objects.all().delete()
    call_command("load_books", BOOK)
    assert Revision.objects.get().fingerprint == book.fingerprint


def test_an_edit_is_a_revision_and_the_pages_show_it(book, curator, client):
    saved = publish(curator)
    second = saved.revision
    assert (second.number, second.parent, second.signed, second.reason) == (2, 1, "Conrad", "Spelt out.")
    assert Passage.objects.named(BOOK, "score-capture").get().reading == NEW
    assert "fifty" in client.get(f"/books/{BOOK}/").content.decode()


def test_a_file_of_a_revision_is_the_same_bytes_for_ever(book, curator, client):
    before = client.get(f"/books/{BOOK}/revisions/1/text.txt")
    publish(curator)
    after = client.get(f"/books/{BOOK}/revisions/1/text.txt")
    assert before.content == after.content == (FOLDER / "text.txt").read_bytes()
    assert "immutable" in after["Cache-Control"]
    assert client.get(f"/books/{BOOK}/revisions/2/text.txt").content != before.content
    assert client.get(f"/books/{BOOK}/revisions/1/passwd").status_code == 404
    assert client.get(f"/books/{BOOK}/revisions/9/").status_code == 404


def test_readers_see_the_history_and_what_differs(book, curator, client):
    publish(curator, reason="<b>Spelt</b> out.")
    page = client.get(f"/books/{BOOK}/revisions/").content.decode()
    assert "Conrad" in page and "&lt;b&gt;Spelt" in page
    shown = client.get(f"/books/{BOOK}/revisions/1-2/").content.decode()
    assert "<del>50</del>" in shown and "<ins>fifty</ins>" in shown
    assert client.get(f"/books/{BOOK}/revisions/", {"old": 2, "new": 1})["Location"].endswith("/1-2/")
    assert NEW in client.get(f"/books/{BOOK}/revisions/2/").content.decode()


def test_readers_of_the_history_get_no_cookie(book, curator, client):
    publish(curator)
    for address in ("", "1/", "2/", "1-2/", "1/text.txt"):
        assert client.get(f"/books/{BOOK}/revisions/{address}").status_code == 200
    assert client.cookies == {}


def test_bringing_back_is_a_new_revision(book, curator):
    publish(curator)
    client = Client()
    client.force_login(curator)
    shown = client.get(f"/books/{BOOK}/revisions/1/restore/").content.decode()
    assert "<del>fifty</del>" in shown and "<ins>50</ins>" in shown
    answer = client.post(f"/books/{BOOK}/revisions/1/restore/", {"reason": "It was right."})
    assert answer["Location"] == f"/books/{BOOK}/revisions/3/"
    third = Revision.objects.get(number=3)
    assert third.restores == 1 and "It was right." in third.reason
    assert third.files == Revision.objects.get(number=1).files


@pytest.mark.django_db(transaction=True)
def test_who_publishes_while_an_old_revision_is_brought_back_waits_and_is_told(monkeypatch):
    books.load([FOLDER])
    curator = make_person("Conrad", "curator")
    publish(curator)
    begun, done, told = threading.Event(), threading.Event(), []
    keep = revisions.keep_names

    def slowly(*files):
        begun.set()
        done.wait(1)
        return keep(*files)

    def edit():
        begun.wait(30)
        try:
            publish(curator, {"text.txt": text_with(OLD, "A CAPTURE counts L points.")}, parent=2)
        except MergeConflictError as clash:
            told.append(clash.head.number)
        finally:
            done.set()
            connection.close()

    monkeypatch.setattr(revisions, "keep_names", slowly)
    other = threading.Thread(target=edit)
    other.start()
    saved = edits.restore(BOOK, 1, Signature("Back.", curator, restores=1))
    other.join()
    assert (saved.revision.number, saved.merged_with, told) == (3, None, [3])
    assert Revision.objects.get(number=3).files == Revision.objects.get(number=1).files


def test_a_name_published_since_still_leads_somewhere_after_bringing_back(book, curator):
    split = text_with("{#score-capture}", "{#score-capture before-it =older}")
    publish(curator, {"text.txt": split})
    edits.restore(BOOK, 1, Signature("Back.", curator))
    found = Passage.objects.named(BOOK, "before-it").get()
    assert found.anchor == "score-capture" and "before-it" in found.aliases


def test_what_is_wrong_is_refused_with_file_and_line_and_nothing_changes(book, curator):
    with pytest.raises(EditError) as refused:
        publish(curator, {"text.txt": text_with(OLD, "A {CAPTURE counts")})
    assert refused.value.faults[0].startswith("text.txt, line ")
    with pytest.raises(EditError, match="has the anchor score-capture"):
        publish(curator, {"text.txt": text_with("{#score-capture}", "{#another-name}")})
    with pytest.raises(EditError, match="Nothing has changed"):
        publish(curator, {"text.txt": text_with(OLD, OLD)})
    with pytest.raises(EditError, match="why"):
        publish(curator, reason="  ")
    assert Revision.objects.count() == 1


def test_two_who_changed_different_lines_are_joined(book, curator):
    publish(curator)
    saved = publish(
        curator, {"text.txt": text_with("A VICTORY counts 10 points.", "A VICTORY counts ten points.")}
    )
    assert saved.merged_with == 2
    text = revisions.files_at(book, 3)["text.txt"]
    assert NEW in text and "A VICTORY counts ten points." in text


def test_two_who_changed_the_same_line_clash_and_nothing_is_overwritten(book, curator):
    publish(curator)
    with pytest.raises(MergeConflictError) as clash:
        publish(curator, {"text.txt": text_with(OLD, "A CAPTURE counts L points.")})
    chunk = next(c for c in clash.value.chunks["text.txt"] if c.kind == "clash")
    assert any(OLD in line for line in chunk.base)
    assert any("fifty" in line for line in chunk.theirs) and any(" L " in line for line in chunk.mine)
    assert Revision.objects.count() == 2


@pytest.mark.django_db(transaction=True)
def test_editors_in_a_race_lose_nothing():
    """Five at once on the same parent: of the four who change one line one wins, the others are told."""
    books.load([FOLDER])
    curator = make_person("Conrad", "curator")
    same = [("A CAPTURE counts 50 points.", f"A CAPTURE counts 50 points, {word}.") for word in "abcd"]
    other = [("A VICTORY counts 10 points.", "A VICTORY counts ten points.")]
    stored, told = [], []

    def edit(old, new):
        try:
            stored.append((publish(curator, {"text.txt": text_with(old, new)}).revision.number, new))
        except MergeConflictError:
            told.append(new)
        finally:
            connection.close()

    at_once(edit, same + other)
    assert len(stored) == 2 and len(told) == 3
    assert sorted(number for number, _ in stored) == [2, 3]
    head = revisions.files_at(Book.objects.get(slug=BOOK), 3)["text.txt"]
    assert all(new in head for _, new in stored)


@pytest.mark.django_db(transaction=True)
def test_two_editors_race_for_one_line_round_after_round():
    books.load([FOLDER])
    curator = make_person("Conrad", "curator")
    came = []

    def edit(number, word):
        text = revisions.files_at(Book.objects.get(slug=BOOK), number)["text.txt"]
        changed = re.sub(r"A CAPTURE counts [^\n]*", f"A CAPTURE counts {word}, {number}.", text, count=1)
        try:
            saved = publish(curator, {"text.txt": changed}, parent=number)
            came.append((saved.revision.number, word))
        except MergeConflictError as clash:
            came.append((0, clash.head.number))
        finally:
            connection.close()

    for number in range(1, ROUNDS + 1):
        came.clear()
        at_once(edit, [(number, "one"), (number, "two")])
        (lost, head), (won, word) = sorted(came, key=lambda pair: pair[0])
        assert (lost, head, won) == (0, number + 1, number + 1)
        assert f"counts {word}, {number}." in revisions.files_at(Book.objects.get(slug=BOOK), won)["text.txt"]


def test_pages_are_set_anew_after_a_change(book, curator, wanted, django_capture_on_commit_callbacks):
    with django_capture_on_commit_callbacks(execute=True):
        publish(curator)
    assert wanted == [BOOK]


def test_a_note_whose_words_went_away_is_listed_and_still_points_at_its_revision(book, curator):
    note = next(n for n in Note.objects.filter(book=book).exclude(quote="") if text_holds(n.quote))
    publish(curator, {"text.txt": text_with(note.quote, note.quote[:-1] + "q" + note.quote[-1])})
    slip = Slip.objects.get(note=note.slug)
    assert (slip.made_for, slip.slipped_in, slip.quote) == (1, 2, note.quote)
    now = Note.objects.get(slug=note.slug)
    assert now.quote == "" and now.passage_id == note.passage_id
    edits.restore(BOOK, 1, Signature("Back.", curator))
    assert Slip.objects.get().repaired == 3


def text_holds(quote):
    return (FOLDER / "text.txt").read_text().count(quote) == 1 and quote.isascii() and len(quote) > 12


def test_loading_does_not_go_over_a_curators_revision_and_says_so(book, curator, capsys):
    publish(curator)
    call_command("load_books", BOOK)
    assert "kept as curators have edited it" in capsys.readouterr().out
    assert Revision.objects.count() == 2


def test_loading_over_an_edit_keeps_it_in_the_history(book, curator):
    publish(curator)
    call_command("load_books", BOOK, overwrite=True)
    assert [r.signed for r in Revision.objects.order_by("number")] == [
        "Imported files",
        "Conrad",
        "Imported files",
    ]
    assert NEW in revisions.files_at(book, 2)["text.txt"]


def test_export_writes_what_was_published(book, curator, tmp_path):
    publish(curator)
    export(tmp_path)
    assert NEW in (tmp_path / BOOK / "text.txt").read_text()


@pytest.mark.parametrize(
    ("base", "mine", "theirs", "joined"),
    [
        ("a\nb\nc", "a\nB\nc", "a\nb\nc\nd", "a\nB\nc\nd"),
        ("a\nb\nc", "b\nc", "a\nb\nC", "b\nC"),
        ("a\nb", "a\nx\nb", "a\nx\nb", "a\nx\nb"),
        ("a\nb\nc", "a\nx\nc", "a\ny\nc", None),
        ("", "a", "b", None),
    ],
)
def test_three_texts_are_joined_unless_the_same_lines_were_changed(base, mine, theirs, joined):
    chunks = merge.merge_text(base, mine, theirs)
    assert merge.has_conflict(chunks) == (joined is None)
    if joined is not None:
        assert merge.text_of(chunks) == joined

"""“Proofread” is said of a text, and stays said of it whatever happens elsewhere in the book."""

import importlib
import shutil

import pytest
from django.apps import apps
from django.conf import settings
from django.core.management import call_command

from archive.curation import edits, proofreading
from archive.images import facsimiles
from archive.models import Book, Leaf
from archive.models.history import LeafCheck
from archive.models.scans import Scan
from archive.publication import revisions
from archive.publication.revisions import Signature
from archive.scans import publication, word_search
from tests.archive.scan_files import a_scan, lines_of_print, set_facsimile
from tests.people.conftest import make_person

BOOK = "rummy-1916"
FIRST, LAST = "RULES FOR RUMMY", "cepting when after drawing"
"""Words of leaf 4, and of leaf 5, which goes on with its last sentence below a running head."""
pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """A copy of the folder, loaded, every leaf proofread."""
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)
    shutil.copytree(settings.FIXTURES / "books" / BOOK, tmp_path / BOOK)
    call_command("load_books", folder=tmp_path)
    curator = make_person("Conrad", "curator")
    for leaf in Leaf.objects.all():
        proofreading.record(leaf.book, leaf.number, proofreading.PROOFREAD, curator)
    return tmp_path


def not_proofread():
    return [
        one.leaf.number
        for one in proofreading.states_of(Book.objects.get())
        if one.state != proofreading.PROOFREAD
    ]


def changed(folder, old, new):
    file = folder / BOOK / "text.txt"
    text = file.read_text()
    assert text.count(old) == 1
    file.write_text(text.replace(old, new))


def test_loading_again_keeps_it(folder):
    call_command("load_books", folder=folder)
    call_command("load_books", folder=folder, overwrite=True)
    assert not_proofread() == []


def test_loading_a_changed_leaf_keeps_it_on_the_others(folder):
    changed(folder, FIRST, "RULES OF RUMMY")
    call_command("load_books", folder=folder)
    assert not_proofread() == [4]


@pytest.mark.parametrize("more", ["\n[stamp] AGCA\n", "\n[stamp] AGCA\n\n[rule]\n"])
def test_a_stamp_at_the_end_of_a_leaf_says_nothing_of_the_next_one(folder, more):
    changed(folder, "\n=== leaf 5 ===\n", f"{more}\n=== leaf 5 ===\n")
    call_command("load_books", folder=folder)
    assert not_proofread() == [4]


def test_bringing_a_revision_back_brings_it_back(folder):
    files = revisions.files_at(Book.objects.get(), 1)
    mended = {"text.txt": files["text.txt"].replace(FIRST, "RULES OF RUMMY")}
    edits.save(BOOK, mended, 1, Signature("Mended."))
    assert not_proofread() == [4]
    edits.restore(BOOK, 1, Signature("Back.", restores=1))
    assert not_proofread() == []


def test_a_site_from_before_keeps_it_and_what_was_found_on_scans(folder, monkeypatch):
    step = importlib.import_module("archive.migrations.0012_paragraphs_of_a_leaf")
    monkeypatch.setattr(word_search, "align", lambda page, words, *_: {"words": words, "missing": []})
    leaf = Leaf.objects.get(number=5)
    scan = a_scan(leaf.book, None)
    set_facsimile(leaf)
    publication.publish_page(scan, leaf, lines_of_print(), None, "Ours.")
    word_search.search(scan)
    now, old = leaf.fingerprint, step.before(leaf.lines)
    assert old != now and step.after(leaf.lines) == now and not word_search.stale().exists()
    # As an older version has left it.
    Leaf.objects.filter(pk=leaf.pk).update(fingerprint=old)
    LeafCheck.objects.filter(fingerprint=now).update(fingerprint=old)
    Scan.objects.update(sought=old)
    step.count_anew(apps, None)
    call_command("load_books", folder=folder)
    changed(folder, FIRST, "RULES OF RUMMY")
    call_command("load_books", folder=folder)
    assert not_proofread() == [4] and not word_search.stale().exists()

import pytest
from django.apps import apps
from django.conf import settings
from django.db import transaction

from archive import search
from archive.images import facsimiles
from archive.models import Book
from archive.publication import publish
from tests.archive.curators import PIT
from tests.people.conftest import make_person


def clear_shelf():
    """No book and no history, which nobody but a test may do: a book with a history cannot be deleted."""
    with transaction.atomic():
        for model in apps.get_app_config("archive").get_models():
            model._base_manager.all()._raw_delete("default")


@pytest.fixture(scope="module")
def loaded(django_db_setup, django_db_blocker):
    """The five real books, loaded once for a module whose tests only read."""
    with django_db_blocker.unblock():
        publish.load(sorted((settings.FIXTURES / "books").iterdir()))
        yield
        clear_shelf()
        search.index().rebuild()


@pytest.fixture(scope="module")
def shelved(django_db_setup, django_db_blocker):
    """One real book, loaded once for a module; what a test does to it is undone."""
    with django_db_blocker.unblock():
        publish.load([settings.FIXTURES / "books" / "victory-rummy-1942"])
        yield
        clear_shelf()
        search.index().rebuild()


@pytest.fixture
def shelf(loaded, db):
    """The five real books, for a test that may change them: what it does is undone."""
    return {book.slug: book for book in Book.objects.all()}


@pytest.fixture
def curated(shelved, db):
    """One real book and one person of each role, for tests of curation.

    A test whose transactions are real empties the tables at its end: then the book is loaded again.
    """
    if not Book.objects.exists():
        publish.load([settings.FIXTURES / "books" / "victory-rummy-1942"])
    return {
        role: make_person(name, role)
        for name, role in [("Carla", "contributor"), ("Conrad", "curator"), ("Kim Lee", "keeper")]
    }


@pytest.fixture
def pit(curated, monkeypatch):
    """A short rulebook with a declared game beside it; no pages are set."""
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)
    publish.load([PIT])
    return curated

"""A site with something in it: one pad that was played, and a few image files."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.utils import timezone

from scorepad.ledger import cache
from scorepad.models import Pad
from tests.scorepad.conftest import capture, sit_down, victory

FILES = {
    "pages": {"leaf-1-f/0123456789abcdef/full/160.jpg": b"\xff\xd8small\xff\xd9"},
    "originals": {"leaf-1-f/0123456789abcdef.png": b"png" * 4_000, "ä b/c.png": b"odd name"},
}


@pytest.fixture
def own_storages(settings, tmp_path):
    """Empty storages of this test alone."""
    places = {alias: tmp_path / alias for alias in FILES}
    own = {
        alias: {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": place, "base_url": None},
        }
        for alias, place in places.items()
    }
    settings.STORAGES = settings.STORAGES | own
    return places


@pytest.fixture
def played(transactional_db, own_storages):
    """Committed, so that another connection sees it."""
    cache.clear()
    for alias, files in FILES.items():
        for name, content in files.items():
            storages[alias].save(name, ContentFile(content))
    table = sit_down()
    table.player.enter(victory("e1"), capture("e2", "Bert"), victory("e3", "Cleo", "blue"))
    yield table
    Pad.objects.update(removed_at=timezone.now())

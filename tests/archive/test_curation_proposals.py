"""Proposals are found at the place they are about, by those who may see them, decided ones too."""

import pytest

from archive.models import Book
from archive.models.history import Proposal
from tests.archive.curators import BOOK, signed_in
from tests.people.conftest import make_person

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("kind", "address", "place"),
    [
        (Proposal.EDIT, f"/books/{BOOK}/3/mend/", f"/books/{BOOK}/3/mend/"),
        (Proposal.SCAN, f"/books/{BOOK}/3/scan/", f"/books/{BOOK}/3/mend/"),
        (Proposal.EDIT, f"/books/{BOOK}/variants/of-our-club/", f"/books/{BOOK}/variants/"),
        (Proposal.BOOK, f"/books/{BOOK}/leaves/order/", f"/books/{BOOK}/state/"),
    ],
)
def test_a_proposal_and_its_decision_stand_at_their_place(curated, kind, address, place):
    author, curator, eve = curated["contributor"], curated["curator"], make_person("Eve", "contributor")
    told = {"parent": 1, "author": author, "signed": author.name, "files": {}, "reason": "As Carla has it."}
    book = Book.objects.get(slug=BOOK)
    shown = Proposal.objects.create(kind=kind, book=book, address=address, place="A place", **told)
    for state in (Proposal.WAITING, Proposal.REFUSED):
        Proposal.objects.update(state=state)
        page = signed_in(curator).get(place).content.decode()
        assert f"/curation/proposals/{shown.pk}/" in page and f'<span class="grade">{state}</span>' in page
    if kind != Proposal.BOOK:
        assert f"/curation/proposals/{shown.pk}/" in signed_in(author).get(place).content.decode()
        assert f"/curation/proposals/{shown.pk}/" not in signed_in(eve).get(place).content.decode()
    elsewhere = signed_in(curator).get(f"/books/{BOOK}/5/mend/").content.decode()
    assert f"/curation/proposals/{shown.pk}/" not in elsewhere

"""Trying the options of a variant before it has a name, and what the form says until it was tried."""

import pytest

from archive.models import Variant
from archive.models.history import Proposal, Revision
from lab.grid import STUDIES
from tests.archive.curators import BOOK, signed_in
from tests.html import holds

NEW = f"/books/{BOOK}/variants/new/"
TRIED = {"parent": 1, "game": "victory-rummy", "act": "preview"}
UNTRIED = '<p class="soft" data-untried>Not tried yet'

pytestmark = pytest.mark.django_db


@pytest.fixture
def contributor(curated):
    return signed_in(curated["contributor"])


def test_options_are_tried_without_a_name_reasons_or_passages(contributor):
    answer = contributor.post(NEW, TRIED | {"option-target": "100"})
    page = answer.content.decode()
    assert answer.status_code == 200 and "examples would score otherwise:" in page
    assert 'role="alert"' not in page and not holds(page, UNTRIED)
    assert Revision.objects.count() == 1 and Proposal.objects.count() == 0


def test_an_option_that_cannot_be_is_said_beside_the_button(contributor):
    answer = contributor.post(NEW, TRIED | {"option-target": "-5"})
    place = answer.content.decode().split('id="examples"')[1].split('value="preview"')[0]
    assert answer.status_code == 422 and "It can be" in place and holds(place, UNTRIED)
    assert "would score otherwise" not in place
    assert "Choose the game." in contributor.post(NEW, TRIED | {"game": "whist"}).content.decode()


def test_the_button_leads_to_the_answer(contributor):
    page = contributor.get(NEW).content.decode()
    assert 'value="preview" formaction="#examples"' in page and 'id="examples"' in page


def test_an_empty_form_says_that_nothing_was_tried_and_a_fork_what_it_changes(contributor):
    page = contributor.get(NEW).content.decode()
    assert holds(page, UNTRIED) and "would score otherwise" not in page
    known = Variant.objects.exclude(options={}).filter(game="victory-rummy").first()
    fork = contributor.get(f"{NEW}?from={known.slug}").content.decode()
    assert UNTRIED not in fork and "would score otherwise" in fork


def test_the_form_says_that_a_passage_is_needed(contributor):
    assert "At least one is needed." in contributor.get(NEW).content.decode()


def test_the_form_shows_beside_each_reading_how_much_it_matters(contributor):
    page = contributor.get(NEW).content.decode()
    assert page.count('class="lab__says"') == len(STUDIES["victory-rummy"].readings)
    assert holds(page, "simulated evenings of four, this reading gave the game to somebody else in")

"""Trying the options of a variant before it has a name, and what the form says until it was tried."""

import pytest
from django.conf import settings

import engine
from archive.curation.errors import VariantError
from archive.curation.forms.variant import options_from
from archive.models import Variant
from archive.models.history import Proposal, Revision
from archive.publication import publish
from lab.grid import STUDIES
from tests.archive.curators import BOOK, signed_in
from tests.html import holds
from tests.people.conftest import make_person

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
    assert answer.status_code == 200 and "examples would score differently:" in page
    assert 'role="alert"' not in page and not holds(page, UNTRIED)
    assert Revision.objects.count() == 1 and Proposal.objects.count() == 0


def test_an_option_that_cannot_be_is_said_beside_the_button(contributor):
    answer = contributor.post(NEW, TRIED | {"option-target": "-5"})
    place = answer.content.decode().split('id="examples"')[1].split('value="preview"')[0]
    assert answer.status_code == 422 and "It can be" in place and holds(place, UNTRIED)
    assert "would score differently" not in place
    assert "Choose the game." in contributor.post(NEW, TRIED | {"game": "whist"}).content.decode()


def test_the_button_leads_to_the_answer(contributor):
    page = contributor.get(NEW).content.decode()
    assert 'value="preview" formaction="#examples"' in page and 'id="examples"' in page


def test_an_empty_form_says_that_nothing_was_tried_and_a_fork_what_it_changes(contributor):
    page = contributor.get(NEW).content.decode()
    assert holds(page, UNTRIED) and "would score differently" not in page
    known = Variant.objects.exclude(options={}).filter(game="victory-rummy").first()
    fork = contributor.get(f"{NEW}?from={known.slug}").content.decode()
    assert UNTRIED not in fork and "would score differently" in fork


def test_the_form_says_that_a_passage_is_needed(contributor):
    assert "At least one is needed." in contributor.get(NEW).content.decode()


def test_the_form_shows_beside_each_reading_how_much_it_matters(contributor):
    page = contributor.get(NEW).content.decode()
    assert page.count('class="lab__says"') == len(STUDIES["victory-rummy"].readings)
    assert holds(page, "simulated evenings of four, this reading gave the game to somebody else in")


EVERY_OPTION = [
    pytest.param(game, option, id=f"{game.key}-{option.key}")
    for game in engine.GAMES.values()
    for option in game.options
]


def values_of(option):
    return option.values or (option.least, option.most, option.default)


@pytest.mark.parametrize(("game", "option"), EVERY_OPTION)
def test_every_value_of_every_option_of_every_game_goes_through_the_form(game, option):
    for value in values_of(option):
        # With chips to begin with, which another option of the game asks for.
        also = {"option-stake": "500"} if option.key == "when_short" else {}
        chosen = options_from({f"option-{option.key}": str(value), **also}, game)
        assert chosen.get(option.key, option.default) == value
        sheet = {"tally": 1, "game": game.key, "players": ["Ann", "Ben", "Cy"], "entries": []}
        assert engine.score(sheet | {"options": chosen})


def test_a_variant_of_thumbs_up_is_published_with_every_option_as_the_page_shows_it(db):
    publish.load([settings.FIXTURES / "books" / "thumbs-up-1941"])
    curator = signed_in(make_person("Conrad", "curator"))
    new = "/books/thumbs-up-1941/variants/new/"
    game = engine.GAMES["thumbs-up"]
    page = curator.get(new).content.decode()
    wanted = {option.key: values_of(option)[-1 if option.values else 1] for option in game.options}
    assert all(f'name="option-{key}"' in page for key in wanted)
    sent = {f"option-{key}": value for key, value in wanted.items()}
    sent |= {"parent": 1, "game": game.key, "title": "Club rules", "reasons": "We do.", "cites": "chips"}
    answer = curator.post(new, sent | {"reason": "New."})
    assert answer.status_code == 302, answer.content.decode()
    saved = Variant.objects.get(slug="club-rules")
    assert saved.options == {o.key: wanted[o.key] for o in game.options if wanted[o.key] != o.default}
    edited = curator.get("/books/thumbs-up-1941/variants/club-rules/").content.decode()
    again = curator.post(
        "/books/thumbs-up-1941/variants/club-rules/",
        sent | {"parent": 2, "title": "Club rules, again", "reason": "Named."},
    )
    assert "Club rules" in edited and again.status_code == 302, again.content.decode()


FAULTS = {
    "title": ({"title": ""}, "Give the variant a name."),
    "reasons": ({"reasons": " "}, "Say why people play this way."),
    "cites": ({"cites": "no-such-place"}, "No passage of this rulebook is called “no-such-place”."),
    "slug": ({"slug": "as-printed"}, "There is a variant"),
    "option-target": ({"option-target": "-5"}, "It can be"),
}


@pytest.mark.parametrize("field", FAULTS)
def test_what_is_wrong_stands_at_its_field_and_names_no_file(contributor, field):
    change, sentence = FAULTS[field]
    if field == "slug":
        change = {"slug": Variant.objects.first().slug}
    sent = {"parent": 1, "game": "victory-rummy", "title": "Ours", "reasons": "So.", "cites": "enter-score"}
    answer = contributor.post(NEW, sent | {"reason": "New."} | change)
    page = answer.content.decode()
    said = page.split(f'id="{field}-fault" role="alert">')[1].split("<")[0]
    assert answer.status_code == 422 and sentence in said
    assert ".toml" not in page and Proposal.objects.count() == 0


def test_options_that_do_not_go_together_are_said_at_one_of_them(db):
    with pytest.raises(VariantError, match="needs chips to start with") as refused:
        options_from({"option-when_short": "pay-what-you-can"}, engine.GAMES["thumbs-up"])
    assert refused.value.field == "option-when_short"

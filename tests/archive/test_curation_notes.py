"""Notes and variants by form: checked like the files, published or proposed, safe in every field."""

import re

import pytest

from archive.curation.book_files import notes_in, variants_in
from archive.curation.forms import note as note_form
from archive.curation.forms import variant as variant_form
from archive.models import Book, Note, Variant
from archive.models.history import Proposal, Revision, Slip
from tests.archive.curators import BOOK, leaf_of, rows, signed_in, source

NOTES, VARIANTS = f"/books/{BOOK}/notes/", f"/books/{BOOK}/variants/"
NOTE = {
    "parent": 1,
    "kind": "gloss",
    "title": "Fifty",
    "anchor": "score-capture",
    "quote": "50 points",
    "body": "A *large* number.",
    "reason": "Asked at the table.",
}
VARIANT = {
    "parent": 1,
    "game": "victory-rummy",
    "title": "As our club plays",
    "reasons": "We have **always** done so.",
    "cites": "score-capture\nwin-500",
    "who": "The Thursday club",
    "since": "1987",
    "reason": "Recorded at the club.",
}

RECTANGLE = {"leaf": "5", "left": "10", "top": "20.5", "width": "30", "height": "4"}

pytestmark = pytest.mark.django_db


def test_a_note_is_written_and_stands_at_its_words(curated):
    answer = signed_in(curated["curator"]).post(f"{NOTES}new/", NOTE)
    assert answer.status_code == 302
    note = Note.objects.get(slug="fifty")
    assert (note.quote, note.signed, note.html) == ("50 points", "Conrad", "<p>A <em>large</em> number.</p>")
    assert Revision.objects.get(number=2).reason == "Asked at the table."


def test_editing_an_unchanged_note_changes_nothing_but_who_and_when():
    files = {"notes.toml": source("notes.toml")}
    for note in notes_in(files):
        again = note_form.note_from(note_form.fields_of(note), note.id, note.signed, note.dated)
        assert again == note


def test_editing_an_unchanged_variant_changes_nothing():
    files = {"variants.toml": source("variants.toml")}
    for variant in variants_in(files):
        assert variant_form.variant_from(variant_form.fields_of(variant), BOOK, variant.slug) == variant


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"quote": "words that are not there"}, "Copy them from the text shown here"),
        ({"quote": "n"}, "occur more than once in this passage"),
        ({"anchor": ""}, "Choose the passage that contains these words"),
        ({"kind": "rumour"}, "what kind"),
        ({"anchor": "nowhere"}, "no passage"),
        ({"title": " "}, "title"),
        ({"leaf": "5", "left": "10"}, "rectangle"),
        ({"left": "10", "top": "10", "width": "20", "height": "5"}, "rectangle"),
        ({"leaf": "5", "left": "90", "top": "10", "width": "20", "height": "5"}, "beyond the page"),
        ({"leaf": "99", "left": "9", "top": "10", "width": "20", "height": "5"}, "a leaf that there is"),
        ({"kind": "ambiguity"}, "An open question needs two readings"),
        ({"kind": "mend"}, "choose its certainty"),
        ({"id": "No Name"}, "short name for addresses"),
        ({"id": "new"}, "short name for addresses"),
        ({"title": "题"}, "short name for addresses"),
        ({"title": "x" * 201}, "at most 200"),
        ({"reason": ""}, "why"),
    ],
)
def test_a_note_that_cannot_stand_is_refused_and_the_form_keeps_it(curated, change, says):
    answer = signed_in(curated["curator"]).post(f"{NOTES}new/", NOTE | change)
    page = answer.content.decode()
    assert answer.status_code == 422 and says in page and "A *large* number." in page
    assert Revision.objects.count() == 1
    assert "notes.toml, line" not in page or "leaf that there is" in says
    # The readings that an open question wants are in sight.
    assert ('<details class="fold" open' in page) == ("kind" in change and change["kind"] == "ambiguity")


def test_a_passage_leads_to_the_form_which_shows_its_text(curated, client):
    page = client.get(f"/books/{BOOK}/passages/score-capture/").content.decode()
    address = f"{NOTES}new/?passage=score-capture"
    assert address in page
    assert client.get(address).status_code == 302
    form = signed_in(curated["curator"]).get(address).content.decode()
    assert 'data-layer="reading"' in form and 'value="score-capture"' in form


def test_the_passage_is_shown_when_asked_for_and_what_was_written_stays(curated):
    asked = NOTE | {"act": "show", "title": ""}
    form = signed_in(curated["curator"]).post(f"{NOTES}new/", asked).content.decode()
    assert 'data-layer="reading"' in form and "A *large* number." in form
    form = signed_in(curated["curator"]).get(f"{NOTES}new/?passage=nowhere").content.decode()
    assert "no passage of that name" in form and "data-layer" not in form


def test_a_rectangle_and_readings_are_kept(curated):
    more = {
        "kind": "ambiguity",
        **RECTANGLE,
        "value-0": "one",
        "title-0": "So",
        "text-0": "It is so.",
        "value-1": "two",
        "title-1": "Or so",
        "text-1": "It is otherwise.",
    }
    assert signed_in(curated["curator"]).post(f"{NOTES}new/", NOTE | more).status_code == 302
    note = Note.objects.get(slug="fifty")
    assert note.region == "5/pct:10,20.5,30,4" and [r["value"] for r in note.readings] == ["one", "two"]


@pytest.mark.parametrize(
    "body",
    [
        "<script>alert(1)</script>",
        "[x](javascript:alert(1))",
        "![x](x)<img src=x onerror=alert(1)>",
        "<b onclick=x>",
    ],
)
def test_hostile_markdown_is_harmless_in_preview_and_on_the_page(curated, client, body):
    curator = signed_in(curated["curator"])
    shown = curator.post("/curation/markdown/", {"body": body}).content.decode()
    curator.post(f"{NOTES}new/", NOTE | {"body": body, "title": "<script>alert(2)</script> fifty"})
    assert Note.objects.filter(title__contains="alert(2)").exists()
    for page in (shown, client.get(f"/books/{BOOK}/").content.decode()):
        for evil in ("<script>alert", 'href="javascript:', "<img src=x", "<b onclick"):
            assert evil not in page


def test_a_slipped_note_is_listed_and_repaired_by_quoting_again(curated):
    curator = signed_in(curated["curator"])
    curator.post(f"{NOTES}new/", NOTE)
    leaf = leaf_of("A CAPTURE counts 50 points.")
    changed = rows(leaf, "counts 50 points.", "counts fifty points.", now=True)
    sent = {"parent": 2, "reason": "In words.", "line": changed}
    assert curator.post(f"/books/{BOOK}/{leaf}/mend/", sent).status_code == 302
    assert Slip.objects.filter(note="fifty", repaired=None).exists()
    assert "revision 2" in curator.get(NOTES).content.decode()
    repaired = NOTE | {"parent": 3, "quote": "fifty points"}
    assert curator.post(f"{NOTES}fifty/", repaired).status_code == 302
    assert Slip.objects.get(note="fifty").repaired == 4


def test_a_note_can_be_taken_away_but_not_one_a_mend_needs(curated):
    curator = signed_in(curated["curator"])
    notes = notes_in({"notes.toml": source("notes.toml")})
    needed = next(note.id for note in notes if f"| {note.id}}}" in source())
    remove = {"parent": 1, "act": "remove", "reason": "Gone."}
    assert curator.post(f"{NOTES}{needed}/", remove).status_code == 422
    curator.post(f"{NOTES}new/", NOTE)
    assert curator.post(f"{NOTES}fifty/", remove | {"parent": 2}).status_code == 302
    assert not Note.objects.filter(slug="fifty").exists()


def test_two_new_notes_at_once_do_not_clash_but_one_note_changed_twice_does(curated):
    curator = signed_in(curated["curator"])
    assert curator.post(f"{NOTES}new/", NOTE).status_code == 302
    assert curator.post(f"{NOTES}new/", NOTE | {"title": "Another"}).status_code == 302
    assert Note.objects.filter(slug__in=["fifty", "another"]).count() == 2
    change = NOTE | {"parent": 3, "body": "A very large number."}
    assert curator.post(f"{NOTES}fifty/", change).status_code == 302
    clash = curator.post(f"{NOTES}fifty/", change | {"body": "A small number."})
    page = clash.content.decode()
    assert clash.status_code == 412 and "A small number." in page
    # Three states: what it was, and what each of the two did to it.
    assert re.search("<ins>[^<]*very", page) and re.search("<ins>[^<]*small", page) and "<del>" in page
    assert curator.post(f"{NOTES}fifty/", change | {"parent": 4, "body": "Both."}).status_code == 302


def test_a_proposed_note_is_amended_where_it_will_stand(curated):
    signed_in(curated["contributor"]).post(f"{NOTES}new/", NOTE)
    proposal, curator = Proposal.objects.get(), signed_in(curated["curator"])
    amend = f"{proposal.address}?proposal={proposal.pk}"
    assert "A *large* number." in curator.get(amend).content.decode()
    amended = NOTE | {"proposal": proposal.pk, "body": "A *larger* number."}
    assert curator.post(proposal.address, amended).status_code == 302
    assert Note.objects.get(slug="fifty").body == "A *larger* number."
    assert Revision.objects.get(number=2).signed == "Carla"


class TestVariants:
    def test_a_club_variant_is_published_and_can_be_played(self, curated, client):
        chosen = VARIANT | {"option-target": "300"}
        assert signed_in(curated["curator"]).post(f"{VARIANTS}new/", chosen).status_code == 302
        variant = Variant.objects.get(slug="as-our-club-plays")
        assert (variant.options, variant.who) == ({"target": 300}, "The Thursday club")
        assert "as-our-club-plays" in client.get("/variants/of/victory-rummy.json").content.decode()
        pad = {"game": "victory-rummy", "variant": variant.slug, "players": ["A", "B"]}
        assert client.post("/pads/", pad, content_type="application/json").status_code == 201

    def test_the_examples_that_would_score_otherwise_are_named(self, curated):
        client = signed_in(curated["contributor"])
        page = client.post(f"{VARIANTS}new/", VARIANT | {"option-target": "100", "act": "preview"})
        assert "examples would score differently" in page.content.decode()
        same = client.post(f"{VARIANTS}new/", VARIANT | {"act": "preview"})
        assert "None of the" in same.content.decode()
        assert Revision.objects.count() == 1 and Proposal.objects.count() == 0

    @pytest.mark.parametrize(
        ("change", "says"),
        [
            ({"option-target": "-5"}, "It can be"),
            ({"title": ""}, "name"),
            ({"cites": ""}, "at least one passage"),
            ({"cites": "nowhere"}, "No passage of this rulebook"),
            ({"slug": "No Slug!"}, "small letters"),
            ({"game": "whist"}, "Choose the game"),
        ],
    )
    def test_what_cannot_be_is_refused_with_a_sentence(self, curated, change, says):
        answer = signed_in(curated["curator"]).post(f"{VARIANTS}new/", VARIANT | change)
        assert answer.status_code == 422 and says in answer.content.decode()

    def test_fork_fills_the_form(self, curated):
        known = Variant.objects.exclude(options={}).filter(game="victory-rummy").first()
        page = signed_in(curated["contributor"]).get(f"{VARIANTS}new/?from={known.slug}").content.decode()
        assert f"after “{known.title}”" in page

    def test_retired_it_is_offered_no_more_but_its_page_and_pads_stay(self, curated, client):
        curator = signed_in(curated["curator"])
        curator.post(f"{VARIANTS}new/", VARIANT)
        retire = {"parent": 2, "act": "retire", "reason": "Nobody plays so now."}
        assert curator.post(f"{VARIANTS}as-our-club-plays/", retire).status_code == 302
        assert "as-our-club-plays" not in client.get("/variants/of/victory-rummy.json").content.decode()
        assert "Retired on" in client.get("/variants/as-our-club-plays/").content.decode()
        assert client.get("/variants/as-our-club-plays/variant.json").status_code == 200
        assert "retired = " in Book.objects.get().files["variants.toml"]

    def test_a_contributors_variant_waits(self, curated):
        signed_in(curated["contributor"]).post(f"{VARIANTS}new/", VARIANT)
        assert Proposal.objects.get().place == "Variant “As our club plays”"
        assert not Variant.objects.filter(slug="as-our-club-plays").exists()

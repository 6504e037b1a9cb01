"""Mending a leaf: rows in, a revision out; nothing lost, nothing overwritten, everything explained."""

import json
import re

import pytest

from archive.curation import proofreading
from archive.curation.forms import leaf_text
from archive.curation.page_lines import page_lines
from archive.models import Book, Note, PageImage, Passage
from archive.models.history import LeafCheck, Proposal, Revision
from tests.archive.curators import BOOK, leaf_of, rows, signed_in, source
from tests.archive.page_images import set_pages
from tests.html import holds, squeezed
from tests.people.conftest import make_person

OLD, NEW = "A CAPTURE counts 50 points.", "A CAPTURE counts fifty points."
LEAF = leaf_of(OLD)
MEND = f"/books/{BOOK}/{LEAF}/mend/"

pytestmark = pytest.mark.django_db


def form(old=OLD, new=NEW, **more):
    return {"parent": 1, "reason": "Spelt out.", "line": rows(leaf=LEAF, old=old, new=new), **more}


def test_the_page_has_every_line_of_the_leaf_and_both_layers(curated):
    page = signed_in(curated["curator"]).get(MEND).content.decode()
    assert page.count('name="line"') == len(rows(leaf=LEAF)) + 1
    assert OLD in page and "Source text" in page and "Reading text" in page


def test_the_page_knows_every_name_of_the_book_so_that_a_new_mark_takes_another(curated):
    page = signed_in(curated["curator"]).get(MEND).content.decode()
    [names] = re.findall(r'data-names="([^"]*)"', page)
    theirs = {*Passage.objects.values_list("anchor", flat=True), *Note.objects.values_list("slug", flat=True)}
    assert theirs <= set(names.split())


def test_the_words_of_a_line_stand_on_its_page_each_as_high_as_its_row(curated):
    words = [("two", 60, 34, 10, 1), ("one", 10, 30, 20, 0), ("more", 10, 66, 20, 2)]
    image = PageImage(
        kind="facsimile",
        width=200,
        height=300,
        words=[
            {"text": text, "line": 4, "offset": 5 * at, "row": at // 2, "passage": "p"}
            | {"x": x, "y": y, "w": w, "h": 20}
            for text, x, y, w, at in words
        ],
    )
    [line] = page_lines(image)
    assert line.number == 4 and line.path.count("M") == 2
    assert json.loads(line.words_json) == [
        ["one", 10, 30, 20, 24],
        ["two", 60, 30, 10, 24],
        ["more", 10, 66, 20, 20],
    ]


def test_saving_publishes_a_revision_that_differs_in_that_line_alone(curated):
    answer = signed_in(curated["curator"]).post(MEND, form())
    assert answer["Location"] == f"{MEND}?saved=2"
    assert Book.objects.get().files["text.txt"] == source().replace(OLD, NEW, 1)
    assert Revision.objects.get(number=2).author == curated["curator"]


def test_a_form_of_an_unchanged_leaf_gives_the_same_bytes():
    for leaf in range(1, 7):
        found = leaf_text.rows_of(source(), leaf)
        sent = [row.text.replace("\n", "\r\n") if row.number else leaf_text.GAP for row in found]
        assert leaf_text.with_leaf(source(), leaf, leaf_text.rows_from([*sent, ""])) == source()


def test_an_emptied_line_goes_and_a_line_end_divides(curated):
    sent = rows(leaf=LEAF, old=OLD, new="A CAPTURE\r\ncounts 50 points.")
    answer = signed_in(curated["curator"]).post(MEND, form() | {"line": sent})
    assert answer.status_code == 302
    assert "A CAPTURE\ncounts 50 points." in Book.objects.get().files["text.txt"]


def test_a_fault_names_its_line_and_what_was_written_stays_in_the_form(curated):
    answer = signed_in(curated["curator"]).post(MEND, form(new="A {CAPTURE counts 50"))
    page = answer.content.decode()
    assert answer.status_code == 422 and "A {CAPTURE counts 50" in page
    assert 'aria-invalid="true"' in page and Revision.objects.count() == 1


def test_a_new_mend_asks_for_its_note_and_both_are_published_together(curated):
    client = signed_in(curated["curator"])
    marked = form(old="A CAPTURE counts", new="A {CAPTURE → capture | small-capture} counts")
    asked = client.post(MEND, marked)
    assert asked.status_code == 422 and 'name="title-small-capture"' in asked.content.decode()
    why = {"title-small-capture": "Small letters", "certainty-small-capture": "low"}
    assert client.post(MEND, marked | why).status_code == 302
    note = Note.objects.get(slug="small-capture")
    assert (note.kind, note.signed, note.certainty) == ("mend", "Conrad", "low")
    assert Passage.objects.named(BOOK, "score-capture").get().reading.startswith("A capture counts")


def test_what_is_wanting_is_said_at_its_field_which_has_the_focus(curated):
    curator = signed_in(curated["curator"])
    page = curator.post(MEND, form(reason="")).content.decode()
    assert re.search(r'id="reason"[^>]* autofocus [^>]*aria-describedby="reason-fault', squeezed(page))
    assert "data-saved" not in page
    page = curator.post(MEND, form(new=OLD + " {x")).content.decode()
    assert re.search(r'aria-describedby="line-fault" autofocus>[^<]*{x<', squeezed(page))


def test_a_leaf_that_was_only_judged_leaves_no_draft(curated):
    answer = signed_in(curated["curator"]).post(MEND, form(new=OLD, state="proofread"), follow=True)
    assert "data-saved" in answer.content.decode()
    refused = signed_in(curated["contributor"]).post(MEND, form(new=OLD))
    assert refused.status_code == 422 and "data-saved" in refused.content.decode()


def test_two_who_change_one_line_get_412_with_all_three_texts(curated):
    client = signed_in(curated["curator"])
    client.post(MEND, form())
    answer = client.post(MEND, form(new="A CAPTURE counts L points."))
    page = re.sub("<del>.*?</del>|</?ins>", "", answer.content.decode())
    assert answer.status_code == 412
    for text in (OLD, NEW, "A CAPTURE counts L points."):
        assert text in page
    assert 'name="parent" value="2"' in page and Revision.objects.count() == 2
    # Having seen it, the second editor may save over revision 2.
    again = form() | {"parent": 2, "line": rows(LEAF, NEW, "A CAPTURE counts L points.", now=True)}
    assert client.post(MEND, again).status_code == 302
    assert "counts L points" in Book.objects.get().files["text.txt"]


def test_changes_elsewhere_meanwhile_are_joined(curated):
    client = signed_in(curated["curator"])
    other = "A VICTORY counts 10 points."
    client.post(MEND, form())
    assert client.post(MEND, form(other, "A VICTORY counts ten points.")).status_code == 302
    text = Book.objects.get().files["text.txt"]
    assert NEW in text and "counts ten points" in text


def test_control_characters_never_reach_the_book(curated):
    answer = signed_in(curated["curator"]).post(MEND, form(new="A CAPTURE\x00 counts\x1b 5 points."))
    assert answer.status_code == 302
    assert "A CAPTURE counts 5 points." in Book.objects.get().files["text.txt"]


def test_numbers_beyond_everything_are_not_found(curated):
    client, big = signed_in(curated["keeper"]), "9" * 30
    paths = (f"revisions/{big}/", f"revisions/1-{big}/", f"revisions/{big}/text.txt", f"{big}/mend/")
    for address in (*(f"/books/{BOOK}/{path}" for path in paths), f"/curation/proposals/{big}/"):
        assert client.get(address).status_code == 404, address
    assert client.get(f"{MEND}?proposal={big}").status_code == 404
    assert client.post(MEND, form(parent=big)).status_code == 404
    assert client.post(MEND, form(parent="²")).status_code == 302
    assert client.post(f"/people/{big}/", {"act": "rest"}).status_code == 404


def test_preview_shows_both_layers_and_stores_nothing(curated):
    client = signed_in(curated["contributor"])
    answer = client.post(f"{MEND}preview/", form(new="A {CAPTURE → capture | why} counts 50 points."))
    page = answer.content.decode()
    assert holds(page, "<td>A CAPTURE counts 50 points.</td>")
    assert holds(page, "<td>A capture counts 50 points.</td>")
    assert "notice--fault" in client.post(f"{MEND}preview/", form(new="{broken")).content.decode()
    assert Revision.objects.count() == 1


def test_hostile_text_is_shown_as_text(curated):
    client = signed_in(curated["curator"])
    evil = "<script>alert(1)</script><img src=x onerror=alert(1)>"
    assert client.post(MEND, form(new=f"A CAPTURE counts 50 points. {evil}", reason=evil)).status_code == 302
    for address in (MEND, f"/books/{BOOK}/", f"/books/{BOOK}/revisions/", f"/books/{BOOK}/revisions/1-2/"):
        page = client.get(address).content.decode()
        assert "<script>alert" not in page and "<img src=x" not in page


class TestStates:
    def test_a_leaf_is_not_proofread_until_somebody_says_so(self, curated):
        book = Book.objects.get()
        assert {state.state for state in proofreading.states_of(book)} == {"not-proofread"}
        client = signed_in(curated["curator"])
        client.post(MEND, form(new=OLD, state="proofread"))
        assert proofreading.state_of(book, LEAF).state == "proofread"
        assert Revision.objects.count() == 1

    def test_only_a_second_person_validates(self, curated):
        one, two = signed_in(curated["curator"]), signed_in(curated["keeper"])
        one.post(MEND, form(new=OLD, state="proofread"))
        assert one.post(MEND, form(new=OLD, state="validated")).status_code == 422
        assert two.post(MEND, form(new=OLD, state="validated")).status_code == 302
        assert proofreading.state_of(Book.objects.get(), LEAF).words == "Validated by a second person"

    def test_a_changed_text_must_be_checked_again(self, curated):
        client = signed_in(curated["curator"])
        client.post(MEND, form(new=OLD, state="proofread"))
        client.post(MEND, form())
        assert proofreading.state_of(Book.objects.get(), LEAF).state == "not-proofread"

    def test_the_book_page_shows_them(self, curated, client):
        signed_in(curated["curator"]).post(MEND, form(new=OLD, state="problematic"))
        page = client.get(f"/books/{BOOK}/").content.decode()
        assert "Problematic" in page and "Not proofread" in page and "Revision 1" in page
        assert "sessionid" not in client.cookies

    def test_the_manifest_tells_them(self, curated, client):
        set_pages(BOOK)
        signed_in(curated["curator"]).post(MEND, form(new=OLD, state="proofread"))
        canvases = client.get(f"/iiif/3/{BOOK}/manifest.json").json()["items"]
        rows = canvases[LEAF - 1]["metadata"]
        assert {"label": {"en": ["Status of the text"]}, "value": {"en": ["Proofread"]}} in rows
        assert client.get(f"/iiif/3/{BOOK}/canvas/{LEAF}").json()["metadata"] == rows

    def test_contributors_do_not_judge(self, curated):
        answer = signed_in(curated["contributor"]).post(MEND, form(new=OLD, state="proofread"))
        assert answer.status_code == 422 and LeafCheck.objects.count() == 0


class TestProposals:
    def propose(self, curated, **more):
        signed_in(curated["contributor"]).post(MEND, form(**more))
        return Proposal.objects.get()

    def test_a_contributors_change_waits(self, curated):
        proposal = self.propose(curated)
        assert (proposal.state, proposal.signed) == ("waiting", "Carla")
        assert Revision.objects.count() == 1
        desk = signed_in(curated["curator"]).get("/curation/").content.decode()
        assert "Spelt out." in desk

    def test_accepted_it_is_published_under_its_authors_name(self, curated):
        proposal = self.propose(curated)
        answer = signed_in(curated["curator"]).post(f"/curation/proposals/{proposal.pk}/", {"act": "accept"})
        assert answer["Location"] == f"/books/{BOOK}/revisions/2/"
        revision = Revision.objects.get(number=2)
        assert revision.signed == "Carla" and "Accepted by Conrad" in revision.reason
        proposal.refresh_from_db()
        assert (proposal.state, proposal.revision) == ("accepted", 2)

    def test_it_can_be_amended_on_the_page_where_it_was_made(self, curated):
        proposal = self.propose(curated)
        curator = signed_in(curated["curator"])
        assert NEW in curator.get(f"{MEND}?proposal={proposal.pk}").content.decode()
        sent = rows(leaf=LEAF, old=OLD, new="A CAPTURE counts FIFTY points.")
        amended = {"proposal": proposal.pk, "parent": 1, "reason": "Capitals.", "line": sent}
        assert curator.post(MEND, amended).status_code == 302
        assert "counts FIFTY points" in Book.objects.get().files["text.txt"]
        told = Revision.objects.get(number=2).reason
        assert told == "Spelt out. Amended and accepted by Conrad: Capitals."
        page = signed_in(curated["contributor"]).get(f"/curation/proposals/{proposal.pk}/").content.decode()
        assert "accepted, amended" in page and "Capitals." in page
        assert f'href="/books/{BOOK}/revisions/2/#changed"' in page

    def test_a_reason_without_a_full_stop_gets_one_before_the_curators_words(self, curated):
        proposal = self.propose(curated, reason="spelt out")
        curator = signed_in(curated["curator"])
        curator.post(f"/curation/proposals/{proposal.pk}/", {"act": "accept"})
        assert Revision.objects.get(number=2).reason == "spelt out. Accepted by Conrad."
        assert ", amended" not in curator.get(f"/curation/proposals/{proposal.pk}/").content.decode()

    def test_it_is_refused_with_words_or_not_at_all(self, curated):
        proposal = self.propose(curated)
        curator, address = signed_in(curated["curator"]), f"/curation/proposals/{proposal.pk}/"
        assert curator.post(address, {"act": "refuse"}).status_code == 422
        assert curator.post(address, {"act": "refuse", "words": "The print has figures."}).status_code == 302
        page = signed_in(curated["contributor"]).get(address).content.decode()
        assert "The print has figures." in page
        assert curator.post(address, {"act": "accept"}).status_code == 409

    def test_a_clash_leaves_it_waiting(self, curated):
        proposal = self.propose(curated)
        curator = signed_in(curated["curator"])
        curator.post(MEND, form(new="A CAPTURE counts L points."))
        answer = curator.post(f"/curation/proposals/{proposal.pk}/", {"act": "accept"})
        assert answer.status_code == 412
        proposal.refresh_from_db()
        assert proposal.state == "waiting" and Revision.objects.count() == 2

    def test_others_do_not_see_it_and_its_author_may_withdraw_it(self, curated):
        proposal = self.propose(curated)
        address = f"/curation/proposals/{proposal.pk}/"
        stranger = signed_in(make_person("Eve", "contributor"))
        assert stranger.get(address).status_code == 404
        assert stranger.get(f"{MEND}?proposal={proposal.pk}").status_code == 404
        author = signed_in(curated["contributor"])
        assert author.post(address, {"act": "accept"}).status_code == 403
        author.post(address, {"act": "withdraw"})
        proposal.refresh_from_db()
        assert proposal.state == "withdrawn"

    def test_what_could_not_stand_cannot_be_proposed(self, curated):
        answer = signed_in(curated["contributor"]).post(MEND, form(new="A {CAPTURE"))
        assert answer.status_code == 422 and Proposal.objects.count() == 0


ROLES = ("reader", "contributor", "curator", "keeper")
SIGNED_IN = {"contributor", "curator", "keeper"}
ADDRESSES = {
    "GET /curation/": SIGNED_IN,
    f"GET {MEND}": SIGNED_IN,
    f"POST {MEND}": SIGNED_IN,
    f"POST {MEND}preview/": SIGNED_IN,
    f"GET /books/{BOOK}/leaves/": SIGNED_IN,
    f"GET /books/{BOOK}/notes/": SIGNED_IN,
    f"GET /books/{BOOK}/notes/new/": SIGNED_IN,
    f"POST /books/{BOOK}/notes/new/": SIGNED_IN,
    f"GET /books/{BOOK}/variants/": SIGNED_IN,
    f"GET /books/{BOOK}/variants/new/": SIGNED_IN,
    f"POST /books/{BOOK}/variants/new/": SIGNED_IN,
    "POST /curation/markdown/": SIGNED_IN,
    f"GET /books/{BOOK}/revisions/1/restore/": {"curator", "keeper"},
    f"POST /books/{BOOK}/revisions/1/restore/": {"curator", "keeper"},
    f"GET /books/{BOOK}/revisions/": {"reader", *SIGNED_IN},
    f"GET /books/{BOOK}/revisions/1/": {"reader", *SIGNED_IN},
    f"GET /books/{BOOK}/revisions/1/text.txt": {"reader", *SIGNED_IN},
}


@pytest.mark.parametrize("role", ROLES)
def test_each_role_gets_exactly_where_it_may(curated, client, role):
    if role != "reader":
        client.force_login(curated[role])
    for address, allowed in ADDRESSES.items():
        method, path = address.split()
        answer = getattr(client, method.lower())(path)
        if role in allowed:
            assert answer.status_code in (200, 422), address
        elif role == "reader" and method == "GET":
            assert answer["Location"].startswith("/people/sign-in/"), address
        else:
            assert answer.status_code == 403, address
    assert Revision.objects.count() == 1

"""New books and their leaves: drafts without text until published; leaves move with all they have."""

import json
import re
import threading
from xml.etree import ElementTree

import pytest
from django.db import connection
from django.utils import timezone

import engine
from archive.curation import edits, leaf_order, proofreading
from archive.curation.forms import catalogue, new_book
from archive.images import facsimiles
from archive.models import Book, Leaf, PageImage
from archive.models.history import LeafCheck, Proposal, Revision
from archive.publication import publish, revisions
from archive.publication.errors import EditError
from archive.publication.revisions import Signature
from tests.archive.conftest import clear_shelf
from tests.archive.curators import BOOK, as_written, signed_in
from tests.html import holds
from tests.people.conftest import make_person

NEW = "/curation/books/new/"
ASKED = {
    "title": "Five Hundred Rum, with Every Rule",
    "short_title": "Five Hundred Rum",
    "year": "1931",
    "maker": "The Thursday Press",
    "blurb": "Rummy to five hundred.",
    "rights": "http://rightsstatements.org/vocab/UND/1.0/",
    "leaves": "3",
}
SLUG = "five-hundred-rum-1931"
ORDER = f"/books/{SLUG}/leaves/order/"
TEXT = "=== leaf 1 ===\n\n{#one} One\n\n=== leaf 2 ===\n\n{#two} Two\n\n=== leaf 3 ===\n"

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def no_pages(monkeypatch):
    """Setting pages takes seconds and has its own tests."""
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)


@pytest.fixture
def curated(db):
    """People alone: these tests bring their own books."""
    cast = [("Carla", "contributor"), ("Conrad", "curator"), ("Kim Lee", "keeper")]
    return {role: make_person(name, role) for name, role in cast}


@pytest.fixture
def curator(curated):
    return signed_in(curated["curator"])


@pytest.fixture
def book(curator):
    curator.post(NEW, ASKED)
    curator.post(f"/books/{SLUG}/state/", {"act": "publish"})
    return Book.objects.get(slug=SLUG)


@pytest.fixture
def written(book, curated):
    """The same with text on its first two leaves and a scan on the second."""
    edits.save(SLUG, {"text.txt": TEXT}, 1, Signature("First text.", curated["curator"]))
    leaf = Leaf.objects.get(book=book, number=2)
    PageImage.objects.create(leaf=leaf, kind="scan", identifier="s2", width=10, height=10, checksum="0" * 64)
    return book


def order(*rows, **more):
    """What the form of the leaves sends: each row is the number a leaf had, and what is on it."""
    sent = {"was": [was for was, _ in rows], "title": [title for _, title in rows]}
    sent |= {"label": [""] * len(rows), "certainty": ["certain"] * len(rows), "reason": "So it was bound."}
    return sent | more


def test_a_title_a_sentence_and_a_number_of_pages_make_a_book(curator):
    answer = curator.post(NEW, {k: ASKED[k] for k in ("title", "blurb", "rights", "leaves")})
    assert answer["Location"] == "/books/five-hundred-rum-with-every-rule/leaves/order/?saved=1"
    book = Book.objects.get(slug="five-hundred-rum-with-every-rule")
    assert [leaf.title for leaf in book.leaves.all()] == ["Cover", "Page 2", "Page 3"]
    assert (book.year, book.maker, book.rights_reasons) == (None, "Not known", "Not examined yet.")
    revision = Revision.objects.get(book=book)
    assert (revision.number, revision.signed, revision.parent) == (1, "Conrad", None)


def test_a_new_book_is_a_draft_that_only_curators_see(curator, client):
    curator.post(NEW, ASKED)
    assert Book.objects.get().state == Book.DRAFT
    assert "Five Hundred Rum" not in client.get("/").content.decode()
    assert client.get(f"/books/{SLUG}/").status_code == 404
    assert curator.get(f"/books/{SLUG}/").status_code == 200


def test_every_page_that_edits_a_draft_says_that_only_curators_see_it(book, curator):
    places = ("leaves/", "leaves/order/", "1/mend/", "scans/", "catalogue/", "notes/", "leaves/replace/")
    Book.objects.filter(pk=book.pk).update(state=Book.DRAFT)
    for place in places:
        assert (
            "Only curators see this rulebook" in curator.get(f"/books/{book.slug}/{place}").content.decode()
        )
    Book.objects.filter(pk=book.pk).update(state=Book.PUBLIC)
    for place in places:
        assert "Only curators see" not in curator.get(f"/books/{book.slug}/{place}").content.decode()


def test_once_published_it_is_on_the_shelf_and_says_that_it_has_no_text(book, client):
    assert "Five Hundred Rum" in client.get("/").content.decode()
    page = client.get(f"/books/{SLUG}/").content.decode()
    assert "this page has not been transcribed" in page and "Its text is complete" not in page
    assert page.count("No text yet") >= 4 and "data-switch" not in page
    assert [state.state for state in proofreading.states_of(book)] == ["without-text"] * 3


def test_after_making_a_book_its_scans_are_the_next_step(curator):
    page = curator.post(NEW, ASKED, follow=True).content.decode()
    assert f'<a href="/books/{SLUG}/scans/">Upload its scans</a>' in page


def test_a_first_text_that_waits_is_told_where_its_leaf_is_looked_for(book, curated, curator):
    mend = f"/books/{SLUG}/2/mend/"
    carla = signed_in(curated["contributor"])
    carla.post(mend, {"parent": 1, "reason": "Read.", "line": ["{#leaf-2} Deal seven cards."]})
    way = f"{mend}?proposal={Proposal.objects.get().pk}"
    for client, seen in [(curator, 1), (carla, 1), (signed_in(make_person("Eve", "contributor")), 0)]:
        for address in (f"/books/{SLUG}/leaves/", mend):
            page = client.get(address).content.decode()
            assert page.count("A first text waits for this page") == page.count(way) == seen, address
    assert "A first text waits" not in curator.get(way).content.decode()
    assert "A first text waits" not in curator.get(f"/books/{SLUG}/3/mend/").content.decode()
    # Whoever has just published another page comes to it in one tap, from the last page too.
    for number in (1, 3):
        page = curator.get(f"/books/{SLUG}/{number}/mend/?saved=1").content.decode()
        assert f'<a href="{way}">Open the first text of page 2</a>' in page


@pytest.mark.parametrize(
    ("known", "told"),
    [
        ({}, "Five Hundred Rummy. <a"),
        ({"year": 1930}, 'Five Hundred Rummy. <span class="years">1930</span>. <a'),
        ({"maker": "Fairchild Corp."}, "Five Hundred Rummy. Fairchild Corp. <a"),
        ({"place": "Rochester"}, "Five Hundred Rummy. Rochester. <a"),
        ({"maker": "A", "place": "B", "year": 1930}, 'Rummy. A, B, <span class="years">1930</span>. <a'),
    ],
)
def test_what_is_not_known_leaves_no_stray_signs(book, client, known, told):
    unknown = {"maker": "Not known", "place": "Not known", "year": None}
    Book.objects.update(title="Five Hundred Rummy", **(unknown | known))
    assert holds(client.get(f"/books/{SLUG}/").content.decode(), told)
    assert "<span>.</span>" not in client.get("/").content.decode()


def test_every_address_of_a_book_without_text_or_image_answers(book, client, curator):
    good = [
        "",
        "1/",
        "3/",
        "text.txt",
        "text.txt?layer=printed",
        "book.json",
        "tei.xml",
        "cite.bib",
        "cite.ris",
    ]
    good += ["revisions/", "revisions/1/", "revisions/1/book.toml", "?q=rum", "?view=printed"]
    for address in good:
        assert client.get(f"/books/{SLUG}/{address}").status_code == 200, address
    for address in ("leaves/", "leaves/order/", "1/mend/", "notes/", "notes/new/", "variants/", "catalogue/"):
        assert curator.get(f"/books/{SLUG}/{address}").status_code == 200, address
    assert curator.get(f"/books/{SLUG}/variants/new/").status_code == 404
    # Without an image there is nothing for a viewer to show, and the collection does not promise it.
    assert client.get(f"/iiif/3/{SLUG}/manifest.json").status_code == 404
    assert SLUG not in client.get("/iiif/3/collection.json").content.decode()
    for address in ("/sitemap.xml", "/changes.atom"):
        assert SLUG in client.get(address).content.decode()
    body = ElementTree.fromstring(client.get(f"/books/{SLUG}/tei.xml").content)
    tei = "{http://www.tei-c.org/ns/1.0}"
    assert body.find(f".//{tei}body//{tei}gap") is not None and len(body.findall(f".//{tei}pb")) == 3
    assert json.loads(client.get(f"/books/{SLUG}/book.json").content)["passages"] == []


def test_no_page_is_set_for_a_leaf_without_text(book):
    from archive.images.facsimiles import tasks_of

    assert list(tasks_of(book)) == []


def test_it_is_exported_and_loaded_again_byte_for_byte(book, tmp_path):
    publish.export(tmp_path, [SLUG])
    before = dict(book.files)
    clear_shelf()
    publish.load([tmp_path / SLUG])
    assert Book.objects.get(slug=SLUG).files == before


def test_its_first_words_are_written_by_hand_and_found(book, curator, client):
    sent = {"parent": 1, "line": ["[title] {#title} Five Hundred Rum", "{#deal} Deal seven cards."]}
    assert curator.post(f"/books/{SLUG}/1/mend/", sent | {"reason": "First text."}).status_code == 302
    assert "Deal seven cards." in client.get(f"/books/{SLUG}/passages/deal/").content.decode()
    assert SLUG in client.get("/search/?q=seven+cards").content.decode()
    note = {
        "parent": 2,
        "kind": "gloss",
        "title": "Seven",
        "anchor": "deal",
        "quote": "seven",
        "body": "Seven.",
    }
    assert curator.post(f"/books/{SLUG}/notes/new/", note | {"reason": "Asked."}).status_code == 302


def test_it_may_belong_to_a_game_that_another_book_scores(curator, client):
    curator.post(NEW, ASKED | {"game": ["victory-rummy"]})
    curator.post(f"/books/{SLUG}/state/", {"act": "publish"})
    assert "/pads/new/?game=victory-rummy" in client.get(f"/books/{SLUG}/").content.decode()
    text = {"text.txt": TEXT}
    edits.save(SLUG, text, 1, Signature("First text."))
    variant = {"parent": 2, "game": "victory-rummy", "title": "To 300", "reasons": "Short.", "cites": "two"}
    variant |= {"option-target": "300", "reason": "The club."}
    assert curator.post(f"/books/{SLUG}/variants/new/", variant).status_code == 302
    brief = '[[brief]]\ngame = "victory-rummy"\ntitle = "x"\n\n[[brief.line]]\ntext = "x"\n'
    brief += f'cites = ["{SLUG}/one"]\n'
    with pytest.raises(EditError, match=engine.GAMES["victory-rummy"].book):
        edits.save(SLUG, {"brief.toml": brief}, 3, Signature("Brief."))


@pytest.mark.django_db(transaction=True)
def test_of_two_who_add_one_book_at_once_one_does():
    clients = [signed_in(make_person(name, "curator")) for name in ("Ada", "Ben")]
    came = []

    def add(client, blurb):
        try:
            came.append((client.post(NEW, ASKED | {"blurb": blurb}).status_code, blurb))
        finally:
            connection.close()

    threads = [threading.Thread(target=add, args=(client, f"By {n}.")) for n, client in enumerate(clients)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    (won, blurb), (lost, _) = sorted(came)
    assert (won, lost) == (302, 422)
    assert Book.objects.get().blurb == blurb and Revision.objects.count() == 1


BAD = [
    ({"title": ""}, "title", "needs an answer"),
    ({"blurb": ""}, "blurb", "needs an answer"),
    ({"leaves": "0"}, "leaves", "From 1 to 200"),
    ({"leaves": "many"}, "leaves", "From 1 to 200"),
    ({"leaves": "9" * 4000}, "leaves", "From 1 to 200"),
    ({"slug": BOOK}, "slug", "already"),
    ({"slug": "new"}, "slug", "not “new”"),
    ({"slug": "No Name"}, "slug", "Small letters"),
    ({"title": "题", "short_title": "", "year": ""}, "slug", "Small letters"),
    ({"rights": ""}, "rights", "Choose one"),
    ({"year": "1930s"}, "year", "Four digits, such as 1930."),
]


def test_what_is_needed_is_marked_and_nothing_else(curator):
    page = curator.get(NEW).content.decode()
    marked = re.findall(r'<label for="(\w+)">[^<]*<span[^>]*>needed</span>', page)
    assert marked == ["leaves", "title", "blurb", "rights"]


def test_a_year_in_words_is_the_only_fault_and_makes_no_name(curator):
    page = curator.post(NEW, ASKED | {"year": "the 1930s"}).content.decode()
    assert 'id="year-fault"' in page and 'id="slug-fault"' not in page and 'value="the 1930s"' in page


def test_what_cannot_stand_is_said_at_its_field_and_nothing_is_lost(curator):
    Book.objects.create(slug=BOOK, published=timezone.now())
    for change, field, says in BAD:
        answer = curator.post(NEW, ASKED | {"pieces": "Two packs"} | change)
        page = answer.content.decode()
        assert answer.status_code == 422 and f'id="{field}-fault"' in page and says in page, change
        assert 'value="Two packs"' in page
    assert Book.objects.count() == 1


def test_a_contributor_moves_no_leaf(curated, book):
    client = signed_in(curated["contributor"])
    assert client.get(ORDER).status_code == client.post(ORDER, ASKED).status_code == 403


def test_a_contributor_proposes_a_book_that_is_talked_about_and_decided(curated, curator):
    carla = signed_in(curated["contributor"])
    assert "Propose it" in carla.get(NEW).content.decode()
    page = carla.post(NEW, ASKED)["Location"]
    proposal = Proposal.objects.get()
    assert (proposal.kind, Book.objects.get().state) == ("book", Book.DRAFT)
    assert carla.get(f"/books/{SLUG}/").status_code == 404 and carla.get(page).status_code == 200
    assert "Five Hundred Rum" in waiting(curator)[0] and "Five Hundred Rum" in waiting(carla)[1]
    # A question makes it wait for its author, an answer for the curators again.
    assert curator.post(page, {"act": "say", "remark": "Where did you find it?"}).status_code == 302
    assert "Five Hundred Rum" in waiting(curator)[1] and "Five Hundred Rum" in waiting(carla)[0]
    assert carla.post(page, {"act": "say", "remark": "<b>In a drawer.</b>"}).status_code == 302
    assert "Five Hundred Rum" in waiting(curator)[0]
    told = curator.get(page).content.decode()
    assert told.index("Where did you find it?") < told.index("&lt;b&gt;In a drawer.")
    assert "Write what you want" in carla.post(page, {"act": "say", "remark": " "}).content.decode()
    stranger = signed_in(make_person("Eve", "contributor"))
    assert (
        stranger.get(page).status_code
        == stranger.post(page, {"act": "say", "remark": "x"}).status_code
        == 404
    )
    # Its author cannot decide; a curator does, and what was said stays.
    assert carla.post(page, {"act": "accept"}).status_code == 403
    assert curator.post(page, {"act": "accept", "words": "Thank you."}).status_code == 302
    assert carla.post(page, {"act": "say", "remark": "More."}).status_code == 409
    assert "In a drawer." in carla.get(page).content.decode()
    assert Book.objects.get().state == Book.DRAFT and Revision.objects.get().signed == "Carla"


def waiting(client):
    """What the desk shows as waiting for this person, and as waiting for others."""
    page = client.get("/curation/").content.decode()
    here = page.split('id="waiting"')[1].split("</section>")[0]
    return here, page.split('id="others"')[1].split("</section>")[0] if 'id="others"' in page else ""


def test_the_desk_shows_what_waits_with_the_oldest_first(curated, curator, book):
    carla = signed_in(curated["contributor"])
    for number, words in ((1, "First."), (2, "Second.")):
        carla.post(f"/books/{SLUG}/{number}/mend/", {"parent": 1, "reason": words, "line": [words]})
    here, _ = waiting(curator)
    assert here.index("First.") < here.index("Second.")
    oldest = Proposal.objects.get(reason="First.")
    for client in (curator, carla):
        client.post(f"/curation/proposals/{oldest.pk}/", {"act": "say", "remark": "Well?"})
    here, _ = waiting(curator)
    assert here.index("Second.") < here.index("First."), "it has waited since the answer"


def test_a_leaf_that_moves_takes_text_scan_and_state_along(written, curator, curated):
    proofreading.record(written, 2, "proofread", curated["curator"])
    answer = curator.post(ORDER, order((2, "Two"), (0, "Between"), (1, "One"), (3, "Last"), parent=2))
    assert answer["Location"] == f"{ORDER}?saved=3"
    leaves = Leaf.objects.filter(book=written)
    assert [(leaf.number, leaf.title) for leaf in leaves] == [
        (1, "Two"), (2, "Between"), (3, "One"), (4, "Last"),
    ]  # fmt: skip
    assert PageImage.objects.get(identifier="s2").leaf.number == 1
    found = [state.state for state in proofreading.states_of(written)]
    assert found == ["proofread", "without-text", "not-proofread", "without-text"]
    assert Revision.objects.get(book=written, number=3).moved == [2, 0, 1, 3]


def test_what_was_said_of_a_leaf_holds_when_another_one_changes(written, curated):
    proofreading.record(written, 2, "proofread", curated["curator"])
    text = TEXT.replace("{#one} One", "{#one} One\n\nOne and a half")
    edits.save(SLUG, {"text.txt": text}, 2, Signature("A paragraph more.", curated["curator"]))
    assert proofreading.state_of(written, 2).state == "proofread"


def test_bringing_back_an_older_order_moves_the_scan_back(written, curator, curated):
    curator.post(ORDER, order((2, "Two"), (1, "One"), (3, "Last"), parent=2))
    curator.post(ORDER, order((1, "Two"), (3, "Last"), (2, "One"), parent=3))
    assert PageImage.objects.get(identifier="s2").leaf.number == 1
    curator.post(f"/books/{SLUG}/revisions/2/restore/", {"reason": "As it was."})
    assert PageImage.objects.get(identifier="s2").leaf.number == 2
    head = revisions.head_of(written)
    assert revisions.texts_of(head.files)["text.txt"] == TEXT and head.moved == [3, 1, 2]


def test_notes_on_rectangles_follow_their_leaf(written, curator):
    note = {"parent": 2, "kind": "gloss", "title": "There", "body": "There.", "leaf": "2"}
    sides = {"left": "10", "top": "10", "width": "20", "height": "5"}
    curator.post(f"/books/{SLUG}/notes/new/", note | sides | {"reason": "Seen."})
    curator.post(ORDER, order((2, "Two"), (1, "One"), (3, "Last"), parent=3))
    assert written.notes.get().region == "1/pct:10,10,20,5"


def test_only_an_empty_leaf_is_taken_out(written, curator):
    rows = [(1, "One"), (2, "Two"), (3, "Last")]
    assert "has text" in curator.post(ORDER, order(*rows, parent=2, out=["1"])).content.decode()
    assert "has had a scan" in curator.post(ORDER, order(*rows, parent=2, out=["2"])).content.decode()
    assert curator.post(ORDER, order(*rows, parent=2, out=["3"])).status_code == 302
    assert Leaf.objects.filter(book=written).count() == 2
    assert curator.post(ORDER, order(parent=3)).status_code == 422


def test_a_leaf_that_goes_on_with_a_passage_stays_behind_it(written, curator, curated):
    text = TEXT.replace("{#two} Two", "and one more.\n\n{#two} Two")
    edits.save(SLUG, {"text.txt": text}, 2, Signature("More.", curated["curator"]))
    rows = order((2, "Two"), (1, "One"), (3, "Last"), parent=3)
    answer = curator.post(ORDER, rows)
    assert answer.status_code == 422 and "goes on with a passage of page 1" in answer.content.decode()
    assert (
        curator.post(ORDER, order((1, "One"), (0, "Blank"), (2, "Two"), (3, "x"), parent=3)).status_code
        == 302
    )


def test_the_form_moves_and_adds_rows_without_a_script(written, curator):
    rows = [(1, "One"), (2, "Two"), (3, "Last")]
    page = curator.post(ORDER, order(*rows, parent=2, act="up:1")).content.decode()
    assert page.index('value="Two"') < page.index('value="One"')
    assert 'name="was" value="0"' in curator.post(ORDER, order(*rows, parent=2, act="add")).content.decode()
    assert Revision.objects.filter(book=written).count() == 2


def test_who_moved_leaves_meanwhile_is_shown_and_nothing_is_overwritten(written, curator):
    rows = order((2, "Two"), (1, "One"), (3, "Last"), parent=2)
    assert curator.post(ORDER, rows).status_code == 302
    answer = curator.post(ORDER, order((1, "Uno"), (2, "Two"), (3, "Last"), parent=2))
    assert answer.status_code == 412 and "1. Uno" in as_written(answer.content.decode())
    assert Leaf.objects.get(book=written, number=1).title == "Two"


def test_a_mend_elsewhere_meanwhile_does_not_stop_it(written, curator, curated):
    edits.save(SLUG, {"text.txt": TEXT.replace("One", "Won")}, 2, Signature("Mended.", curated["keeper"]))
    assert curator.post(ORDER, order((2, "Two"), (1, "One"), (3, "Last"), parent=2)).status_code == 302
    assert "Won" in Leaf.objects.get(book=written, number=2).text_lines[0].reading
    assert LeafCheck.objects.count() == 0


def test_a_name_is_made_from_what_it_is_called_and_its_year():
    card = catalogue.CatalogueDraft(
        {"title": "Rules for the “Grand” Game of Rum & Coon-Can of Many Players", "year": "1912"}
    )
    slug = new_book.slug_from(card)
    assert slug.startswith("rules-for-the-grand-game") and slug.endswith("-1912") and len(slug) <= 50
    assert leaf_order.MAX_LEAVES < leaf_order.SPARE_NUMBERS


def test_pasted_text_gets_the_names_of_its_passages_by_itself(curator):
    curator.post(NEW, ASKED)
    pasted = (
        "[running-head] RUM\n[heading] The deal\nShuffle the pack.\nDeal eight.\n\nThe rest is the stock."
    )
    address = f"/books/{SLUG}/2/mend/"
    answer = curator.post(address, {"line": [pasted], "reason": "Typed.", "parent": 1})
    assert answer.status_code == 302, answer.content.decode()
    book = Book.objects.get(slug=SLUG)
    assert list(book.passages.values_list("anchor", flat=True)) == ["page-2", "page-2-2", "page-2-3"]
    assert (
        "[heading] {#page-2} The deal\n{#page-2-2} Shuffle the pack.\nDeal eight.\n" in book.files["text.txt"]
    )
    assert "[running-head] RUM" in book.files["text.txt"]
    # A name that somebody writes counts; and an earlier page may have taken one.
    named = {"line": ["{#stock} The stock."], "reason": "Typed.", "parent": 2}
    curator.post(f"/books/{SLUG}/1/mend/", named)
    assert Book.objects.get().passages.filter(anchor="stock").exists()
    shown = curator.post(f"/books/{SLUG}/3/mend/preview/", {"line": ["Going out."], "parent": 3})
    assert "Going out." in shown.content.decode() and "outside any passage" not in shown.content.decode()

"""Pairs of parallel texts as people correct them: joined, parted, moved, kept; with history and review."""

import re
from html import unescape

import pytest

from archive.curation import edits
from archive.edition import QuotedSentence, read_book
from archive.edition.folder import read_files
from archive.images import facsimiles
from archive.models import Book
from archive.models.history import Proposal, Revision
from archive.publication import publish
from archive.publication.revisions import Signature
from tests.archive.curators import signed_in
from tests.html import holds
from tests.people.conftest import make_person

HERE, THERE = "rummy-1916", "rap-rummy-1926"
ADDRESS = f"/books/{HERE}/parallel/{THERE}/"
SIDE_BY_SIDE = f"/parallel/{HERE}/{THERE}/"
QUOTED = re.compile(r'\[\[pair.there\]\]\nanchor = ".*"\ntext = "(.*)"')
NAMES = {"contributor": "Carla", "curator": "Conrad"}


@pytest.fixture(autouse=True)
def no_pages(monkeypatch):
    """Setting pages takes seconds and has its own tests."""
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)


@pytest.fixture
def client_of(shelf):
    """The two books without what their editors have decided, and whoever signs in."""
    book = shelf[HERE]
    book.files.pop("parallel.toml", None)
    publish.publish(read_files(HERE, book.files), book.files)
    return lambda role: signed_in(make_person(NAMES[role], role))


class Form:
    """The form as a browser holds it: what it carries along, and the box before each sentence."""

    def __init__(self, client, query=""):
        self.client = client
        self.take(client.get(ADDRESS + query))

    def take(self, answer):
        self.answer, self.page = answer, answer.content.decode()
        self.fields = dict(re.findall(r'type="hidden" name="(\w+)" value="(\w*)"', self.page))
        self.fields.pop("csrfmiddlewaretoken", None)
        self.fields["pairs"] = unescape(
            re.search(r'<textarea name="pairs" hidden>(.*?)</textarea>', self.page, re.S)[1]
        )
        boxes = re.findall(r'name="(here|there)"\s+value="([^"]+)".*?<span>(.*?)</span>', self.page, re.S)
        self.boxes = {(side, key.rpartition(".")[0]): key for side, key, _ in boxes}

    def do(self, act, here=(), there=(), **more):
        sent = {"here": [self.boxes["here", key] for key in here]}
        sent |= {"there": [self.boxes["there", key] for key in there]}
        self.take(self.client.post(ADDRESS, self.fields | sent | {"act": act} | more))
        return self

    def publish(self, **more):
        return self.client.post(ADDRESS, self.fields | {"reason": "The same rule."} | more)


def row(client, name, address=SIDE_BY_SIDE):
    """The row of this name: its kind, what is on either side, and who decided about it."""
    page = client.get(address).content.decode()
    kind, cells = re.search(rf'<tr class="parallel__(\w+)" id="{name}">(.*?)</tr>', page, re.S).groups()
    plain = [
        " ".join(re.sub(r"<[^>]+>|§", " ", cell).split())
        for cell in re.findall(r"<td.*?>(.*?)</td>", cells, re.S)
    ]
    return kind, *plain


def test_sentences_are_joined_parted_moved_and_said_to_be_kept(client_of, client):
    assert row(client, "deal-1")[:2] == ("added", "")
    form = Form(client_of("curator"))
    form.do("pair", ["deal.1", "deal.2"], ["deal.1"])
    assert "Not saved yet" in form.page and Revision.objects.filter(book__slug=HERE).count() == 2
    # Parted: a false friend. Moved: across the order of the text. Kept, although a word differs.
    form.do("alone", ["dealers.2"], ["copyright.2"])
    form.do("pair", ["shuffle.1"], ["rap-shuffle.1"])
    form.do("pair", ["rows.1"], ["rows.1"], change="kept")
    assert form.publish()["Location"] == f"{ADDRESS}?saved=3"
    kind, first, second, said = row(client, "deal-1")
    assert kind == "changed" and first.startswith("When two play") and "deal six cards to each." in first
    assert second.startswith("If from three to six") and said.startswith("changed Conrad,")
    # Two sentences of one passage have one link.
    page = client.get(SIDE_BY_SIDE).content.decode()
    assert page.count("/books/rummy-1916/passages/deal/") == 1
    assert row(client, "copyright-2")[:2] == ("added", "")
    assert row(client, "dropped-dealers-2")[0] == "dropped"
    assert row(client, "rap-shuffle-1")[:3] == ("kept", *["Shuffle the pack thoroughly."] * 2)
    assert row(client, "rows-1")[0] == "kept"
    page = client.get(SIDE_BY_SIDE).content.decode()
    assert holds(page, "Conrad corrected or confirmed 5 of these rows, which are marked.")
    assert "dropped-shuffle-1" not in page and page.count('id="rap-shuffle-1"') == 1
    # From the other side the same decisions hold, the other way round.
    turned = row(client, "deal-1", f"/parallel/{THERE}/{HERE}/")
    assert turned[0] == "changed" and turned[1].startswith("If from three") and "deal-2" not in turned


def test_a_decision_is_taken_back_undone_with_its_revision_and_told_in_the_history(client_of, client):
    curator = client_of("curator")
    Form(curator).do("pair", ["rows.1"], ["rows.1"], change="kept").publish()
    assert row(client, "rows-1")[0] == "kept"
    difference = client.get(f"/books/{HERE}/revisions/3/").content.decode()
    assert (
        "Corrected pairs of parallel texts" in difference and "The played cards are laid down" in difference
    )
    form = Form(curator).do("forget", ["rows.1"])
    assert form.publish().status_code == 302
    assert row(client, "rows-1")[0] == "changed" and "parallel.toml" not in Book.objects.get(slug=HERE).files
    edits.restore(HERE, 3, Signature("It was right.", Revision.objects.get(number=3, book__slug=HERE).author))
    assert row(client, "rows-1")[0] == "kept"
    edits.restore(HERE, 2, Signature("Not so.", Revision.objects.get(number=3, book__slug=HERE).author))
    assert row(client, "rows-1")[0] == "changed"


def test_what_a_contributor_decides_waits_for_a_curator_and_is_signed_by_its_author(client_of, client):
    contributor = client_of("contributor")
    answer = Form(contributor).do("pair", ["rows.1"], ["rows.1"], change="kept").publish()
    proposal = Proposal.objects.get()
    assert (
        answer["Location"] == f"/curation/proposals/{proposal.pk}/" and row(client, "rows-1")[0] == "changed"
    )
    assert proposal.place == "Parallel texts, Rap Rummy"
    form = Form(client_of("curator"), f"?proposal={proposal.pk}")
    assert holds(form.page, "As Carla proposes: The same rule.")
    form.do("alone", ["dealers.2"], ["copyright.2"]).publish()
    proposal.refresh_from_db()
    assert (proposal.state, Revision.objects.get(book__slug=HERE, number=3).signed) == ("accepted", "Carla")
    assert "Carla," in row(client, "rows-1")[3] and "Conrad," in row(client, "copyright-2")[3]


def test_a_conflict_leaves_a_contributor_the_signature_of_what_he_proposed(client_of, client):
    Form(client_of("contributor")).do("pair", ["rows.1"], ["rows.1"], change="kept").publish()
    curator = client_of("curator")
    form = Form(curator, f"?proposal={Proposal.objects.get().pk}")
    Form(signed_in(make_person("Cora", "curator"))).do(
        "pair", ["rows.1"], ["rows.1"], change="changed"
    ).publish()
    answer = form.publish()
    assert answer.status_code == 412
    form.take(answer)
    assert form.publish().status_code == 302
    assert row(client, "rows-1")[3].startswith("kept Carla,")


def test_a_decision_stands_in_a_new_revision_while_its_sentences_do_and_says_so_when_not(client_of, client):
    form = Form(client_of("curator"))
    form.do("pair", ["rows.1"], ["rows.1"], change="kept").do(
        "pair", ["play-out-wins.1"], ["play-out-wins.1"]
    )
    form.publish()
    text = Book.objects.get(slug=HERE).files["text.txt"]
    author = Revision.objects.get(number=3, book__slug=HERE).author
    # Its passage has another name, and a sentence came before it: it stands.
    moved = text.replace("{#rows}", "{#laid-down =rows} New words stand here.")
    assert moved != text
    edits.save(HERE, {"text.txt": moved}, 3, Signature("A line was lost.", author))
    assert (
        row(client, "rows-1")[0] == "kept"
        and "no longer apply" not in client.get(SIDE_BY_SIDE).content.decode()
    )
    changed = moved.replace("The played cards", "All played cards")
    assert changed != moved
    edits.save(HERE, {"text.txt": changed}, 4, Signature("Misread.", author))
    assert row(client, "rows-1")[0] == "changed" and "Conrad" not in row(client, "rows-1")[3]
    page = client.get(SIDE_BY_SIDE).content.decode()
    assert "Corrections that no longer apply" in page and holds(page, "(kept), by Conrad,")
    assert "Conrad" in row(client, "play-out-wins-1")[3]
    form = Form(signed_in(author))
    lost = re.search(r'name="lost" value="([^"]+)"', form.page)[1]
    form.do("forget", lost=[lost]).publish()
    assert "no longer apply" not in client.get(SIDE_BY_SIDE).content.decode()


def test_a_changed_sentence_is_paired_anew_in_place_of_the_old_decision(client_of, client):
    form = Form(client_of("curator")).do("pair", ["rows.1"], ["rows.1"], change="kept")
    form.publish()
    text = Book.objects.get(slug=HERE).files["text.txt"].replace("The played cards", "All played cards")
    author = Revision.objects.get(number=3, book__slug=HERE).author
    edits.save(HERE, {"text.txt": text}, 3, Signature("Misread.", author))
    form = Form(signed_in(author))
    assert "Corrections that no longer apply" in form.page
    assert form.do("pair", ["rows.1"], ["rows.1"], change="kept").publish().status_code == 302
    assert row(client, "rows-1")[0] == "kept"
    assert "no longer apply" not in client.get(SIDE_BY_SIDE).content.decode()


def test_of_two_sentences_in_the_same_words_the_one_that_was_ticked_is_meant(client_of, client):
    curator = client_of("curator")
    said = "The played cards are laid down in rows in front of the player."
    text = Book.objects.get(slug=HERE).files["text.txt"].replace(said, f"{said} {said}")
    head = Revision.objects.filter(book__slug=HERE).order_by("number").last()
    author = Signature("As it was printed.", head.author or make_person("Kim", "curator"))
    edits.save(HERE, {"text.txt": text}, head.number, author)
    form = Form(curator).do("alone", ["rows.2"])
    assert form.publish().status_code == 302
    assert row(client, "dropped-rows-2")[0] == "dropped"
    assert row(client, "rows-1")[:2] == ("changed", said)
    # The first can be decided too, and neither takes the place of the other.
    assert Form(curator).do("pair", ["rows.1"], ["rows.1"], change="kept").publish().status_code == 302
    assert row(client, "rows-1")[0] == "kept" and row(client, "dropped-rows-2")[0] == "dropped"
    assert Book.objects.get(slug=HERE).files["parallel.toml"].count("number = ") == 2


def test_a_withdrawn_rulebook_is_no_longer_quoted_in_the_pairs_of_another(client_of, client):
    Form(client_of("curator")).do("pair", ["rows.1"], ["rows.1"], change="kept").publish()
    quoted = QUOTED.search(Book.objects.get(slug=HERE).files["parallel.toml"])[1]
    file = f"/books/{HERE}/revisions/3/parallel.toml"
    addresses = (
        f"/books/{HERE}/revisions/3/",
        f"/books/{HERE}/revisions/2-3/",
        f"/books/{HERE}/book.json",
        file,
    )
    for state in (Book.WITHDRAWN, Book.DRAFT):
        Book.objects.filter(slug=THERE).update(state=Book.PUBLIC)
        for address in addresses:
            assert quoted in unescape(client.get(address).content.decode()), address
        Book.objects.filter(slug=THERE).update(state=state)
        for address in addresses:
            answer = client.get(address)
            assert quoted not in unescape(answer.content.decode()), address
            assert answer.status_code == (410 if address == file else 200)


def test_two_who_decide_about_the_same_sentence_are_shown_both_and_others_are_merged(client_of, client):
    first, second = Form(client_of("curator")), Form(client_of("contributor"))
    second.client = signed_in(make_person("Cora", "curator"))
    first.do("pair", ["rows.1"], ["rows.1"], change="kept").do("alone", ["dealers.2"]).publish()
    second.do("pair", ["rows.1"], ["rows.1"], change="changed").do("pair", ["deal.1"], ["deal.1"])
    answer = second.publish()
    assert answer.status_code == 412 and "changed the same place" in answer.content.decode()
    second.take(answer)
    assert second.publish().status_code == 302
    assert row(client, "rows-1")[3].startswith("changed Cora,")
    assert "Conrad" in row(client, "dropped-dealers-2")[3] and "Cora" in row(client, "deal-1")[3]


BAD = [
    ({"here": ["rows.1"]}, "Tick at least one sentence of each rulebook."),
    ({"here": ["rows.1", "deal.1"], "there": ["rows.1"]}, "Only sentences that follow each other"),
    ({"here": ["deal.1"], "there": [f"rule-1.{n}" for n in range(1, 6)]}, "at most 4 sentences"),
]


@pytest.mark.parametrize(("ticked", "sentence"), BAD)
def test_what_cannot_be_paired_is_refused_with_a_sentence_and_stays_ticked(client_of, ticked, sentence):
    form = Form(client_of("curator"))
    boxes = form.boxes
    form.do("pair", **ticked)
    assert form.answer.status_code == 422 and sentence in form.page
    assert form.page.count("checked") == sum(map(len, ticked.values()))
    assert form.boxes == boxes


def test_nobody_signs_for_another(client_of, client):
    form = Form(client_of("contributor")).do("pair", ["rows.1"], ["rows.1"], change="kept")
    form.fields["pairs"] = form.fields["pairs"].replace("Carla", "Conrad")
    form.publish()
    Form(client_of("curator"), f"?proposal={Proposal.objects.get().pk}").publish()
    assert "Carla" in row(client, "rows-1")[3]


def test_an_old_page_a_damaged_one_and_no_reason_lose_nothing(client_of):
    form = Form(client_of("curator")).do("alone", ["deal.1"])
    assert "Tick the sentences first" in form.do("alone").page
    gone = form.client.post(ADDRESS, form.fields | {"act": "alone", "here": "deal.9.00000000"})
    assert gone.status_code == 422 and "changed meanwhile" in gone.content.decode()
    damaged = form.client.post(ADDRESS, form.fields | {"pairs": "[[pair", "act": "alone"})
    assert damaged.status_code == 422 and "Open the page again" in damaged.content.decode()
    answer = form.publish(reason="")
    assert answer.status_code == 422 and "Say briefly why" in answer.content.decode()
    form.take(answer)
    assert form.publish().status_code == 302


def test_the_page_is_at_one_address_and_of_public_rulebooks_alone(client_of):
    client = client_of("contributor")
    assert client.get(f"/books/{THERE}/parallel/{HERE}/")["Location"] == ADDRESS
    assert client.get(f"/books/{HERE}/parallel/{HERE}/").status_code == 404
    assert client.get("/books/victory-rummy-1942/parallel/victor-or-victim/").status_code == 404
    Book.objects.filter(slug=THERE).update(state=Book.DRAFT)
    assert client.get(ADDRESS).status_code == 404


def test_pairs_are_kept_in_a_file_exported_read_back_and_verified(client_of, tmp_path, client):
    form = Form(client_of("curator")).do("pair", ["rows.1"], ["rows.1"], change="kept")
    form.publish()
    [folder] = publish.export(tmp_path, [HERE])
    assert read_book(folder).pairs[0].here == (
        QuotedSentence("rows", "The played cards are laid down in rows in front of the player."),
    )
    data = client.get(f"/books/{HERE}/book.json").json()
    assert data["pairs"][0]["with"] == THERE and data["pairs"][0]["change"] == "kept"
    publish.load([folder], overwrite=True)
    assert row(client, "rows-1")[0] == "kept"


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        (f'with = "{THERE}"', 'with = "zebra"', "stands in the folder of that rulebook"),
        ('change = "kept"\n', "", "change is written where"),
        ('change = "kept"', 'change = "added"', "must be one of kept, changed"),
    ],
)
def test_a_file_with_an_impossible_pair_is_refused(client_of, tmp_path, old, new, sentence):
    Form(client_of("curator")).do("pair", ["rows.1"], ["rows.1"], change="kept").publish()
    [folder] = publish.export(tmp_path, [HERE])
    file = folder / "parallel.toml"
    file.write_text(file.read_text().replace(old, new))
    with pytest.raises(publish.PublishError, match=sentence):
        publish.read_sources([folder])

"""The declared game of a book by form: read back in sentences, refused with its line, published, proposed."""

import json
import re

import pytest

from archive.models import Book, GameDraft
from archive.models.history import Proposal, Revision
from tests.archive.curators import PIT, as_written, seen_in, signed_in
from tests.html import holds

ADDRESS, GAME_PAGE = "/books/pit/game/text/", "/books/pit/game/"
GAME, SHEETS = ((PIT / name).read_text() for name in ("game.toml", "sheets.json"))
DEARER = GAME.replace("hay = 50", "hay = 55")

pytestmark = pytest.mark.django_db


def form(client, declaration=GAME, sheets=SHEETS, address=ADDRESS, **more):
    """What a browser sends: lines end as on paper."""
    texts = {"declaration": declaration.replace("\n", "\r\n"), "sheets": sheets.replace("\n", "\r\n")}
    seen = seen_in(client.get(address))
    return {"parent": 1, "seen": seen, "reason": "As the rulebook says.", **texts, **more}


def test_a_declaration_is_read_back_with_its_sentences_and_those_that_score_nothing(pit):
    client = signed_in(pit["contributor"])
    page = client.get(ADDRESS).content.decode()
    assert GAME.replace('"', "&quot;").replace("'", "&#x27;") in page
    assert '<a href="/books/pit/passages/left/" aria-label="The sentence: left">' in page
    assert "The result is as expected." in page and "field__fault" not in page
    silent = page.split("Sentences that no rule cites yet: ")[1].split("</details>")[0]
    assert "passages/corner/" not in silent
    named = re.findall("/passages/([^/]+)/", silent)
    sent = form(client, f"silent = {json.dumps(named)}\n{GAME}", act="preview")
    page = client.post(ADDRESS, sent).content.decode()
    assert "Every sentence is cited by a rule, or scores nothing." in page


def test_a_changed_declaration_is_published_with_its_reason_and_begins_new_pads(pit):
    curator = signed_in(pit["curator"])
    assert (
        "cannot be read yet"
        not in curator.post(ADDRESS, form(curator, DEARER, act="preview")).content.decode()
    )
    assert Revision.objects.filter(book__slug="pit").count() == 1
    assert curator.post(ADDRESS, form(curator, DEARER))["Location"] == f"{GAME_PAGE}?saved=2"
    book = Book.objects.get(slug="pit")
    assert book.declaration == DEARER and book.files["sheets.json"] == SHEETS
    assert Revision.objects.get(book=book, number=2).reason == "As the rulebook says."
    assert "Start a pad" in curator.get(f"{GAME_PAGE}?saved=2").content.decode()
    curator.post("/books/pit/revisions/1/restore/", {"reason": "It was right."})
    assert Book.objects.get(slug="pit").declaration == GAME


def test_an_untouched_declaration_keeps_every_byte(pit):
    client = signed_in(pit["curator"])
    answer = client.post(ADDRESS, form(client))
    assert answer.status_code == 422 and "Nothing has changed" in answer.content.decode()


BAD = [
    (
        {"declaration": GAME.replace("-penalty", "-penance")},
        "Line 90: Entry corner_called, award 3: points: Nothing here is called penance",
    ),
    (
        {"declaration": GAME.replace('["left"]', '["right"]', 1)},
        "Line 32: Option penalty: the book has no passage",
    ),
    ({"declaration": GAME.replace('key = "pit"', 'key = "rummy-1916"')}, "has a game rummy-1916 already"),
    ({"declaration": "key = ["}, "This is not TOML"),
    ({"declaration": "<b>\x00" * 3000}, "This is not TOML"),
    ({"sheets": SHEETS.replace('"Ada": 85', '"Ada": 86', 1)}, "and should be"),
    ({"sheets": "[]"}, "at least 3 example sheets"),
    ({"sheets": "{"}, 'id="sheets-fault"'),
    ({"declaration": ""}, "Example sheets stand beside a declaration."),
    ({"declaration": DEARER, "reason": ""}, "Say briefly why"),
]


def test_what_cannot_stand_is_said_with_its_line_and_kept(pit):
    client = signed_in(pit["curator"])
    for change, says in BAD:
        answer = client.post(ADDRESS, form(client) | change)
        assert answer.status_code == 422 and holds(answer.content.decode(), says), (change, says)
        assert "As the rulebook says." in answer.content.decode() or "reason" in change
    assert Revision.objects.filter(book__slug="pit").count() == 1


def test_a_contributors_game_of_a_book_without_one_waits_and_is_accepted(pit):
    book = "victory-rummy-1942"
    address = f"/books/{book}/game/text/"
    own = re.sub(r"cites = \[.*?\]", 'cites = ["enter-score"]', GAME)
    own = own.replace('book = "pit"', f'book = "{book}"').replace('key = "pit"', 'key = "trade"')
    sheets = SHEETS.replace('"game": "pit"', '"game": "trade"')
    contributor, curator = signed_in(pit["contributor"]), signed_in(pit["curator"])
    assert "seats = [2, 6]" in contributor.get(address).content.decode()
    sent = contributor.post(address, form(contributor, own, sheets, address))
    assert sent.status_code == 302, sent.content.decode()
    proposal = Proposal.objects.get()
    shown = curator.get(f"/curation/proposals/{proposal.pk}/").content.decode()
    assert "Declared game" in shown
    assert "Who has the corner?" in curator.get(f"{address}?proposal={proposal.pk}").content.decode()
    assert curator.post(f"/curation/proposals/{proposal.pk}/", {"act": "accept"}).status_code == 302
    assert Book.objects.get(slug=book).declared_key == "trade"
    curator.post(f"/books/{book}/revisions/1/restore/", {"reason": "Without it."})
    assert Book.objects.get(slug=book).declared_key == ""


def test_two_who_change_one_line_get_412_with_both_and_what_else_changed_is_joined(pit):
    one, two = signed_in(pit["curator"]), signed_in(pit["keeper"])
    late = form(two, GAME.replace("hay = 50", "hay = 45"))
    one.post(ADDRESS, form(one, DEARER.replace('"Who has the corner?"', '"Whose corner is it?"')))
    joined = two.post(ADDRESS, late)
    page = as_written(joined.content.decode())
    assert joined.status_code == 412 and "hay = 45" in page and "hay = 55" in page
    assert "Whose corner is it?" in page and 'name="parent" value="2"' in page
    two.post(ADDRESS, form(two, GAME.replace("seats = [3, 7]", "seats = [3, 8]")))
    assert "seats = [3, 8]" in Book.objects.get(slug="pit").declaration
    assert json.loads(Book.objects.get(slug="pit").files["sheets.json"])


def test_a_text_written_over_another_draft_is_not_kept_over_it(pit):
    curator = signed_in(pit["curator"])
    old, new = form(curator, DEARER, act="keep"), form(curator, GAME + "# my remark\n", act="keep")
    assert curator.post(ADDRESS, new).status_code == 302
    answer = curator.post(ADDRESS, old)
    assert answer.status_code == 409 and holds(answer.content.decode(), "in another window meanwhile")
    assert "hay = 55" in answer.content.decode()
    assert "# my remark" in GameDraft.objects.get().declaration
    assert curator.post(ADDRESS, old | {"seen": seen_in(answer)}).status_code == 302
    assert GameDraft.objects.get().declaration == DEARER


def test_a_draft_that_takes_the_game_out_says_so(pit):
    curator = signed_in(pit["curator"])
    curator.post(ADDRESS, form(curator, "", "", act="keep"))
    page = curator.get(GAME_PAGE).content.decode()
    assert "Your draft takes the game out" in page and "This rulebook has no game yet" not in page
    assert curator.get(f"{GAME_PAGE}piece/entry-new/?kind=scoring")["Location"] == GAME_PAGE
    assert "seats = " not in curator.get(ADDRESS).content.decode()

"""The declared game of a book piece by piece: small forms that grow it, kept as one's own draft."""

import re
from datetime import timedelta

import pytest
from django.utils import timezone

from archive.curation import game_drafts, game_sheets
from archive.models import Book, GameDraft
from archive.models.history import Proposal, Revision
from engine.declared import digest_of, read_declaration, silent_passages
from tests.archive.curators import PIT, seen_in, signed_in

GAME = (PIT / "game.toml").read_text()
OTHER = "/books/victory-rummy-1942/game/"
SCORING = {
    "question": "A trick is won",
    "who": "one",
    "player": "winner",
    "always": "",
    "counted": "How many cards?",
    "least": "1",
    "most": "13",
    "cites": "enter-score",
}

pytestmark = pytest.mark.django_db


def add(client, address, name, **fields):
    """Send the form of a piece as the page has it."""
    seen = seen_in(client.get(f"{address}piece/{name}"))
    return client.post(f"{address}piece/{name}", {"seen": seen, **fields})


def grown(client, address=OTHER):
    """A game in four steps: who plays, what scores, a target, the end."""
    head = {"game": "Tricks", "least": 2, "most": 4, "seat": "player", "by": "Ann", "key": "tricks"}
    assert add(client, address, "head/", **head).status_code == 302
    assert add(client, address, "entry-new/?kind=scoring", **SCORING).status_code == 302
    target = {"question": "How many points win?", "default": 50, "least": 10, "most": 99, "authority": "text"}
    sent = add(client, address, "option-new/?kind=number", key="target", cites="enter-score", **target)
    assert sent.status_code == 302
    end = {"reaches": "target", "at": "once", "wins": "first", "ties": "shared", "cites": "enter-score"}
    assert add(client, address, "end/", **end).status_code == 302
    return GameDraft.objects.get().declaration


def test_a_game_grows_sentence_by_sentence_from_nothing(pit):
    client = signed_in(pit["contributor"])
    page = client.get(f"{OTHER}?sentence=score-capture").content.decode()
    assert "This rulebook has no game yet" in page and "What does this sentence say?" in page
    assert "kind=scoring&amp;sentence=score-capture" in page
    assert not GameDraft.objects.exists()
    declaration = read_declaration(grown(client))
    assert declaration.title == "Tricks" and declaration.seats == (2, 4)
    page = client.get(OTHER).content.decode()
    assert "The winner gets “cards”." in page and "a total reaches “target”" in page
    assert "There is a trial pad as soon as" not in page
    assert Revision.objects.filter(book__slug="victory-rummy-1942").count() == 1


def test_a_sentence_that_begins_a_piece_is_ticked_and_is_silent_no_more(pit):
    client = signed_in(pit["curator"])
    page = client.get(f"{OTHER}piece/entry-new/?kind=scoring&sentence=enter-score").content.decode()
    assert 'value="enter-score" checked' in page
    silent = re.compile(r"(\d+) sentences score nothing yet")
    before = int(silent.search(client.get(OTHER).content.decode())[1])
    add(client, OTHER, "entry-new/?kind=scoring", **SCORING)
    assert int(silent.search(client.get(OTHER).content.decode())[1]) == before - 1


def test_one_piece_is_changed_and_taken_away_and_all_other_lines_stay(pit):
    client, address = signed_in(pit["curator"]), "/books/pit/game/"
    own = {
        "to": "player",
        "points": "corner[grain] + 5",
        "symbol": "corner",
        "why": "{who}",
        "cites": "corner",
    }
    assert add(client, address, "entry-0-award-0/", **own).status_code == 302
    kept = GameDraft.objects.get().declaration
    changed = [line for line in kept.split("\n") if line not in GAME.split("\n")]
    assert 'points = "corner[grain] + 5"' in changed and len(changed) <= 5
    assert add(client, address, "entry-0-award-1/", act="delete").status_code == 302
    left = GameDraft.objects.get().declaration
    assert kept.count("[[entry.award]]") == left.count("[[entry.award]]") + 1
    assert client.get(f"{address}piece/entry-0-award-9/").status_code == 404


HEAD = {"game": "x", "least": 2, "most": 4, "seat": "player", "by": "A", "key": "x"}
CITED = {"cites": "enter-score"}
READ = {"question": "How?", "authority": "text", **CITED}
END = {"at": "hand", "wins": "first", "ties": "shared", **CITED}
REFUSED = [
    ("entry-new/?kind=scoring", SCORING | {"cites": []}, "Tick the sentence of the rulebook"),
    ("entry-new/?kind=scoring", SCORING | {"question": ""}, "Write something here."),
    ("entry-new/?kind=scoring", SCORING | {"least": "9", "most": "3"}, "whole number from 9"),
    ("entry-new/?kind=scoring", SCORING | {"who": "each", "always": "5"}, "Leave this empty"),
    ("entry-0-award-new/", {"to": "winner", "points": "coins", **CITED}, "Nothing here is called coins"),
    ("entry-0-award-new/", {"to": "nobody", "points": "1", **CITED}, "Choose one."),
    ("entry-0-check-new/", {"that": "cards = 3", "says": "No.", **CITED}, "Write == to compare"),
    ("option-new/?kind=readings", {**READ, "readings": "one"}, "Write it as word:"),
    ("option-new/?kind=readings", {**READ, "readings": "a: One."}, "2 to 20"),
    ("table-new/", {"key": "worth", "rows": "queen thirteen"}, "Write it as queen: 13"),
    ("head/", HEAD | {"least": 5, "most": 2}, "least and the most players"),
    ("head/", HEAD | {"key": "A B"}, "small letters"),
    ("end/", END, "hen is the game over"),
]


def test_what_cannot_stand_is_said_at_its_field_and_nothing_is_kept(pit):
    client = signed_in(pit["contributor"])
    add(client, OTHER, "entry-new/?kind=scoring", **SCORING)
    before = GameDraft.objects.get().declaration
    for name, fields, says in REFUSED:
        answer = add(client, OTHER, name, **fields)
        page = answer.content.decode()
        assert answer.status_code == 422 and says in page, (name, fields, says)
        assert "field__fault" in page or "notice--fault" in page
    assert GameDraft.objects.get().declaration == before


def test_questions_of_every_kind_are_asked_and_answer_to_sums(pit):
    client = signed_in(pit["curator"])
    add(client, OTHER, "entry-new/?kind=scoring", **SCORING)
    for kind, fields in (
        ("flag", {"question": "Was it doubled?", "key": "doubled", "optional": "on"}),
        ("choice", {"question": "Which suit?", "key": "suit", "values": "red\nblack"}),
        (
            "pieces",
            {"question": "Which cards?", "key": "shown", "values": "ace\nking", "least": 0, "most": 5},
        ),
        ("each", {"question": "What is left?", "key": "hands", "counted": "Pips", "least": 0, "most": 60}),
    ):
        assert add(client, OTHER, f"entry-0-field-new/?kind={kind}", **fields).status_code == 302, kind
    each = add(client, OTHER, "entry-0-field-5-share-new/?kind=flag", question="Out?", key="out")
    assert each.status_code == 302
    add(client, OTHER, "table-new/", key="worth", rows="ace: 11\nking: 10")
    points = "cards * (1 + doubled) + worth[shown] + 5 * (suit == 'red')"
    award = {"points": points, "cites": "enter-score"}
    assert add(client, OTHER, "entry-0-award-new/", to="others of winner", **award).status_code == 302
    left = {"points": "pips * (1 - out)", "cites": "enter-score"}
    assert add(client, OTHER, "entry-0-award-new/", to="hands", source="winner", **left).status_code == 302
    page = client.get(OTHER).content.decode()
    assert "Each player but the winner gets" in page and "Each player gets “pips”" in page


def test_a_new_table_overwrites_none_and_numbers_stay_numbers(pit):
    client = signed_in(pit["curator"])
    add(client, OTHER, "entry-new/?kind=scoring", **SCORING)
    add(client, OTHER, "table-new/", key="worth", rows="ace: 11")
    twice = "king: 10\nking: 9"
    for rows, key, says in (("king: 10", "worth", "taken already"), (twice, "", "is listed twice")):
        answer = add(client, OTHER, "table-new/", key=key, rows=rows)
        assert answer.status_code == 422 and says in answer.content.decode()
    assert "ace = 11" in GameDraft.objects.get().declaration
    asked = {"question": "Which blocks?", "key": "blocks", "least": 0, "most": 5}
    add(client, OTHER, "entry-0-field-new/?kind=pieces", values="a\nb", **asked)
    draft = GameDraft.objects.get()
    draft.declaration = draft.declaration.replace('["a", "b"]', "[1, 2]")
    draft.save()
    answer = add(client, OTHER, "entry-0-field-2/", values="1\n--5", **asked)
    assert answer.status_code == 422 and "words and numbers do not mix" in answer.content.decode()
    assert add(client, OTHER, "entry-0-field-2/", values="1\n-5", **asked).status_code == 302
    assert "values = [1, -5]" in GameDraft.objects.get().declaration


def test_a_whole_game_is_proposed_and_its_draft_is_gone(pit):
    client = signed_in(pit["contributor"])
    grown(client)
    answer = client.post(OTHER, {"reason": "As the rulebook says."})
    assert answer.status_code == 422 and "at least 3 example sheets" in answer.content.decode()
    sheet = {"tally": 1, "game": "tricks", "players": ["Ann", "Bert"], "entries": []}
    rows = [
        {"name": f"Sheet {at}", "sheet": sheet, "result": {"totals": {"Ann": 0, "Bert": 0}}}
        for at in range(3)
    ]
    GameDraft.objects.update(sheets=game_sheets.write(rows))
    answer = client.post(OTHER, {"reason": "As the rulebook says."})
    assert answer.status_code == 302 and not GameDraft.objects.exists()
    proposal = Proposal.objects.get()
    curator = signed_in(pit["curator"])
    query = f"?proposal={proposal.pk}"
    assert "The winner gets" in curator.get(f"{OTHER}{query}").content.decode()
    own = {"question": "Somebody takes a trick", "hand": "on"}
    assert add(curator, f"{OTHER}", f"entry-0/{query}", **own).status_code == 302
    assert GameDraft.objects.get().proposal == proposal.pk
    assert curator.post(f"{OTHER}{query}", {"reason": "A better word."}).status_code == 302
    assert "Somebody takes a trick" in Book.objects.get(slug="victory-rummy-1942").declaration


def test_a_draft_is_its_authors_alone_and_goes_with_time_or_a_word(pit):
    one, two = signed_in(pit["contributor"]), signed_in(pit["curator"])
    grown(one)
    assert "The winner gets" not in two.get(OTHER).content.decode()
    grown_by_two = add(two, OTHER, "entry-new/?kind=scoring", **SCORING | {"question": "Another trick"})
    assert grown_by_two.status_code == 302 and GameDraft.objects.count() == 2
    two.post(OTHER, {"act": "discard"})
    assert GameDraft.objects.get().person == pit["contributor"]
    GameDraft.objects.update(changed=timezone.now() - timedelta(days=game_drafts.DRAFT_DAYS + 1))
    game_drafts.delete_old()
    assert not GameDraft.objects.exists()


def test_a_game_changed_in_another_window_is_not_overwritten(pit):
    client, address = signed_in(pit["curator"]), "/books/pit/game/"
    stale = {"seen": digest_of(GAME), "points": "7", "to": "player", "cites": "corner"}
    assert add(client, address, "entry-0-award-1/", act="delete").status_code == 302
    answer = client.post(f"{address}piece/entry-0-award-0/", stale)
    assert answer.status_code == 409 and "in another window" in answer.content.decode()


def test_two_curators_drafts_are_joined_and_clashes_are_shown(pit):
    one, two, address = signed_in(pit["curator"]), signed_in(pit["keeper"]), "/books/pit/game/"
    for client, least, most in ((one, 3, 8), (two, 3, 9)):
        head = {
            "game": "Pit",
            "least": least,
            "most": most,
            "seat": "player",
            "by": "Tallyroom",
            "key": "pit",
        }
        assert add(client, address, "head/", **head).status_code == 302
    assert one.post(address, {"reason": "More."}).status_code == 302
    clash = two.post(address, {"reason": "Fewer."})
    assert clash.status_code == 412 and "changed the same place" in clash.content.decode()
    # Whoever comes back later, or did not look, is shown the clash again; only its own page goes over it.
    assert "changed the same place" not in two.get(address).content.decode()
    assert two.post(address, {"reason": "Fewer.", "parent": 1}).status_code == 412
    assert "seats = [3, 8]" in Book.objects.get(slug="pit").declaration
    assert two.post(address, {"reason": "Fewer.", "parent": 2}).status_code == 302
    assert "seats = [3, 9]" in Book.objects.get(slug="pit").declaration


def test_a_draft_that_is_no_toml_is_mended_as_text(pit):
    client = signed_in(pit["curator"])
    seen = seen_in(client.get(f"{OTHER}text/"))
    client.post(f"{OTHER}text/", {"declaration": "key = [", "sheets": "", "act": "keep", "seen": seen})
    page = client.get(OTHER)
    assert "cannot be read" in page.content.decode() and "Edit it as text" in page.content.decode()
    assert client.get(f"{OTHER}piece/end/")["Location"] == f"{OTHER}text/"
    assert "key = [" in client.get(f"{OTHER}text/").content.decode()
    for odd in (
        "option = 3\nentry = [1, {}]\ntable = []",
        "entry = [{field = 3, award = [[1]]}]\nend = 2",
        '[table."a b"]\nking = 1\n[table.""]\nking = 1',
    ):
        seen = seen_in(client.get(f"{OTHER}text/"))
        client.post(f"{OTHER}text/", {"declaration": odd, "sheets": "", "act": "keep", "seen": seen})
        assert client.get(OTHER).status_code == 200
        for name in (
            "head",
            "end",
            "entry-0",
            "entry-0-award-0",
            "entry-new",
            "option-0",
            "table-new",
            "table-x",
        ):
            assert client.get(f"{OTHER}piece/{name}/").status_code in (200, 404), name


def test_no_more_drafts_than_one_person_can_write(pit, monkeypatch):
    monkeypatch.setattr(game_drafts, "MAX_DRAFTS", 1)
    client = signed_in(pit["curator"])
    add(client, "/books/pit/game/", "entry-0-award-1/", act="delete")
    answer = add(client, OTHER, "entry-new/?kind=scoring", **SCORING)
    assert answer.status_code == 422 and "Publish or discard one" in answer.content.decode()


def test_a_button_pressed_twice_adds_one_piece(pit):
    client = signed_in(pit["curator"])
    award = {"to": "winner", "points": "5", **CITED}
    for name, fields in (
        ("entry-new/?kind=scoring", SCORING),
        ("entry-0-award-new/", award),
        ("end/", END | {"at": "once", "reaches": "100"}),
    ):
        sent = {"seen": seen_in(client.get(f"{OTHER}piece/{name}")), **fields}
        once, twice = (client.post(f"{OTHER}piece/{name}", sent) for _ in range(2))
        assert once.status_code == 302 and twice["Location"].split("#")[0] == OTHER, name
    kept = GameDraft.objects.get().declaration
    assert kept.count("[[entry]]") == 1 and kept.count("[[entry.award]]") == 2


def test_points_for_what_was_removed_meanwhile_do_not_land_in_another_entry(pit):
    client = signed_in(pit["curator"])
    for question in ("A trick is won", "A trick is lost"):
        add(client, OTHER, "entry-new/?kind=scoring", **SCORING | {"question": question})
    seen = seen_in(client.get(f"{OTHER}piece/entry-0-award-new/"))
    assert add(client, OTHER, "entry-0/", act="delete").status_code == 302
    before = GameDraft.objects.get().declaration
    late = {"seen": seen, "to": "winner", "points": "5", **CITED}
    answer = client.post(f"{OTHER}piece/entry-0-award-new/", late)
    assert answer.status_code == 409 and "in another window" in answer.content.decode()
    assert GameDraft.objects.get().declaration == before


def test_a_question_that_others_need_is_moved_up_before_them(pit):
    client = signed_in(pit["curator"])
    each = {"question": "A hand is called", "who": "each", "hand": "on", "counted": "Pips", "most": 60}
    add(client, OTHER, "entry-new/?kind=scoring", **each, **CITED)
    add(client, OTHER, "entry-0-field-new/?kind=player", question="Who called?", key="caller")
    but = {"question": "Pips of the others", "key": "player", "but": "caller"}
    refused = add(client, OTHER, "entry-0-field-0/", **but)
    assert refused.status_code == 422 and "before this one" in refused.content.decode()
    assert "Move it up" in client.get(f"{OTHER}piece/entry-0-field-1/").content.decode()
    assert "Move it up" not in client.get(f"{OTHER}piece/entry-0-field-0/").content.decode()
    assert add(client, OTHER, "entry-0-field-1/", act="up").status_code == 302
    assert add(client, OTHER, "entry-0-field-1/", **but).status_code == 302
    page = client.get(OTHER).content.decode()
    assert page.index("Who called?") < page.index("Pips of the others")


def test_example_sheets_follow_a_game_that_gets_another_name(pit):
    client, address = signed_in(pit["curator"]), "/books/pit/game/"
    head = {"game": "Pit", "least": 3, "most": 7, "seat": "player", "by": "Tallyroom", "key": "corner-pit"}
    assert add(client, address, "head/", **head).status_code == 302
    assert '"game": "pit"' not in GameDraft.objects.get().sheets
    assert "Its game must be" not in client.get(address).content.decode()


def test_a_draft_is_discarded_only_after_a_question(pit):
    client = signed_in(pit["curator"])
    grown(client)
    assert 'value="discard"' not in client.get(OTHER).content.decode()
    sure = client.get(f"{OTHER}?sure=discard").content.decode()
    assert "cannot be brought back" in sure and 'value="discard"' in sure


def test_drafts_stand_on_the_desk_and_those_with_nothing_new_make_room(pit, monkeypatch):
    client = signed_in(pit["contributor"])
    monkeypatch.setattr(game_drafts, "MAX_DRAFTS", 1)
    names = {"act": "begin", "name": ["Ann", "Bert", "Cora"]}
    assert client.post("/books/pit/game/trial/", names).status_code == 302
    assert "Games you are declaring" in client.get("/curation/").content.decode()
    add(client, OTHER, "entry-new/?kind=scoring", **SCORING)
    assert GameDraft.objects.get().book.slug == "victory-rummy-1942"


def test_a_list_of_tables_and_words_is_left_to_the_text(pit):
    client, address = signed_in(pit["curator"]), "/books/pit/game/"
    add(client, address, "head/", game="Pit", least=3, most=8, seat="player", by="A", key="pit")
    draft = GameDraft.objects.get()
    mixed = re.sub(r"once = .*\n", "", draft.declaration)
    mixed = mixed.replace("hand = true", "hand = true\nonce = [{a = 1}, 1]", 1)
    GameDraft.objects.update(declaration=mixed)
    answer = add(client, address, "entry-0-award-0/", to="player", points="5", cites="corner")
    assert answer.status_code == 422 and "Edit it as text" in answer.content.decode()


def test_points_sent_late_over_a_text_that_the_form_cannot_write_are_shown_again(pit):
    client = signed_in(pit["curator"])
    add(client, OTHER, "entry-new/?kind=scoring", **SCORING)
    seen = seen_in(client.get(f"{OTHER}piece/entry-0-award-new/"))
    draft = GameDraft.objects.get()
    GameDraft.objects.update(declaration=f'silent = ["win-500", {{x = 1}}]\n{draft.declaration}')
    late = {"seen": seen, "to": "winner", "points": "cards + 17", **CITED}
    answer = client.post(f"{OTHER}piece/entry-0-award-new/", late)
    assert answer.status_code == 409 and 'value="cards + 17"' in answer.content.decode()


def test_a_sentence_that_scores_nothing_is_counted_no_more(pit):
    client = signed_in(pit["curator"])
    grown(client)
    silent = re.compile(r"(\d+) sentences score nothing yet")
    before = int(silent.search(client.get(OTHER).content.decode())[1])
    assert "It scores nothing" in client.get(f"{OTHER}?sentence=score-capture").content.decode()
    for _ in range(2):  # A button pressed twice says the same twice.
        client.post(OTHER, {"act": "silent:score-capture"})
    assert int(silent.search(client.get(OTHER).content.decode())[1]) == before - 1
    head = {"game": "Tricks", "least": 2, "most": 5, "seat": "player", "by": "Ann", "key": "tricks"}
    assert add(client, OTHER, "head/", **head).status_code == 302
    declaration = read_declaration(GameDraft.objects.get().declaration)
    assert declaration.data["silent"] == ["score-capture"]
    assert silent_passages(declaration, ["score-capture", "enter-score", "win-500"]) == ["win-500"]
    assert "scores nothing</span>" in client.get(OTHER).content.decode()
    assert 'value="scores:score-capture"' in client.get(f"{OTHER}?sentence=score-capture").content.decode()
    for _ in range(2):
        client.post(OTHER, {"act": "scores:score-capture"})
    assert "silent" not in GameDraft.objects.get().declaration
    assert client.post(OTHER, {"act": "silent:no-such"}).status_code == 302

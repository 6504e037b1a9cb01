"""What replays long logs is judged before the lock, paid for by address, and bounded in every request."""

import hashlib
import threading
import time
from contextlib import contextmanager

import pytest
from django.db import connection, connections, transaction

import engine
from engine.position import STRETCH_LENGTH
from ratelimit.work_budget import BusyError, on_account
from scorepad import evenings, imports, ledger, new_pads, pad_results, pads, replay_budget, taps
from scorepad.chips import counts
from scorepad.ledger import cache, replays, seals, writer
from scorepad.models import Evening, Pad
from tests.scorepad.conftest import NAMES, Phone, browser_of, seated, sit_down, victory


@pytest.fixture(autouse=True)
def _fresh():
    pad_results.clear()
    replay_budget.budget.forget()
    yield
    replay_budget.budget.forget()


def entries(count):
    """Deals of Victory Rummy in which everyone in turn goes out."""
    made = []
    for number in range(count):
        player = NAMES[number // 3 % len(NAMES)]
        last = {"type": "axis", "player": player, "cards": 0}
        plain = {"type": "victory", "player": player, "color": "red"}
        made.append({"id": f"e{number}", **(last if number % 3 == 2 else plain)})
    return made


def long_pad(count=60, corrections=()):
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "options": {"target": 10_000}}
    return imports.import_pad({**sheet, "entries": [*entries(count), *corrections]}).pad


def amend(name, of, player="Cleo"):
    return {
        "id": name,
        "type": "amend",
        "of": of,
        "entry": {"type": "victory", "player": player, "color": "red"},
    }


@contextmanager
def watched(monkeypatch):
    """The depth of transactions at each replay of a log or correction."""
    depths = []
    replay, enter, outside = engine.replay, engine.Position.enter, len(connection.savepoint_ids)

    def note():
        depths.append(len(connection.savepoint_ids) - outside)

    monkeypatch.setattr(engine, "replay", lambda sheet: (note(), replay(sheet))[1])
    monkeypatch.setattr(engine.Position, "enter", lambda self, entry: (note(), enter(self, entry))[1])
    yield depths
    monkeypatch.undo()


@pytest.mark.django_db
def test_nothing_is_judged_while_the_pad_is_locked(monkeypatch):
    pad = long_pad()
    with watched(monkeypatch) as depths:
        head, outcomes = ledger.append(pad, [amend("c1", "e0", "Ann"), {"type": "capture", "player": "Ann"}])
        counts.check(pad, dict.fromkeys(NAMES, 5), ledger.Who())
    assert [outcome.status for outcome in outcomes] == ["stored", "stored"]
    assert head == 62
    assert depths and set(depths) == {0}


@pytest.mark.django_db
def test_what_is_refused_takes_no_lock(monkeypatch):
    pad = long_pad()
    monkeypatch.setattr(writer, "lock", lambda pad: pytest.fail("the pad was locked"))
    [outcome] = ledger.append(pad, [amend("c1", "nothing")])[1]
    assert outcome.error.code == "unknown-target"


@pytest.mark.django_db
def test_a_tap_on_a_moved_log_is_judged_anew_under_the_lock(monkeypatch):
    pad = long_pad(6)
    comes_between(monkeypatch, pad, victory("other", "Bert"))
    head, [outcome] = ledger.append(Pad.objects.get(pk=pad.pk), [victory("mine")])
    assert (head, outcome.status, outcome.number) == (8, "stored", 8)
    assert is_sound(pad)


@pytest.mark.django_db
def test_a_dear_correction_on_a_moved_log_is_judged_again_outside(monkeypatch, settings):
    settings.ENTRIES_REPLAYED_LOCKED_MOST = 10
    pad = long_pad()
    with watched(monkeypatch) as depths:
        comes_between(monkeypatch, pad, {"id": "other", "type": "capture", "player": "Bert"})
        head, [outcome] = ledger.append(Pad.objects.get(pk=pad.pk), [amend("mine", "e0", "Ann")])
    assert (head, outcome.status) == (62, "stored")
    assert is_sound(pad)
    assert depths


@pytest.mark.django_db
def test_a_correction_that_is_overtaken_each_time_is_to_be_sent_again(monkeypatch, settings):
    settings.ENTRIES_REPLAYED_LOCKED_MOST = 10
    settings.LEDGER_TRIES_MOST = 3
    pad = long_pad()
    comes_between(monkeypatch, pad, *entries(70)[60:])
    with pytest.raises(BusyError, match="Nothing was stored"):
        ledger.append(Pad.objects.get(pk=pad.pk), [amend("mine", "e0", "Ann")])
    assert not pad.entries.filter(entry_id="mine").exists()
    assert ledger.head(pad) == 63


def comes_between(monkeypatch, pad, *others):
    """Another phone enters one of these each time ours was judged, before the pad is locked."""
    judge, waiting = writer.judge_all, [*others]

    def overtaken(*log, entries, **more):
        judged = judge(*log, entries=entries, **more)
        if waiting and entries[0]["id"] == "mine" and not more.get("locked"):
            ledger.append(Pad.objects.get(pk=pad.pk), [waiting.pop(0)])
        return judged

    monkeypatch.setattr(writer, "judge_all", overtaken)


def is_sound(pad):
    from scorepad.ledger import pad_verification

    return pad_verification.verify(pad.pk)[1] == []


@pytest.mark.django_db
def test_a_tap_whose_log_is_not_remembered_is_replayed_before_the_lock(monkeypatch):
    pad = long_pad(57)
    with watched(monkeypatch) as depths:
        tapped = taps.tap(pad, {"at": ["player"], "put": "Ann"}, ledger.Who())
    assert tapped.error is None or tapped.error.code == "unknown-entry"
    assert depths[0] == 0
    assert depths.count(0) >= 1


@pytest.mark.django_db
def test_a_pad_of_an_older_version_without_its_last_seal_takes_dear_corrections(settings):
    settings.ENTRIES_REPLAYED_LOCKED_MOST = 10
    pad = long_pad()
    Pad.objects.filter(pk=pad.pk).update(last_seal=None)
    [outcome] = ledger.append(Pad.objects.get(pk=pad.pk), [amend("c1", "e0", "Ann")])[1]
    assert outcome.status == "stored"
    assert Pad.objects.get(pk=pad.pk).last_seal


def spent(address="127.0.0.1"):
    """Use up the budget of an address."""
    with on_account(lambda: address), replay_budget.budget.spend():
        until = time.thread_time() + 1.05
        while time.thread_time() < until:
            pass


@pytest.fixture
def small_budget(settings):
    settings.REPLAY_SECONDS_PER_ADDRESS_MOST = 1
    settings.REPLAY_PERCENT_PER_ADDRESS_MOST = 1
    settings.ENTRIES_REPLAYED_FREE_MOST = 20


@pytest.mark.django_db
def test_over_its_budget_an_address_may_tap_but_not_replay_long_logs(small_budget):
    table = seated(Phone(None).post("/pads/import/", sheet_of(60)).json())
    short = sit_down()
    spent()
    answer = table.player.post("entries/", {"entries": [amend("c1", "e0", "Ann")]})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) >= 1
    assert answer.json()["error"]["message"] == replay_budget.SAYS_SPENT
    for path, body in (("preview/", {"entry": amend("c1", "e0", "Ann")}), ("checks/", {"counted": {}})):
        assert table.player.post(path, body).status_code in (429, 422)
    assert Phone(None).post("/pads/import/", sheet_of(60)).status_code == 429
    page = browser_of(table.player).get(f"/pads/{table.code}/history/")
    assert page.status_code == 429
    assert replay_budget.SAYS_SPENT in page.content.decode()
    assert short.player.enter(victory("a1"))[0]["status"] == "stored"
    assert table.player.get("draft.json").status_code == 200
    assert not table.pad.entries.filter(entry_id="c1").exists()


@pytest.mark.django_db
def test_a_tap_after_a_long_log_is_free(small_budget):
    table = seated(Phone(None).post("/pads/import/", sheet_of(60)).json())
    cache.put(table.code, ledger.replay(table.pad))
    spent()
    assert table.player.enter({"id": "t", "type": "capture", "player": "Ann"})[0]["status"] == "stored"


def sheet_of(count):
    return {
        "tally": 1,
        "game": "victory-rummy",
        "players": NAMES,
        "options": {"target": 10_000},
        "entries": entries(count),
    }


def test_while_one_request_replays_another_waits_and_a_third_is_told_to_come_again(small_budget, settings):
    settings.REPLAYS_WAITING_PER_ADDRESS_MOST = 1
    inside, done = threading.Event(), threading.Event()

    def hold():
        with on_account(lambda: "203.0.113.9"), replay_budget.spend(21):
            inside.set()
            done.wait(10)

    holder = threading.Thread(target=hold)
    holder.start()
    assert inside.wait(10)
    try:
        with pytest.raises(BusyError), on_account(lambda: "203.0.113.9"), replay_budget.spend(21):
            pass
        with on_account(lambda: "203.0.113.9"), replay_budget.spend(20):
            pass  # A tap is not held up.
    finally:
        done.set()
        holder.join()


def evening_of(games, count):
    evening = Evening.objects.create()
    for _ in range(games):
        pad = long_pad(count)
        Pad.objects.filter(pk=pad.pk).update(evening=evening)
    return evening


def pads_of(evening):
    return list(evening.pads.order_by("made_at", "pk"))


@pytest.mark.django_db
def test_an_evening_replays_a_share_for_each_request_and_says_that_the_rest_follows(settings):
    evening = evening_of(3, 12)
    settings.ENTRIES_REPLAYED_FREE_MOST = 24
    pending = [evenings.as_dict(evening, pads_of(evening))["pending"] for _ in range(3)]
    assert pending == [1, 0, 0]
    assert [one.result.totals["Ann"] for one in evenings.games(pads_of(evening))] == [40, 40, 40]


@pytest.mark.django_db
def test_a_long_game_of_an_evening_is_replayed_in_parts(settings, monkeypatch):
    evening = evening_of(1, 100)
    whole = pad_results.result(pads_of(evening)[0])
    pad_results.clear()
    settings.ENTRIES_REPLAYED_FREE_MOST = 2 * STRETCH_LENGTH
    assert evenings.games(pads_of(evening))[0].is_pending
    with watched(monkeypatch) as depths:
        assert evenings.games(pads_of(evening))[0].result == whole
    assert depths == []


@pytest.mark.django_db
def test_a_long_log_of_an_evening_is_read_by_one_request_at_a_time(settings, monkeypatch):
    """Twelve readers at once had the same log in memory twelve times, and none paid for reading it."""
    evening = evening_of(1, 100)
    settings.ENTRIES_REPLAYED_FREE_MOST = 2 * STRETCH_LENGTH
    turns, read = [], ledger.sheet

    def sheet(pad):
        turns.append(replay_budget.budget._working.get())
        return read(pad)

    monkeypatch.setattr(ledger, "sheet", sheet)
    with on_account(lambda: "127.0.0.1"):
        assert evenings.games(pads_of(evening))[0].is_pending
    assert turns == [True]


@pytest.mark.django_db
def test_an_evening_that_is_known_replays_nothing_until_a_game_goes_on(monkeypatch):
    evening = evening_of(2, 12)
    pad = evening.pads.first()
    evenings.games(pads_of(evening))
    with watched(monkeypatch) as depths:
        evenings.games(pads_of(evening))
    assert depths == []
    ledger.append(pad, [{"type": "capture", "player": "Ann"}])
    assert [one.result.totals["Ann"] for one in evenings.games(pads_of(evening))] == [90, 40]
    pads.rename(pad, ["Anna", *NAMES[1:]])
    assert evenings.games(pads_of(evening))[0].result.totals["Anna"] == 90


@pytest.mark.django_db
def test_the_page_of_an_evening_says_what_follows_and_loads_itself_again(settings):
    table = seated(Phone(None).post("/pads/import/", sheet_of(12)).json())
    table.keeper.post("rematch/", {})
    settings.ENTRIES_REPLAYED_FREE_MOST = 12
    evening, second = table.pad.evening, Pad.objects.get(follows=table.pad)
    ledger.append(second, entries(12))
    phone = browser_of(table.player)
    page = phone.get(f"/evenings/{evening.code}/")
    assert (page.status_code, page.headers["Refresh"]) == (200, "1")
    assert "The figures of 1 long game follow" in page.content.decode()
    pad_results.clear()
    answer = table.watcher.get(f"/evenings/{evening.code}/evening.json")
    assert (answer.json()["pending"], answer.headers["Retry-After"]) == (1, "1")
    assert [game["status"] for game in answer.json()["games"]].count("pending") == 1
    page = phone.get(f"/evenings/{evening.code}/")
    assert "Refresh" not in page.headers
    assert "figures" not in page.content.decode()


@pytest.mark.django_db
def test_an_evening_beyond_the_budget_still_answers_with_what_is_known(small_budget):
    evening = evening_of(2, 60)
    first = evening.pads.order_by("made_at", "pk").first()
    pad_results.result(first)
    spent()
    with on_account(lambda: "127.0.0.1"):
        assert evenings.as_dict(evening, pads_of(evening))["pending"] == 1


def test_memory_of_a_replay_is_measured_entry_by_entry_as_of_the_whole(db):
    pad = long_pad(30, [amend("c1", "e0", "Ann"), {"id": "v", "type": "void", "of": "c0"}][:1])
    whole = ledger.replay(pad).bytes
    now = replays._replay_rows(pad, [])
    rows = ledger.sql.read_entries(pad, 0)
    assert replays._enter(now, ledger.entries.named(pad, rows), rows).bytes == whole > 30 * 500


@pytest.mark.django_db
def test_an_import_is_replayed_by_what_its_corrections_touch(monkeypatch):
    last = [amend(f"c{number}", "e57", "Bert") for number in range(30)]
    pad = long_pad(60, last)
    assert all(pad.entries.values_list("scored", flat=True))
    assert is_sound(pad)
    monkeypatch.setattr(seals, "MAX_REPLAYED", 100)
    early = [amend(f"c{number}", "e0", "Ann") for number in range(30)]
    pad = long_pad(60, early)
    assert not any(pad.entries.values_list("scored", flat=True))
    assert is_sound(pad)


@pytest.mark.django_db
def test_a_count_compares_with_earlier_ones_without_replaying_what_was_not_corrected(monkeypatch):
    pad = long_pad(12)
    expected = dict(zip(NAMES, ledger.position(pad).totals, strict=True))
    counts.check(pad, expected, ledger.Who())
    ledger.append(pad, [{"id": "c", "type": "capture", "player": "Ann"}])
    cache.put(pad.code, ledger.replay(pad))
    with watched(monkeypatch) as depths:
        found = counts.check(pad, expected, ledger.Who())
    assert depths == []
    assert [row["id"] for row in found["since"]] == ["c"]
    assert found["since"] == [
        {"number": 13, "id": "c", "entry": {"id": "c", "type": "capture", "player": "Ann"}}
    ]
    ledger.append(pad, [amend("x", "e0", "Ann")])
    assert [row["id"] for row in counts.check(pad, expected, ledger.Who())["since"]] == ["c", "x"]
    monkeypatch.setattr(counts, "MAX_SUSPECTS", 1)
    assert [row["id"] for row in counts.check(pad, expected, ledger.Who())["since"]] == ["x"]


def test_a_tap_does_not_wait_while_another_request_judges(committed, monkeypatch):
    """The attack in small: a long judgement holds no lock that a tap on another pad needs."""
    pad, other = long_pad(), new_pads.create({"game": "victory-rummy", "players": NAMES}).pad
    judging, go_on = threading.Event(), threading.Event()
    judge = writer.judge_all

    def slow(mine, *rest, **more):
        if mine.pk == pad.pk:
            judging.set()
            assert go_on.wait(10)
        return judge(mine, *rest, **more)

    monkeypatch.setattr(writer, "judge_all", slow)

    def correct():
        try:
            ledger.append(Pad.objects.get(pk=pad.pk), [amend("c1", "e0", "Ann")])
        finally:
            connections.close_all()

    thread = threading.Thread(target=correct)
    thread.start()
    try:
        assert judging.wait(10)
        assert ledger.append(other, [victory("a1")])[1][0].status == "stored"
    finally:
        go_on.set()
        thread.join()
    assert ledger.head(pad) == 61
    with transaction.atomic():
        assert is_sound(pad)


def test_a_digest_is_over_the_canonical_json_of_its_lines():
    now = engine.replay({**sheet_of(60), "entries": [*entries(60), amend("c", "e0", "Ann")]})
    lines = [line._replace(symbol=symbol) for line in now.lines for symbol in ('"', "V", "\u2713\\")]
    scored = [[line.entry, NAMES.index(line.player), line.points, line.symbol] for line in lines]
    assert seals._digest(now, lines) == hashlib.sha256(seals.canonical(scored)).hexdigest()[:16]
    assert seals._digest(now, []) == hashlib.sha256(b"[]").hexdigest()[:16]

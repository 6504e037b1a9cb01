"""The ledger against the pure engine, under threads, and against the database's own guards."""

import os
import threading
from contextlib import contextmanager

import pytest
from django.db import DatabaseError, connection, transaction
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

import engine
from scorepad import ledger, new_pads, pads
from scorepad.ledger import Who, cache, pad_verification, seals
from scorepad.models import Entry, Pad
from tests.scorepad.conftest import NAMES, axis, before_question, capture, sit_down, victory

players = st.sampled_from(NAMES)
colors = st.sampled_from(["red", "white", "blue"])
plain = st.one_of(
    st.builds(lambda player, color: {"type": "victory", "player": player, "color": color}, players, colors),
    st.builds(lambda player: {"type": "capture", "player": player}, players),
    st.builds(
        lambda player, cards: {"type": "axis", "player": player, "cards": cards}, players, st.integers(0, 9)
    ),
)


class Ledger(RuleBasedStateMachine):
    """Whatever is sent, and however often: the log is what the pure engine accepts, each once."""

    @initialize(finish=st.sampled_from(["at-once", "end-of-deal"]))
    def begin(self, finish):
        wish = {"game": "victory-rummy", "players": NAMES, "options": {"target": 200, "finish": finish}}
        self.pad = new_pads.create(wish).pad
        self.head = {"tally": 1, **wish}
        self.log = []
        self.bodies = {}
        self.made = 0

    def new_id(self):
        self.made += 1
        return f"e{self.made}"

    def model(self, entry):
        """What the pure engine says to the whole sheet with one entry more."""
        try:
            engine.score({**self.head, "entries": [*self.log, entry]})
        except engine.Refused as refused:
            return refused.code
        return None

    def send(self, entry, who=Who(1)):  # noqa: B008
        expected = self.model(entry)
        head, [outcome] = ledger.append(self.pad, [entry], who)
        if expected is None:
            self.log.append(entry)
            self.bodies[entry["id"]] = len(self.log)
            assert (outcome.status, outcome.number) == ("stored", len(self.log))
        else:
            assert (outcome.status, outcome.error.code) == ("refused", expected)
        assert head == len(self.log)

    @rule(entry=plain)
    def enter(self, entry):
        self.send({"id": self.new_id(), **entry})

    @rule(choice=st.randoms(use_true_random=False))
    def void(self, choice):
        self.send({"id": self.new_id(), "type": "void", "of": self.some_id(choice)})

    @rule(choice=st.randoms(use_true_random=False), entry=plain)
    def amend(self, choice, entry):
        self.send({"id": self.new_id(), "type": "amend", "of": self.some_id(choice), "entry": entry})

    def some_id(self, choice):
        return choice.choice([*self.bodies, "nobody"])

    @rule(choice=st.randoms(use_true_random=False), times=st.integers(1, 3))
    def send_again(self, choice, times):
        if self.log:
            entry = choice.choice(self.log)
            for _ in range(times):
                _, [outcome] = ledger.append(self.pad, [entry])
                assert (outcome.status, outcome.number) == ("known", self.bodies[entry["id"]])

    @rule(choice=st.randoms(use_true_random=False), entry=plain)
    def reuse_an_id(self, choice, entry):
        if self.log:
            used = choice.choice(self.log)
            other = {"id": used["id"], **entry}
            if other != used:
                _, [outcome] = ledger.append(self.pad, [other])
                assert outcome.error.code == "id-reused"

    @rule(entries=st.lists(plain, min_size=2, max_size=5))
    def send_many(self, entries):
        sent = [{"id": self.new_id(), **entry} for entry in entries]
        _, outcomes = ledger.append(self.pad, sent)
        for entry, outcome in zip(sent, outcomes, strict=True):
            expected = self.model(entry)
            assert (outcome.status == "stored") == (expected is None)
            if expected is None:
                self.log.append(entry)
                self.bodies[entry["id"]] = len(self.log)

    @rule()
    def restart(self):
        cache.clear()

    @rule(names=st.permutations(["Ann", "Bert", "Cleo"]))
    def rename(self, names):
        """Renaming changes no number: the log by other names has the same lines in the same seats."""
        before = [(line.entry, line.points, line.symbol) for line in self.position().lines]
        fresh = [f"{name} {self.made}" for name in names]
        pads.rename(self.pad, fresh)
        assert self.position().table.players == tuple(fresh)
        assert [(line.entry, line.points, line.symbol) for line in self.position().lines] == before
        pads.rename(self.pad, NAMES)
        Pad.objects.filter(pk=self.pad.pk).update(former_names={})

    def position(self):
        return ledger.position(Pad.objects.get(pk=self.pad.pk))

    @invariant()
    def the_log_is_what_the_engine_accepted(self):
        pad = Pad.objects.get(pk=self.pad.pk)
        assert ledger.sheet(pad)["entries"] == self.log
        assert list(pad.entries.values_list("number", flat=True)) == list(range(1, len(self.log) + 1))

    @invariant()
    def the_result_is_the_engines(self):
        expected = engine.score({**self.head, "entries": self.log})
        assert self.position().result().as_dict() == expected.as_dict()

    @invariant()
    def the_seals_are_whole(self):
        before = seals.FIRST_SEAL
        for row in Pad.objects.get(pk=self.pad.pk).entries.order_by("number"):
            assert row.seal == seals.seal(before, row)
            before = row.seal


def test_the_ledger_agrees_with_the_pure_engine(committed):
    """With real commits, so that what is remembered between entries is tested too."""
    examples = 2_000 if os.environ.get("SOAK") else 12
    calm = settings(
        max_examples=examples, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
    )
    run_state_machine_as_test(Ledger, settings=calm)


def test_two_phones_with_twenty_entries_each_at_once(committed):
    """Both are kept, in one order, each once, whatever the order is."""
    table = _rummy()
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 1}}}
    answers = {}

    def play(name):
        answers[name] = [table.player.enter({"id": f"{name}{count}", **hand})[0] for count in range(20)]
        connection.close()

    threads = [threading.Thread(target=play, args=(name,)) for name in ("p", "q")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    numbers = [answer["number"] for name in answers for answer in answers[name]]
    assert sorted(numbers) == list(range(1, 41))
    for sent in answers.values():
        assert [answer["number"] for answer in sent] == sorted(answer["number"] for answer in sent)
    assert table.watcher.result()["totals"] == {"Ann": 0, "Bert": 40}


def _rummy():
    return sit_down(game="rummy-1916", players=["Ann", "Bert"], options={"rounds": 100})


def test_two_phones_send_the_same_entry_at_once_and_it_is_there_once(committed):
    table = _rummy()
    hand = {"type": "hand", "winner": "Ann", "hands": {"Bert": {"count": 1}}}
    statuses = []

    def play():
        for count in range(20):
            statuses.append(table.player.enter({"id": f"same{count}", **hand})[0]["status"])
        connection.close()

    threads = [threading.Thread(target=play) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert (statuses.count("stored"), statuses.count("known")) == (20, 20)
    assert table.pad.entries.count() == 20


def test_of_two_that_exclude_each_other_the_second_is_refused_by_the_rule(committed):
    table = sit_down()
    table.player.enter(victory("a1"), victory("a2"))
    outcomes = []

    def play(name):
        outcomes.append(table.player.enter(axis(name))[0])
        connection.close()

    threads = [threading.Thread(target=play, args=(name,)) for name in ("x", "y")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcome["status"] for outcome in outcomes) == ["refused", "stored"]
    refused = next(outcome for outcome in outcomes if outcome["status"] == "refused")
    assert refused["error"]["code"] == "not-out"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "words",
    ["UPDATE scorepad_entry SET number = 9",
     "UPDATE scorepad_entry SET body = body",
     "DELETE FROM scorepad_entry",
     "DELETE FROM scorepad_entry WHERE number = 2"],
)  # fmt: skip
def test_the_database_refuses_to_change_or_remove_an_entry(table, words):
    table.player.enter(victory("a1"), victory("a2"))
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(words)
    assert list(table.pad.entries.values_list("entry_id", flat=True)) == ["a1", "a2"]


@pytest.mark.django_db
@pytest.mark.parametrize("number", [1, 2, 4, 0])
def test_the_database_refuses_a_number_out_of_order(table, number):
    table.player.enter(victory("a1"), victory("a2"))
    row = Entry.objects.get(pad__code=table.code, number=2)
    row.pk, row.number, row.entry_id = None, number, "other"
    with pytest.raises(DatabaseError), transaction.atomic():
        row.save(force_insert=True)


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite can replace a row silently")
def test_a_row_is_not_replaced_either(table):
    table.player.enter(victory("a1"))
    columns = "pad_id, number, entry_id, body, device, made_at, scored, seal"
    for first in ("id, ", ""):
        into = f"INSERT OR REPLACE INTO scorepad_entry ({first}{columns})"
        words = f"{into} SELECT {first}{columns} FROM scorepad_entry"
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(words)


@pytest.mark.django_db
def test_whoever_read_the_pad_before_it_was_stopped_or_renamed_is_judged_by_what_it_is_now(table):
    read_before = table.pad
    table.keeper.post("names/", {"players": ["Anna", "Bert", "Cleo"]})
    assert ledger.append(read_before, [victory("a1", "Anna")])[1][0].status == "stored"
    table.keeper.post("stop/")
    assert ledger.append(read_before, [victory("a2", "Anna")])[1][0].error.code == "stopped"


@pytest.mark.django_db
def test_deleting_through_the_orm_is_refused_too(table):
    table.player.enter(victory("a1"))
    with pytest.raises(DatabaseError), transaction.atomic():
        table.pad.entries.all().delete()


@pytest.mark.django_db
def test_a_whole_pad_goes_through_the_one_function(table):
    other = sit_down()
    other.player.enter(victory("a1"))
    table.player.enter(victory("a1"), capture("a2", "Bert"))
    assert table.keeper.post("delete/").json() == {"deleted": table.code}
    assert table.keeper.get("result.json").status_code == 404
    assert Entry.objects.count() == 1
    assert Pad.objects.get().code == other.code


@pytest.mark.django_db
@pytest.mark.parametrize("place", ["result.json", "sheet.json", "pad.json", "log.json", "sheet.csv", ""])
@pytest.mark.parametrize("players", [[*NAMES, "Dora"], NAMES[::-1]])
def test_who_reads_while_the_seats_are_settled_sees_the_table_before_or_after(place, players):
    def settle():
        pad = pads.rename(table.pad, players, players[-1])
        ledger.append(pad, [victory("first", players[-1])])

    for number in range(1, 12):
        cache.clear()
        table = sit_down()
        before = table.watcher.get(place)
        with before_question(number, settle):
            meanwhile = table.watcher.get(place)
        assert meanwhile.status_code == 200
        if place.endswith("sheet.json") and meanwhile.json() != before.json():
            assert meanwhile.json() == table.watcher.get(place).json()


def hand(name, winner="Ann", count=5):
    others = {player: {"count": count} for player in NAMES if player != winner}
    return {"id": name, "type": "hand", "winner": winner, "hands": others}


@pytest.mark.parametrize("others", [[], ["d2"], ["d2", "d3"], ["d2", "d3", "d4"]])
def test_what_is_remembered_of_another_log_is_forgotten(committed, others):
    """A fail-over may lose the last entries, and other processes may have gone on without them."""
    pad = new_pads.create({"game": "rummy-1916", "players": NAMES, "options": {"rounds": 9}}).pad
    ledger.append(pad, [hand("e1")])
    with as_if_never():
        ledger.append(pad, [hand("e2", "Bert"), hand("e3", "Bert")])
    remembered = cache.get(pad)
    cache.clear()
    for name in others:
        ledger.append(pad, [hand(name, "Cleo", 7)])
    cache.clear()
    cache.put(pad.code, remembered)
    head, [outcome] = ledger.append(pad, [hand("e4")])
    assert (head, outcome.status) == (2 + len(others), "stored"), outcome
    cache.clear()
    cache.put(pad.code, remembered)
    assert ledger.position(pad).result().as_dict() == engine.score(ledger.sheet(pad)).as_dict()
    assert pad_verification.verify(pad.pk)[1] == []


@contextmanager
def as_if_never():
    """What is done in here is told as stored, and then is not in the database."""
    try:
        with transaction.atomic():
            yield
            for _, work, _ in connection.run_on_commit:
                work()
            raise LookupError
    except LookupError:
        pass


def test_a_process_remembers_only_so_many_bytes_and_forgets_what_was_unused_for_longest(db, settings):
    settings.REPLAYS_IN_MEMORY_BYTES_MOST = 3 * cache.EMPTY_BYTES
    tables = [new_pads.create({"game": "victory-rummy", "players": NAMES}).pad for _ in range(3)]
    with transaction.atomic():
        for pad in tables:
            ledger.append(pad, [victory(pad.code)])
            cache.put(pad.code, ledger.replay(pad))
    assert [cache.get(pad) is not None for pad in tables] == [False, True, True]
    assert {ledger.head(pad) for pad in tables} == {ledger.replay(pad).head for pad in tables} == {1}

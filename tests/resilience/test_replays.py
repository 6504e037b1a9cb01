"""The same entry sent again and again, by several phones, in any order: it is in the log once."""

import os
import random
import threading
import time
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

from tests.resilience.comparison import judge
from tests.resilience.conftest import SOAK
from tests.resilience.writers import HANDS_PER_PAD_MOST, Line, Load, Sent, Writer, make_table

SEED = int(os.environ.get("SEED", "1942"))
ENTRIES = int(os.environ.get("ENTRIES", "100000" if SOAK else "300"))
ONE_PAD_ENTRIES = 540 if SOAK else 120
TIMES_MOST = 5
PIECE_MOST = 12
PHONES = 8


def made(line, count, seed):
    """Entries for as many pads as they need, each with an id of its own."""
    dealer = Writer("replays", [], None, seed)
    tables, sent = [], []
    for number in range(count):
        if number % HANDS_PER_PAD_MOST == 0:
            tables.append(make_table(line))
        name = f"{dealer.chance.getrandbits(128):032x}"
        sent.append(Sent(name, f"replays {number}", tables[-1], dealer.hand()))
    return tables, sent


def messages(sent, chance):
    """Each entry one to five times, all in one random order, in pieces of a few that belong to one pad."""
    waiting = {}
    every = [one for one in sent for _ in range(chance.randint(1, TIMES_MOST))]
    chance.shuffle(every)
    for one in every:
        piece = waiting.setdefault(one.table, [])
        piece.append(one)
        if len(piece) >= chance.randint(1, PIECE_MOST):
            yield waiting.pop(one.table)
    yield from waiting.values()


def post(lines, port, piece):
    """The whole piece in one message; who it was is the same for all of it, so it is left out."""
    here = lines.__dict__.setdefault(port, Line(port))
    body = {"entries": [{"id": one.id, **one.entry} for one in piece]}
    status, answer = here.json("POST", piece[0].table.address("entries/"), body, piece[0].table.play)
    if status == 503:
        return post(lines, port, piece)
    assert status == 200, answer
    return [(told["id"], told["status"], told["number"]) for told in answer["results"]]


def replayed(site, sent):
    """What was told of each message, when all are sent from eight phones at once."""
    chance, lines = random.Random(SEED), threading.local()
    with ThreadPoolExecutor(PHONES) as pool:
        parts = pool.map(lambda piece: post(lines, chance.choice(site.ports), piece), messages(sent, chance))
        return [one for part in parts for one in part]


def test_each_entry_sent_one_to_five_times_is_one_row(crew, line, told):
    site, began = crew(2 if SOAK else 1), time.monotonic()
    tables, sent = made(line(site), ENTRIES, SEED)
    answers = replayed(site, sent)
    stored = Counter(name for name, status, _ in answers if status == "stored")
    numbers = {name: number for name, _, number in answers}
    for one in sent:
        one.number, one.label = numbers[one.id], None
    verdict = judge(line(site), tables, sent)
    told(f"{len(answers)} sendings of {len(sent)} entries in {time.monotonic() - began:.0f} s; {verdict}")
    assert len(answers) > 2 * len(sent)
    assert {(name, number) for name, _, number in answers} == set(numbers.items())
    assert stored == Counter(one.id for one in sent)
    assert not verdict.broken
    verified = site.manage("verify", "--pads")
    assert verified.returncode == 0, verified.stdout + verified.stderr


def test_a_site_that_forgets_ids_has_entries_twice_and_it_is_noticed(crew, line):
    site = crew(PROMISE_BROKEN="forgets_ids")
    tables, sent = made(line(site), 60, SEED)
    replayed(site, sent)
    for one in sent:
        one.label = None
    assert judge(line(site), tables, sent).broken


def test_answers_that_never_arrive_double_nothing_but_a_phone_with_new_ids_does_and_it_is_noticed(crew, line):
    site = crew(PROMISE_BROKEN="loses_its_answers")
    with Load(site.ports, SEED) as load:
        load.wait_for(40)
    assert set(load.refusals) == {502}
    assert not judge(line(site), load.tables.all, load.sent).broken
    with Load(site.ports, SEED, same_id=False) as load:
        load.wait_for(40)
    assert judge(line(site), load.tables.all, load.sent).doubled


def test_eight_writers_on_one_pad_have_one_order_and_exact_sums(crew, line, told):
    site = crew(2)
    with Load(site.ports, SEED, tables=1) as load:
        seen = looked_at(site, load, ONE_PAD_ENTRIES)
    [table] = load.tables.all
    verdict = judge(line(site), [table], load.sent)
    told(f"eight writers on one pad, looked at {len(seen)} times meanwhile; {verdict}")
    assert not verdict.broken
    whole = [
        row["id"] for row in line(site).json("GET", table.address("log.json"), token=table.watch)[1]["log"]
    ]
    assert all(look == whole[: len(look)] for look in seen)
    for writer in load.writers:
        numbers = [one.number for one in writer.sent]
        assert numbers == sorted(numbers)


def looked_at(site, load, entries):
    """What a watcher sees from both processes while the others write: each time a beginning of the whole."""
    goal, seen, lines = load.answered + entries, [], [Line(port) for port in site.ports]
    while load.answered < goal and not any(writer.fault for writer in load.writers):
        time.sleep(0.05)
        for table in load.tables.all:
            _, answer = lines[len(seen) % 2].json("GET", table.address("log.json"), token=table.watch)
            seen.append([row["id"] for row in answer["log"]])
            assert [row["number"] for row in answer["log"]] == list(range(1, len(seen[-1]) + 1))
    return seen

"""The edges of a stream, in one event loop: heartbeats, full houses, slow readers, lost wake-ups."""

import asyncio
from contextvars import ContextVar

import pytest
from django.db import connections

from scorepad import ledger
from scorepad.live import hub, notify, sse
from scorepad.live.messages import Event
from scorepad.live.streams import Stream
from tests.scorepad.conftest import browser_of, sit_down, victory


class Ear:
    """One phone at the ASGI door: what was sent to it, and whether it still reads."""

    def __init__(self, table, token=None, reads=True, **headers):
        sent = {"host": "testserver", "authorization": f"Bearer {token or table.watcher.token}", **headers}
        self.scope = {
            "type": "http", "method": "GET", "path": f"/pads/{table.code}/events", "query_string": b"",
            "headers": [(name.encode(), value.encode()) for name, value in sent.items()],
            "client": ("10.0.0.1", 1),
        }  # fmt: skip
        self.status, self.text, self.reads = None, b"", reads
        self.gone = asyncio.Event()
        self.task = asyncio.create_task(sse.events(self.scope, self.receive, self.send))

    async def receive(self):
        await self.gone.wait()
        return {"type": "http.disconnect"}

    async def send(self, message):
        if message["type"] == "http.response.start":
            self.status, self.headers = message["status"], dict(message["headers"])
            return
        self.text += message["body"]
        if not self.reads:
            await asyncio.Event().wait()

    async def hears(self, words, seconds=5):
        async with asyncio.timeout(seconds):
            while words not in self.text:
                await asyncio.sleep(0.01)


@pytest.fixture
def table(committed):
    return sit_down()


def run(story):
    async def whole():
        try:
            await story()
        finally:
            here = hub.current()
            for thread in (here.reader_pool, here.access_pool):
                await asyncio.get_running_loop().run_in_executor(thread, connections.close_all)
            for task in here.tasks:
                task.cancel()
            here.stop()

    asyncio.run(whole())


def test_a_quiet_stream_has_a_heartbeat(table, monkeypatch):
    monkeypatch.setattr(sse, "HEARTBEAT_SECONDS", 0.05)

    async def story():
        ear = Ear(table)
        await ear.hears(b": still here\n\n: still here\n\n")
        ear.gone.set()
        await ear.task

    run(story)


def test_a_phone_that_goes_is_forgotten(table):
    async def story():
        ear = Ear(table)
        await ear.hears(b"event: hello")
        assert hub.current().count == 1
        ear.gone.set()
        await ear.task
        assert (hub.current().count, hub.current().pads, hub.current().addresses) == (0, {}, {})

    run(story)


@pytest.mark.parametrize(
    "cap", ["STREAMS_PER_PAD_MOST", "STREAMS_PER_ADDRESS_MOST", "STREAMS_PER_PROCESS_MOST"]
)
def test_a_full_house_is_said_to_be_full(table, settings, cap):
    setattr(settings, cap, 1)

    async def story():
        first = Ear(table)
        await first.hears(b"event: hello")
        second = Ear(table)
        await second.task
        assert (second.status, second.headers[b"retry-after"]) == (503, b"5")
        first.gone.set()
        await first.task
        third = Ear(table)
        await third.hears(b"event: hello")
        third.gone.set()
        await third.task

    run(story)


def test_those_who_watch_cannot_take_all_the_streams_of_a_pad(table, settings):
    settings.STREAMS_PER_PAD_MOST = 4

    async def story():
        watching = [Ear(table) for _ in range(2)]
        for ear in watching:
            await ear.hears(b"event: hello")
        late = Ear(table)
        await late.task
        assert late.status == 503
        playing, keeping = Ear(table, table.player.token), Ear(table, table.keeper.token)
        for ear in (playing, keeping):
            await ear.hears(b"event: hello")
        for ear in (*watching, playing, keeping):
            ear.gone.set()
            await ear.task

    run(story)


def test_a_slow_reader_is_dropped_and_holds_nobody_up(table, settings):
    settings.STREAM_QUEUE_MOST = 3

    async def story():
        slow, quick = Ear(table, reads=False), Ear(table)
        await quick.hears(b"event: hello")
        await asyncio.sleep(0.1)
        for number in range(1, 7):
            name, player = f"a{number}", ["Ann", "Bert", "Cleo"][number % 3]
            entry = (
                victory(name, player) if number < 4 else {"id": name, "type": "void", "of": f"a{number - 3}"}
            )
            await asyncio.to_thread(_append, table, entry)
            await quick.hears(f"id: {number}\n".encode())
        async with asyncio.timeout(2):
            while not slow.task.done():
                await asyncio.sleep(0.01)
        assert hub.current().count == 1
        quick.gone.set()
        await quick.task

    run(story)


def _append(table, entry):
    try:
        assert table.player.enter(entry)[0]["status"] == "stored"
    finally:
        connections.close_all()


def test_an_entry_whose_wake_up_is_lost_is_found_by_the_sweep(table, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.1)
    monkeypatch.setattr(notify, "tell", lambda code, what: None)

    async def story():
        ear = Ear(table)
        await ear.hears(b"event: hello")
        await asyncio.to_thread(_append, table, victory("a1"))
        await ear.hears(b'data: {"number":1,"id":"a1"}')
        await asyncio.to_thread(_rename, table)
        await ear.hears(b"Anna")
        await asyncio.to_thread(_rotate, table)
        await asyncio.wait_for(ear.task, 5)

    run(story)


def _rename(table):
    table.keeper.post("names/", {"players": ["Anna", "Bert", "Cleo"]})
    connections.close_all()


def _rotate(table):
    table.keeper.post("links/", {"rotate": "watch"})
    connections.close_all()


def test_a_reader_that_fails_once_is_made_good(table, monkeypatch):
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.1)
    real, fails = hub.reader.read_changes, [True]

    def read(asked):
        if fails and any(notify.ENTRY in what for *_, what in asked) and fails.pop():
            raise OSError("the disk coughs")
        return real(asked)

    monkeypatch.setattr(hub.reader, "read_changes", read)

    async def story():
        ear = Ear(table)
        await ear.hears(b"event: hello")
        await asyncio.to_thread(_append, table, victory("a1"))
        await ear.hears(b"id: 1\n")
        ear.gone.set()
        await ear.task

    run(story)


def test_what_is_written_of_all_phones_is_of_no_request(table, monkeypatch):
    """A log names the request that caused a line; the first phone did not cause what fails later."""
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 0.05)
    request, told = ContextVar("request", default=""), []
    monkeypatch.setattr(hub.log, "exception", lambda words: told.append(request.get()))

    def read_states(*asked):
        raise OSError("the disk coughs")

    monkeypatch.setattr(hub.reader, "read_states", read_states)

    async def story():
        request.set("the first phone's")
        ear = Ear(table)
        await ear.hears(b"event: hello")
        while not told:
            await asyncio.sleep(0.01)
        ear.gone.set()
        await ear.task

    run(story)
    assert set(told) == {""}


def test_the_stream_never_reads_the_database_in_its_loop(table, monkeypatch):
    import threading

    seen = set()
    real = ledger.head

    def head(pad):
        seen.add(threading.current_thread().name)
        return real(pad)

    monkeypatch.setattr(ledger, "head", head)

    async def story():
        ear = Ear(table)
        await ear.hears(b"event: hello")
        ear.gone.set()
        await ear.task

    run(story)
    assert all(name.startswith("scorepad-access") for name in seen)


def test_what_would_leave_a_gap_is_not_sent_but_what_mends_it_is():
    stream = Stream(1, "10.0.0.1", 3, asyncio.Queue())
    for number in (2, 5, 4, 4, 6, 5):
        event = Event("entry", {}, number)
        stream.offer(event, event.encode())
    reset = Event("reset", {}, 9)
    stream.offer(reset, reset.encode())
    sent = [stream.queue.get_nowait().split(b"\n")[0] for _ in range(stream.queue.qsize())]
    assert sent == [b"id: 4", b"id: 5", b"id: 9"]


def test_only_get_opens_a_stream(table):
    async def story():
        ear = Ear(table)
        ear.scope["method"] = "POST"
        await ear.task
        assert (ear.status, ear.headers[b"allow"]) == (405, b"GET")

    run(story)


@pytest.mark.parametrize("odd", ["theme={a:1}", 'x="unfinished', "no value", "a[b]=1", "ä=ö"])
def test_an_odd_cookie_of_another_site_does_not_hide_ours(table, odd):
    cookie = browser_of(table.watcher).cookies[f"pad-{table.code}"]

    async def story():
        ear = Ear(table, authorization="", cookie=f"{odd}; {cookie.key}={cookie.value}")
        await ear.hears(b"event: hello")
        ear.gone.set()
        await ear.task

    run(story)


@pytest.mark.parametrize("host", ["elsewhere.example", "", "testserver:x", "a b"])
def test_a_stream_answers_only_to_our_own_names(table, host):
    async def story():
        ear = Ear(table, host=host)
        await ear.task
        assert ear.status == 400

    run(story)

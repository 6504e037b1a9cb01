"""How a stream ends when it must, and that whatever brings news to the phones never does."""

import asyncio
import socket

import pytest
from django.db import InterfaceError, OperationalError, connections
from django.test import Client

from scorepad.live import hub, notify, reader, sse, streams
from scorepad.live.messages import Event
from scorepad.live.streams import Stream
from tests.scorepad.conftest import sit_down, victory
from tests.scorepad.live_server import Server, free_port
from tests.scorepad.test_streams import Ear, run

FAULTS = [OperationalError("the server is gone"), InterfaceError("the connection is closed")]


@pytest.fixture
def table(committed):
    return sit_down()


@pytest.fixture
def unswept(monkeypatch):
    """Nobody looks around by the clock, so only the reader itself can make good what failed."""
    monkeypatch.setattr(hub, "SWEEP_SECONDS", 3600)
    monkeypatch.setattr(hub, "PAUSE_SECONDS", 0.05)


@pytest.fixture
def unheard(unswept, monkeypatch):
    """No wake-up comes but those the test itself gives."""
    monkeypatch.setattr(notify, "tell", lambda code, what: None)


async def aside(work, *args):
    """In a thread, as a page is served, and without leaving its connection open."""

    def whole():
        try:
            return work(*args)
        finally:
            connections.close_all()

    return await asyncio.to_thread(whole)


async def ends(ear):
    """Whether it ends by itself; wait_for would end it."""
    done, _ = await asyncio.wait([ear.task], timeout=10)
    return bool(done)


def rotate(table):
    assert table.keeper.post("links/", {"rotate": "watch"}).status_code < 300


def rename(table):
    assert table.keeper.post("names/", {"players": ["Anna", "Bert", "Cleo"]}).status_code == 200


def failing(real, *faults):
    """The real thing, once the faults are used up."""
    left = list(faults)

    def work(*args):
        if left:
            raise left.pop()
        return real(*args)

    return work


# ---- the reader never ends ----


def test_a_reader_whose_database_was_away_still_closes_what_was_revoked(table, unswept, monkeypatch):
    monkeypatch.setattr(reader, "read_states", failing(reader.read_states, *FAULTS))

    async def story():
        revoked, other = Ear(table), Ear(table, table.player.token)
        await revoked.hears(b"event: hello")
        await other.hears(b"event: hello")
        await aside(rotate, table)
        assert await ends(revoked)
        await aside(table.player.enter, victory("a1"))
        await other.hears(b"id: 1\n", 10)
        assert hub.is_healthy()
        other.gone.set()
        await other.task

    run(story)


def test_after_a_fault_the_reader_looks_at_everything(table, unheard, monkeypatch):
    """Also at what no wake-up told of: here the names, while the entries could not be handed out."""

    async def story():
        ear = Ear(table)
        await ear.hears(b"event: hello")
        await aside(table.player.enter, victory("a1"))
        await aside(rename, table)
        here = hub.current()
        here._fan_out = failing(here._fan_out, ValueError("cannot be said"))
        here.wake(table.code, notify.ENTRY)
        await ear.hears(b"id: 1\n")
        await ear.hears(b"Anna")
        ear.gone.set()
        await ear.task

    run(story)


@pytest.mark.parametrize("fault", [ZeroDivisionError(), OperationalError("a text that is none")])
def test_a_pad_that_cannot_be_read_does_not_make_the_others_wait(table, unheard, monkeypatch, fault):
    other, broken, real = sit_down(), table.pad.pk, reader._read_pad

    def read_pad(pad_id, *args):
        if pad_id == broken:
            raise fault
        return real(pad_id, *args)

    async def story():
        ears = [Ear(table), Ear(other)]
        for ear in ears:
            await ear.hears(b"event: hello")
        await aside(other.player.enter, victory("a1"))
        monkeypatch.setattr(reader, "_read_pad", read_pad)
        for code in (table.code, other.code):
            hub.current().wake(code, notify.ENTRY)
        await ears[1].hears(b"id: 1\n")
        for ear in ears:
            ear.gone.set()
            await ear.task

    run(story)


@pytest.mark.parametrize("which", [0, 1])
def test_a_process_that_tells_its_phones_nothing_more_is_not_ready(table, which):
    async def story():
        hub.current().tasks[which].cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        answer = await aside(Client().get, "/ready")
        assert (answer.status_code, answer.json()["streams"]) == (503, "deaf")

    run(story)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_phone_that_finds_no_database_is_told_when_to_come_back(table, monkeypatch, fault):
    monkeypatch.setattr(sse.permissions, "by_token", failing(None, fault))

    async def story():
        ear = Ear(table)
        await ear.task
        assert (ear.status, ear.headers[b"retry-after"]) == (503, b"5")

    run(story)


# ---- the end of a stream ----


async def all_that_comes(stream):
    """What is sent to a phone for which something new has come whenever it has read."""
    texts = []
    while len(texts) < 10 and (text := await sse._next_text(stream)) is not None:
        texts.append(text)
        stream.offer(Event("pad", {}), b"late")
    return texts


@pytest.mark.parametrize(
    ("end", "heard"), [(Stream.close, []), (lambda it: it.close_with_retry(7), [b"earlyretry: 7\n\n"])]
)
def test_nothing_comes_after_the_end_however_slowly_it_is_read(end, heard):
    async def story():
        stream = Stream(1, "10.0.0.1", 0, asyncio.Queue(5))
        stream.offer(Event("pad", {}), b"early")
        end(stream)
        stream.offer(Event("pad", {}), b"late")
        assert await all_that_comes(stream) == heard

    asyncio.run(story())


def test_a_phone_that_is_dropped_while_it_waits_for_news_goes():
    """It would stay open and hear nothing more, were that it goes lost in what came in the same moment."""

    async def story():
        stream = Stream(1, "10.0.0.1", 0, asyncio.Queue(2))
        stream.task = asyncio.create_task(sse._next_text(stream))
        await asyncio.sleep(0)
        for _ in range(3):
            stream.offer(Event("pad", {}), b"news")
        with pytest.raises(asyncio.CancelledError):
            await stream.task

    asyncio.run(story())


def test_who_lost_the_link_does_not_hear_what_is_new_in_the_same_moment(table, unheard):
    async def story():
        ear = Ear(table)
        await ear.hears(b"event: hello")
        await aside(rotate, table)
        await aside(table.player.enter, victory("a1"))
        hub.current().wake(table.code, notify.ENTRY)
        hub.current().wake(table.code, notify.LINKS)
        assert await ends(ear)
        assert b"id: 1\n" not in ear.text

    run(story)


@pytest.mark.parametrize("why", ["revoked", "farewell"])
def test_a_phone_that_does_not_read_cannot_keep_its_stream_open(table, unswept, monkeypatch, why):
    monkeypatch.setattr(streams, "ENDING_SECONDS", 0.05)

    async def story():
        ear, cut = Ear(table, reads=False), []

        async def cut_off():
            cut.append(ear)

        ear.scope["cut_off"] = cut_off
        await ear.hears(b"event: hello")
        if why == "revoked":
            await aside(rotate, table)
        else:
            hub.close_streams()
        assert await ends(ear)
        assert hub.current().count == 0
        assert cut == [ear], "its connection is still waited for"

    run(story)


def test_a_phone_that_was_still_at_the_door_when_the_others_were_let_go_is_let_go_too(table):
    async def story():
        ear = Ear(table)
        await asyncio.sleep(0)
        hub.close_streams()
        assert await ends(ear)
        assert ear.text.count(b"retry: ") == 2, "it does not know when to come back"

    run(story)


@pytest.fixture
def server(tmp_path):
    """One that would keep a quiet connection for minutes."""
    server = Server(tmp_path / "served", free_port(), more={"UVICORN_TIMEOUT_KEEP_ALIVE": "300"})
    server.prepare()
    server.start()
    yield server
    server.kill()


def test_the_connection_of_a_revoked_stream_is_closed_with_it(server):
    pad = server.make_pad()
    with socket.create_connection(("127.0.0.1", server.port), timeout=60) as phone:
        phone.sendall(
            f"GET /pads/{pad['code']}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Authorization: Bearer {pad['watch']}\r\n\r\n".encode()
        )
        heard = b""
        while b"event: draft" not in heard:
            heard += phone.recv(4096)
        assert b"connection: close\r\n" in heard.lower()
        server.call("POST", f"/pads/{pad['code']}/links/", {"rotate": "watch"}, pad["keep"])
        while more := phone.recv(4096):
            heard += more
    assert heard.endswith(b"\r\n0\r\n\r\n"), "it was cut off instead of ended"

"""Over real sockets: caps are answered with 503 and a time to come back, and who does not read is dropped."""

import json
import os
import socket
import time

import pytest

from tests.scorepad.live_server import Listener, Server, free_port

PATIENCE_SECONDS = 300


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    more = {"STREAMS_PER_PAD_MOST": "3", "STREAM_QUEUE_MOST": "5"}
    server = Server(tmp_path_factory.mktemp("slow"), free_port(), more=more)
    server.prepare()
    server.start()
    yield server
    server.kill()


def test_one_phone_too_many_is_told_when_to_come_back(server):
    pad = server.make_pad()
    phones = [Listener(server, pad["code"], pad["keep"]) for _ in range(3)]
    for phone in phones:
        phone.next("hello")
    late = Listener(server, pad["code"], pad["keep"])
    assert (late.status, late.answer.headers["Retry-After"]) == (503, "5")
    assert json.loads(late.answer.read())["error"]["code"] == "full"
    phones[0].close()
    deadline = time.monotonic() + 15
    while Listener(server, pad["code"], pad["keep"]).status != 200:
        assert time.monotonic() < deadline, "a place that was left is not given again"
        time.sleep(0.1)


@pytest.mark.skipif(not os.environ.get("SOAK"), reason="fills megabytes of buffers: make soak")
def test_a_phone_that_never_reads_is_dropped_and_the_others_hear_everything(server):
    """Its socket fills up, then its queue; the others and those who enter do not wait for it."""
    pad = server.make_pad(players=[f"{name}{'x' * 36}" for name in ("Ann", "Bob", "Cat")])
    quick = Listener(server, pad["code"], pad["watch"])
    quick.next("hello")
    slow = socket.socket()
    slow.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2_048)
    slow.connect(("127.0.0.1", server.port))
    slow.sendall(
        f"GET /pads/{pad['code']}/events HTTP/1.1\r\nHost: 127.0.0.1\r\n"
        f"Authorization: Bearer {pad['watch']}\r\n\r\n".encode()
    )
    assert slow.recv(12).startswith(b"HTTP/1.1 200")
    while quick.next("watchers", 30)[2]["count"] != 2:
        pass
    settings = {"settings": {"lamp": "x" * 7_000}}
    began, sent = time.monotonic(), 0
    while True:
        status, told = server.call("POST", f"/pads/{pad['code']}/settings/", settings, pad["keep"])
        assert status == 200, told
        sent += 1
        assert quick.next("pad", 30)[2]["revision"] <= sent
        if told["revision"] % 50 == 0 and listeners(server, pad) == 1:
            break
        assert time.monotonic() - began < PATIENCE_SECONDS, (
            f"{sent} changes, and the slow reader is still there"
        )
    slow.close()


def listeners(server, pad):
    """How many phones listen to the pad, as one more is told that comes and goes."""
    phone = Listener(server, pad["code"], pad["watch"])
    count = phone.next("watchers", 30)[2]["count"] - 1
    phone.close()
    return count

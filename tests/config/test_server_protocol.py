"""Over real sockets, with no proxy between: what comes before a request is whole has an end."""

import select
import socket
import time
from contextlib import closing, suppress

import pytest

from tests.postgres.processes import Process
from tests.scorepad.live_server import Server, free_port

PATIENCE_SECONDS = 60
HEALTH = b"GET /health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines") / "var"
    (folder / "images").mkdir(parents=True)
    (folder / "static").mkdir()
    (folder / "static" / "large.bin").write_bytes(bytes(5_000_000))
    made = Process(folder, free_port(), more={"HEAD_SECONDS_MOST": "2", "REQUESTS_AHEAD_MOST": "5"})
    made.prepare()
    made.start()
    yield made
    made.kill()


def line(server):
    return closing(socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_SECONDS))


def heard(opened, is_enough=lambda said: False):
    """What is said on this line until it ends, or until that is enough."""
    said = b""
    with suppress(ConnectionResetError):
        while not is_enough(said) and (piece := opened.recv(65_536)):
            said += piece
    return said


ENDLESS = {
    "an address": (b"GET /", b"a" * 10_000),
    "a header": (b"GET / HTTP/1.1\r\nX-Long: ", b"a" * 10_000),
    "headers": (b"GET / HTTP/1.1\r\n", b"X-Many: 1\r\n" * 1_000),
    "what follows a body": (
        b"POST /pads/ HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n", b"X-Late: 1\r\n" * 1_000,
    ),
}  # fmt: skip


@pytest.mark.parametrize("what", ENDLESS)
def test_what_has_no_end_is_not_read_for_ever(server, what):
    begin, more = ENDLESS[what]
    with line(server) as stranger:
        stranger.sendall(begin)
        sent = 0
        with suppress(ConnectionError):
            while not select.select([stranger], [], [], 0)[0]:
                assert sent < 20_000_000, "it is read on and on"
                stranger.sendall(more)
                sent += len(more)
        assert not (said := heard(stranger)) or said.startswith(b"HTTP/1.1 400 ")


def test_a_long_head_within_the_bound_is_answered(server):
    with line(server) as phone:
        phone.sendall(HEALTH.replace(b"\r\n\r\n", b"\r\nX-Long: " + b"a" * 60_000 + b"\r\n\r\n"))
        assert heard(phone, bool).startswith(b"HTTP/1.1 200 ")


@pytest.mark.parametrize("before", [b"", HEALTH])
@pytest.mark.parametrize("begin", [b"G", b"GET /health HTTP/1.1\r\nHo"])
def test_a_head_that_does_not_come_is_not_waited_for(server, before, begin):
    with line(server) as stranger:
        if before:
            stranger.sendall(before)
            assert heard(stranger, lambda said: b"ok" in said)
        began = time.monotonic()
        stranger.sendall(begin)
        assert heard(stranger) == b""
        assert time.monotonic() - began > 1, "it was not given its time"


def test_a_line_on_which_nothing_is_asked_is_not_kept(server):
    with line(server) as stranger:
        assert heard(stranger) == b""


def test_a_body_may_take_longer_than_its_head(server):
    body = b'{"game": "victory-rummy", "players": ["Ann", "Bert"]}'
    with line(server) as phone:
        phone.sendall(
            b"POST /pads/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n" % len(body)
        )
        time.sleep(3)
        phone.sendall(body)
        assert heard(phone, bool).startswith(b"HTTP/1.1 201 ")


def test_requests_sent_ahead_are_answered_in_their_order_while_they_are_few(server):
    asked = [HEALTH, HEALTH.replace(b"/health", b"/pads/none/result.json"), HEALTH]
    with line(server) as phone:
        phone.sendall(b"".join(asked))
        said = heard(phone, lambda said: said.count(b"HTTP/1.1 ") == 3)
    assert [piece[:3] for piece in said.split(b"HTTP/1.1 ")[1:]] == [b"200", b"404", b"200"]


def test_many_requests_sent_ahead_are_not_kept(server):
    with line(server) as stranger:
        with suppress(ConnectionError):
            for _ in range(100):
                stranger.sendall(HEALTH * 10)
        assert heard(stranger).count(b"HTTP/1.1 ") < 100
    assert server.call("GET", "/health")[0] == 200


def test_who_goes_with_more_asked_for_is_known_to_have_gone(server):
    """Otherwise his answer would be written on a line that is closed, and be a fault in the log."""
    for _ in range(5):
        with line(server) as stranger:
            stranger.sendall(HEALTH.replace(b"/health", b"/static/large.bin") * 2)
            stranger.recv(1_000)
    assert server.call("GET", "/health")[0] == 200
    assert "Traceback" not in server.log.read_text()


def behind_its_body(pad):
    """A call whose token stands behind its body."""
    body = '{"entries": []}'
    return (
        f"POST /pads/{pad['code']}/entries/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
        f"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n{len(body):x}\r\n{body}\r\n0\r\n"
        f"Authorization: Bearer {pad['keep']}\r\n\r\n"
    ).encode()


def test_what_comes_behind_a_body_is_no_header(server):
    """There an address could be told that no proxy has seen, or a token."""
    with line(server) as program:
        program.sendall(behind_its_body(server.make_pad()))
        assert heard(program).startswith(b"HTTP/1.1 404")


def test_a_bare_server_takes_it_for_one(tmp_path):
    """The control."""
    bare = Server(tmp_path, free_port(), "tests.resilience.site_settings")
    bare.prepare()
    bare.start()
    with line(bare) as program:
        program.sendall(behind_its_body(bare.make_pad()))
        assert heard(program).startswith(b"HTTP/1.1 200")
    bare.kill()


def test_an_empty_line_after_an_answer_keeps_nothing_open(server):
    with line(server) as stranger:
        stranger.sendall(HEALTH)
        heard(stranger, lambda said: b'"storage": "ok"' in said)
        stranger.sendall(b"\r\n")
        assert heard(stranger) == b""

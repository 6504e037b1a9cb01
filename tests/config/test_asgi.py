"""Over real sockets: whoever sends slowly, or does not read, keeps nobody else waiting."""

import asyncio
import errno
import hashlib
import json
import resource
import select
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing, contextmanager, suppress
from http.client import HTTPResponse
from pathlib import Path

import pytest

from config import asgi, environment
from config.server import request_body, wsgi_bridge
from tests.scorepad.conftest import victory
from tests.scorepad.live_server import ROOT, Server, free_port

MANY = 40
"""More than there are threads, by far."""
LARGE = bytes(range(256)) * 65_536
PATIENCE_SECONDS = 60
JSON = "Content-Type: application/json\r\n"


@pytest.fixture(scope="module")
def begun(tmp_path_factory):
    """Starts servers on one folder; all end with the tests."""
    folder, servers = tmp_path_factory.mktemp("asgi"), []
    (folder / "static").mkdir()
    (folder / "static" / "large.bin").write_bytes(LARGE)
    Server(folder, 0, "tests.resilience.site_settings").prepare()

    def begin(application="config.asgi:application", **more):
        server = Server(
            folder, free_port(), "tests.resilience.site_settings", more=more, application=application
        )
        servers.append(server.start())
        return server

    yield begin
    for server in servers:
        server.kill()


@pytest.fixture(scope="module")
def server(begun):
    """It waits for long, so that nothing here goes on only because somebody was let go."""
    slow = {"BODY_SILENCE_SECONDS": "600", "ANSWER_SILENCE_SECONDS": "600"}
    return begun(BODIES_LARGE_PER_ADDRESS_MOST="2", **slow)


@pytest.fixture(scope="module")
def hasty(begun):
    return begun(BODY_SILENCE_SECONDS="0.5", ANSWER_SILENCE_SECONDS="0.5")


@pytest.fixture(scope="module")
def waiting(begun):
    return begun("tests.config.slow_threads:application")


def line(server, text=b"", rcvbuf=0):
    made = socket.socket()
    if rcvbuf:
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, rcvbuf)
    made.settimeout(PATIENCE_SECONDS)
    made.connect(("127.0.0.1", server.port))
    made.sendall(text)
    return made


def post(path, length, headers=JSON, body=b""):
    return (
        f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}Content-Length: {length}\r\n\r\n".encode()
        + body
    )


@contextmanager
def half_sent(server):
    with ExitStack() as lines:
        for _ in range(MANY):
            lines.enter_context(closing(line(server, post("/pads/", 500, body=b"{"))))
        yield


@contextmanager
def not_reading(server):
    ask = b"GET /static/large.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with ExitStack() as lines:
        opened = [lines.enter_context(closing(line(server, ask, rcvbuf=2_048))) for _ in range(MANY)]
        # A little comes, so that every one has been asked for; the control never gets to the last ones.
        for one in opened[:10]:
            assert one.recv(12) == b"HTTP/1.1 200"
        yield


STRAINS = {"half-sent bodies": half_sent, "readers who do not read": not_reading}


@pytest.mark.parametrize("strain", STRAINS)
def test_a_tap_does_not_wait_for_strangers(server, strain):
    pad = server.make_pad()
    with STRAINS[strain](server):
        assert [one["status"] for one in server.enter(pad, victory("a"))] == ["stored"]


@pytest.mark.parametrize("strain", STRAINS)
def test_threads_that_wait_are_noticed(waiting, strain):
    """The control: there a tap waits as long as the strangers like."""
    with STRAINS[strain](waiting), closing(waiting.connect(3)) as phone:
        phone.request("GET", "/pads/none/result.json")
        with pytest.raises(TimeoutError):
            phone.getresponse()


def said(opened):
    """Status, headers and text of the answer on this line."""
    answer = HTTPResponse(opened)
    answer.begin()
    return answer.status, answer.headers, answer.read().decode()


def test_a_body_that_stops_coming_is_told_so_in_json_and_on_a_page(hasty):
    with closing(line(hasty, post("/pads/", 500, body=b"{"))) as program:
        status, headers, text = said(program)
        assert program.recv(1) == b"", "the line stays open"
    assert (status, json.loads(text)["error"]["code"]) == (408, "too-slow")
    assert headers["Content-Security-Policy"] and headers["X-Request-ID"]
    with closing(line(hasty, post("/pads/new/", 500, "Content-Type: x-www-form-urlencoded\r\n"))) as browser:
        status, _, text = said(browser)
    assert (status, "nothing of it was stored" in text) == (408, True)


def test_a_byte_now_and_then_is_not_enough(hasty):
    with closing(line(hasty, post("/pads/", 5_000))) as program:
        for _ in range(200):
            program.sendall(b" ")
            if select.select([program], [], [], 0.1)[0]:
                break
        assert program.recv(12) == b"HTTP/1.1 408"


def test_who_does_not_read_is_cut_off(hasty):
    ask = b"GET /static/large.bin HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n"
    with closing(line(hasty, ask, rcvbuf=2_048)) as stranger:
        # Before the answer begins, the line may not have been taken by a process yet.
        assert stranger.recv(1)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while is_held(hasty.port, stranger.getsockname()[1]):
            assert time.monotonic() < deadline, "it is still waited for"
            time.sleep(0.1)
        read = 1
        with suppress(ConnectionResetError):
            while piece := stranger.recv(1_000_000):
                read += len(piece)
        assert read < len(LARGE)
        assert hasty.call("GET", "/pads/none/result.json")[0] == 404


def is_held(port, other):
    """Whether a process still has the line between these ports; the kernel's part of it may live on."""
    ends = [f"0100007F:{number:04X}" for number in (port, other)]
    rows = [row.split() for row in Path("/proc/net/tcp").read_text().splitlines()]
    return any(row[1:3] == ends and row[9] != "0" for row in rows[1:])


def test_a_large_file_comes_whole_and_in_part(server):
    with closing(server.connect(PATIENCE_SECONDS)) as reader:
        for headers, part in (({}, LARGE), ({"Range": "bytes=100-300099"}, LARGE[100:300_100])):
            reader.request("GET", "/static/large.bin", headers=headers)
            assert hashlib.sha256(reader.getresponse().read()).digest() == hashlib.sha256(part).digest()
        reader.request("HEAD", "/static/large.bin")
        answer = reader.getresponse()
        assert (answer.getheader("Content-Length"), answer.read()) == (str(len(LARGE)), b"")
        reader.request("GET", "/pads/none/result.json")
        assert reader.getresponse().status == 404


def test_who_speaks_an_older_http_gets_every_answer_in_one_piece(server):
    # A sign that no text has is refused before anything in Django has measured the answer.
    for path, words in (("/a%00", b"text cannot have"), ("/pads/none/result.json", b"no-pad")):
        with closing(line(server, f"GET {path} HTTP/1.0\r\nHost: 127.0.0.1\r\n\r\n".encode())) as program:
            came = b"".join(iter(lambda program=program: program.recv(65_536), b""))
        head, _, body = came.partition(b"\r\n\r\n")
        assert b"content-length: %d" % len(body) in head and words in body


def test_a_body_in_chunks_is_read(server):
    sheet = json.dumps({"game": "victory-rummy", "players": ["Ann", "Bert"], "notes": "x" * 1000}).encode()
    with closing(server.connect(PATIENCE_SECONDS)) as program:
        for size in (1, 100, len(sheet)):
            pieces = [sheet[at : at + size] for at in range(0, len(sheet), size)]
            headers = {"Content-Type": "application/json"}
            program.request("POST", "/pads/", iter(pieces), headers, encode_chunked=True)
            answer = program.getresponse()
            assert (answer.status, b"/pads/" in answer.read()) == (201, True)


def test_a_body_that_is_cut_off_is_never_stored(server):
    """Its beginning would do as JSON; but nobody knows what else was to come."""
    pad = server.make_pad()
    path, token = f"/pads/{pad['code']}/entries/", f"Authorization: Bearer {pad['play']}\r\n"
    text = json.dumps({"entries": [victory("cut")]}).encode()
    for _ in range(5):
        line(server, post(path, len(text) + 5, JSON + token, text)).close()
    server.enter(pad, victory("whole", "Bert"))
    # The same beginning, when it is all there is, is taken.
    with closing(line(server, post(path, len(text), JSON + token, text))) as phone:
        assert '"stored"' in said(phone)[2]
    log = server.call("GET", f"/pads/{pad['code']}/log.json", token=pad["keep"])[1]["log"]
    assert [row["id"] for row in log] == ["whole", "cut"]


def test_large_bodies_have_a_number_of_places_and_small_ones_need_none(server):
    pad = server.make_pad()
    half = post("/pads/import/", 1_000_000, body=b" " * 200_000)
    whole = post("/pads/import/", 200_000, body=b" " * 200_000)
    with closing(line(server, half)), closing(line(server, half)):
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            with closing(line(server, whole)) as third:
                status, headers, text = said(third)
            if status == 503:
                break
            assert time.monotonic() < deadline, "there is no end of places"
        assert (headers["Retry-After"], json.loads(text)["error"]["code"]) == ("2", "busy")
        assert [one["status"] for one in server.enter(pad, victory("a"))] == ["stored"]
    # Who goes leaves his place.
    while True:
        with closing(line(server, whole)) as third:
            status, _, _ = said(third)
        if status == 400:
            break
        assert time.monotonic() < deadline, "places are not given back"


@pytest.mark.parametrize("kind", ["json", "x-www-form-urlencoded"])
def test_what_is_larger_than_any_address_takes_is_refused_before_it_comes(server, kind):
    asked = post("/pads/import/", 17_000_000, f"Content-Type: application/{kind}\r\n")
    with closing(line(server, asked)) as program:
        status, _, text = said(program)
    assert (status, "in parts" in text) == (413, True)
    assert kind != "json" or json.loads(text)["error"]["code"] == "too-large"


def scope(path, size, *headers):
    named = [(b"host", b"127.0.0.1"), (b"content-length", str(size).encode())]
    return {
        "type": "http", "method": "POST", "path": path, "query_string": b"", "http_version": "1.1",
        "headers": [*named, *headers], "client": ("192.0.2.7", 1), "server": ("127.0.0.1", 80),
    }  # fmt: skip


def coming(*pieces, then="http.disconnect"):
    """What is received: these pieces, and then an end, silence, or that somebody went."""
    messages = iter([{"type": "http.request", "body": piece, "more_body": True} for piece in pieces])

    async def receive():
        if message := next(messages, None):
            return message
        await asyncio.sleep(PATIENCE_SECONDS if then == "silence" else 0)
        return {"type": then, "body": b"", "more_body": False}

    return receive


def test_a_full_disk_is_said_when_a_body_does_not_fit_on_it(monkeypatch, settings):
    class Full(tempfile.SpooledTemporaryFile):
        def write(self, piece):
            raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(request_body.tempfile, "SpooledTemporaryFile", Full)
    to = scope("/pads/", 100_000, (b"content-type", b"application/json"))
    answer = asyncio.run(asgi.respond(to, coming(b"x" * 100_000, then="http.request")))
    assert (answer.status, json.loads(answer.body)["error"]["code"]) == (507, "disk-full")
    assert not request_body._large_bodies


@pytest.mark.parametrize("then", ["http.disconnect", "silence"])
def test_scans_are_read_as_they_come_and_half_of_them_is_no_scan(monkeypatch, settings, then):
    settings.BODY_SILENCE_SECONDS = 0.2
    read, faults = [], []

    def view(environ, start):
        start("200 OK", [])
        try:
            while piece := environ["wsgi.input"].read(4):
                read.append(piece)
        except OSError as fault:
            faults.append(fault)
        return [b"taken"]

    async def refuse(scope, reason):
        return reason

    monkeypatch.setattr(asgi, "django_application", view)
    monkeypatch.setattr(asgi, "refuse", refuse)
    to = scope("/books/a/scans/upload/", 12)
    answer = asyncio.run(asgi.respond(to, coming(b"scan", b"scan", then=then)))
    assert (read, len(faults)) == ([b"scan", b"scan"], 1)
    assert answer is (None if then == "http.disconnect" else request_body.TOO_SLOW)


def test_when_too_much_waits_to_be_read_who_waited_longest_goes(settings):
    settings.ANSWERS_WAITING_BYTES_MOST = 2_500_000
    ended = []

    async def story():
        async def reader(name):
            async def send(message):
                if message["type"] == "http.response.body":
                    await asyncio.sleep(PATIENCE_SECONDS)

            await wsgi_bridge.send_response(wsgi_bridge.Response(200, [], bytes(1_000_000)), send)
            ended.append(name)

        tasks = [asyncio.create_task(reader(name)) for name in "abcd"]
        async with asyncio.timeout(PATIENCE_SECONDS / 2):
            while len(ended) < 2:
                await asyncio.sleep(0.01)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    asyncio.run(story())
    assert ended == ["a", "b"]
    assert (wsgi_bridge.send_budget.total, wsgi_bridge.send_budget.held) == (0, {})


def test_the_server_may_open_as_many_files_as_the_system_lets_it():
    script = (
        "import resource as r; r.setrlimit(r.RLIMIT_NOFILE, (128, r.getrlimit(r.RLIMIT_NOFILE)[1]))\n"
        "from config import serve; serve.open_many_files(); print(r.getrlimit(r.RLIMIT_NOFILE)[0])"
    )
    told = subprocess.run(
        [sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert int(told.stdout) == resource.getrlimit(resource.RLIMIT_NOFILE)[1]


def test_proxies_that_are_no_networks_are_named_at_the_start(monkeypatch):
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.0/24, 10.1.2.3, unix, ::1")
    assert environment.networks("TRUSTED_PROXIES") == ["10.0.0.0/24", "10.1.2.3", "unix", "::1"]
    monkeypatch.setenv("TRUSTED_PROXIES", "10.0.0.0/24,proxy.local")
    with pytest.raises(environment.SettingError, match="TRUSTED_PROXIES has 'proxy"):
        environment.networks("TRUSTED_PROXIES")
    told = subprocess.run([sys.executable, "manage.py", "check"], cwd=ROOT, capture_output=True, text=True)
    assert told.returncode and "TRUSTED_PROXIES has 'proxy.local'" in told.stderr


class Line:
    """uvicorn's side of a connection: how much its reader has left to take, each time somebody looks."""

    def __init__(self, *left):
        self.left, self.is_cut = list(left), False
        self.transport, self.cycle = self, object()

    async def send(self, message):
        pass

    def get_protocol(self):
        return self

    def get_write_buffer_size(self):
        return self.left.pop(0) if len(self.left) > 1 else self.left[0]

    def abort(self):
        self.is_cut = True


@pytest.mark.parametrize(
    ("left", "is_cut"),
    [([500], True), ([500, 300, 300], True), ([500, 300, 0], False), ([0], False)],
)
def test_who_does_not_take_the_end_of_an_answer_is_cut_off_unless_he_is_slow(left, is_cut, settings):
    settings.ANSWER_SILENCE_SECONDS = 0.01
    line = Line(*left)

    async def story():
        await wsgi_bridge.send_response(wsgi_bridge.Response(200, [], b"short"), line.send)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while len(line.left) > 1 or (is_cut and not line.is_cut):
            assert time.monotonic() < deadline
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.05)

    asyncio.run(story())
    assert line.is_cut == is_cut


def test_who_asks_for_something_else_has_taken_the_answer_before(settings):
    settings.ANSWER_SILENCE_SECONDS = 0.01
    line = Line(500)

    async def story():
        await wsgi_bridge.send_response(wsgi_bridge.Response(200, [], b"short"), line.send)
        line.cycle = object()
        await asyncio.sleep(0.1)

    asyncio.run(story())
    assert not line.is_cut


def test_a_stream_can_cut_its_connection_off(monkeypatch):
    line = Line(0)

    async def events(scope, receive, send):
        await scope["cut_off"]()

    monkeypatch.setattr(asgi, "events", events)
    asked = {"type": "http", "path": "/pads/x/events", "headers": []}
    asyncio.run(asgi.application(asked, None, line.send))
    assert line.is_cut

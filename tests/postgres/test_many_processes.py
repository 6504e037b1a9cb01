"""Two processes on two ports behind nginx, with the files of deploy/ and phones spread over both."""

import json
import os
import re
import time
from contextlib import ExitStack

import pytest

from tests.config.test_serve import SLIGHTLY_WRONG
from tests.postgres.nginx_proxy import NAME, Proxy
from tests.postgres.processes import (
    SOAK,
    WISH,
    WRITERS,
    Ear,
    Process,
    Reader,
    Writer,
    in_time,
    settings_of_tests,
    sheet,
)
from tests.postgres.static_versions import take_static_files
from tests.scorepad.live_server import Listener, free_port

pytestmark = pytest.mark.skipif("TEST_DATABASE_URL" not in os.environ, reason="needs PostgreSQL")

FIVE_EACH = {name: {"count": 5} for name in WISH["players"][1:]}
ROUNDS = range(20 if SOAK else 1)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """nginx and the processes behind it."""
    var = tmp_path_factory.mktemp("many") / "var"
    var.mkdir()
    (var / "images").mkdir()
    processes = [Process(var, free_port(), more=settings_of_tests()) for _ in range(2)]
    processes[0].prepare()
    take_static_files(processes[0], tmp_path_factory.mktemp("static"), "the first version")
    proxy = Proxy(tmp_path_factory.mktemp("nginx"), var, [process.port for process in processes])
    with ExitStack() as ending:
        for server in [*processes, proxy]:
            ending.callback(server.kill)
            server.start()
        yield proxy, processes


@pytest.fixture
def pad(many):
    return many[0].make_pad(**WISH)


def test_phones_spread_over_both_processes_hear_the_same_within_a_second(many, pad):
    proxy, processes = many
    phones = [Listener(proxy, pad["code"], pad["watch"]) for _ in range(6)]
    for phone in phones:
        phone.next("hello", 20)
    assert all(process.figure("tallyroom_open_streams") for process in processes)
    took = []
    for count in range(5):
        began = time.monotonic()
        proxy.enter(pad, {"id": f"a{count}", "type": "hand", "winner": "Ann", "hands": FIVE_EACH})
        for phone in phones:
            assert phone.next("entry", 20)[2]["id"] == f"a{count}"
        took.append(time.monotonic() - began)
    in_time(took)
    for phone in phones:
        phone.close()


@pytest.mark.parametrize("turn", ROUNDS)
def test_nothing_acknowledged_is_lost_when_a_process_is_killed_under_load(many, pad, turn):
    proxy, processes = many
    with at_work(proxy, pad) as crew:
        time.sleep(1)
        processes[turn % 2].kill()
        time.sleep(1)
        processes[turn % 2].start()
    log = crew.judge()
    print(f"{len(log)} entries, one kill, {len(crew.failed)} requests failed: {crew.failed[:5]}")
    # A tap that the killed process had in its hands was sent to the other one. Only an answer that had begun
    # breaks off; its phone has sent the tap again.
    failed = [fault for writer in crew.writers for fault in writer.failed]
    assert not [fault for fault in failed if not fault.startswith("IncompleteRead")]


@pytest.fixture(scope="module")
def far(many, tmp_path_factory):
    """nginx on a machine of its own: it has none of the files of the processes."""
    _, processes = many
    folder = tmp_path_factory.mktemp("far")
    proxy = Proxy(folder, folder, [process.port for process in processes])
    yield proxy.start()
    proxy.kill()


@pytest.mark.parametrize("turn", ROUNDS)
def test_a_restart_one_after_the_other_fails_no_request(many, far, pad, turn, tmp_path):
    """A new version, of which every script and every sheet has changed."""
    proxy, processes = many
    visitors = [Visitor(site, "/about/") for site in (proxy, far)]
    with at_work(proxy, pad, visitors) as crew:
        time.sleep(0.5)
        take_static_files(processes[0], tmp_path, f"version {turn + 2}")
        for process in processes:
            time.sleep(0.5)
            process.stop()
            process.start()
        time.sleep(0.5)
    log = crew.judge()
    served = sum(reader.served for reader in crew.readers)
    print(f"{len(log)} entries and {served} pages while both processes were restarted")
    assert served > 20 and len(log) > 20
    assert crew.failed == []
    assert any(ear.came_back for ear in crew.ears), "no stream was on a process that was restarted"
    assert [len(visitor.sheets) for visitor in visitors] == [2, 2], "pages of both versions were to be seen"


class Visitor(Reader):
    """Somebody who opens a page all the time, with every script and sheet it names."""

    def __init__(self, site, path):
        super().__init__(site, path)
        self.sheets = set()

    def look(self, path):
        page = super().look(path)
        names = sorted(set(re.findall(r"/static/[^\"']+\.(?:css|js)", page.decode())))
        self.sheets |= {name for name in names if name.startswith("/static/css/base.")}
        for name in names:
            super().look(name)
        return page


class at_work:
    """Phones that write, listen and read while something happens to the site."""

    def __init__(self, site, pad, visitors=()):
        self.site, self.pad = site, pad
        self.writers = [Writer(site, pad, f"w{count}") for count in range(WRITERS)]
        self.ears = [Ear(site, pad) for _ in range(4)]
        self.readers = [*visitors, *(Reader(site, path) for path in ("/iiif/3/collection.json", "/health"))]

    def __enter__(self):
        for thread in [*self.ears, *self.writers, *self.readers]:
            thread.start()
        return self

    def __exit__(self, *fault):
        for thread in [*self.writers, *self.readers]:
            thread.ended.set()
        for thread in [*self.writers, *self.readers]:
            thread.join(60)

    @property
    def failed(self):
        return [fault for thread in [*self.writers, *self.readers] for fault in thread.failed]

    def judge(self):
        """The log is whole, has what was acknowledged where it was said to be, and every phone heard it."""
        log = sheet(self.site, self.pad)
        assert [row["number"] for row in log] == list(range(1, len(log) + 1))
        ids = {row["number"]: row["id"] for row in log}
        assert len(set(ids.values())) == len(ids)
        for writer in self.writers:
            assert writer.acknowledged
            assert all(ids[number] == name for number, name in writer.acknowledged)
        deadline = time.monotonic() + 20
        while any(ear.heard != sorted(ids) for ear in self.ears) and time.monotonic() < deadline:
            time.sleep(0.1)
        for ear in self.ears:
            ear.ended.set()
            assert ear.heard == sorted(ids)
        return log


def got(site, path, **headers):
    """The answer to somebody who asks for this, and its body."""
    connection = site.connect(20)
    connection.request("GET", path, headers=headers)
    answer = connection.getresponse()
    body = answer.read()
    connection.close()
    return answer, body


def test_no_log_has_a_key_and_both_name_a_request_alike(many, pad):
    proxy, processes = many
    proxy.call("GET", f"/pads/{pad['code']}/{pad['keep']}")
    proxy.call("GET", f"/pads/{pad['code']}/result.json", token=pad["keep"])
    for address in SLIGHTLY_WRONG:
        got(proxy, address.format(code=pad["code"], token=pad["keep"]))
    time.sleep(0.3)
    nginx = "\n".join(path.read_text() for path in proxy.folder.glob("*.log"))
    ours = "\n".join(process.log.read_text() for process in processes)
    for role in ("keep", "play", "watch"):
        assert pad[role] not in nginx and pad[role] not in ours
    assert f'"GET /pads/{pad["code"]}/..."' in nginx and '"GET /Pads/...' not in nginx
    assert f'"GET /Pads/{pad["code"]}/..."' in nginx and "Not Found: /Pads/" in ours
    lines = [json.loads(line) for line in ours.splitlines() if line.startswith("{")]
    named = {line["request"] for line in lines if line.get("route", "").endswith("result.json")}
    assert any(name in nginx for name in named)


def test_what_is_not_for_the_world_is_not_shown_to_it(many):
    proxy, processes = many
    assert proxy.call("GET", "/health")[0] == 200
    connection = proxy.connect(10)
    connection.request("GET", "/metrics")
    assert connection.getresponse().status == 404
    connection.close()
    assert processes[0].figure("tallyroom_leaving") == 0


UPLOAD = "/books/victory-rummy-1942/scans/upload/"


def test_of_a_strangers_scans_nothing_is_taken_in(many):
    """50 MB are announced: the answer comes after the head, and no file of a body is on nginx's disk."""
    proxy, _ = many
    line = proxy.connect(20)
    line.putrequest("POST", UPLOAD, skip_host=True)
    line.putheader("Host", NAME)
    line.putheader("Content-Type", "multipart/form-data; boundary=x")
    line.putheader("Content-Length", "50000000")
    line.endheaders(bytes(65_536))
    answer = line.getresponse()
    assert answer.status == 403 and b"Only curators may send scans" in answer.read()
    assert not [path for path in (proxy.folder / "body").rglob("*") if path.is_file()]
    line.close()


def test_page_images_come_through_the_site_which_knows_who_may_see_them(many):
    proxy, _ = many
    name = "images/some-leaf/0123456789abcdef/full/300-.jpg"
    file = proxy.var / name
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(b"\xff\xd8 a page")
    connection = proxy.connect(10)
    connection.request("GET", f"/{name}")
    answer = connection.getresponse()
    assert (answer.status, answer.read()) == (200, b"\xff\xd8 a page")
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert "immutable" in answer.headers["Cache-Control"]
    connection.close()
    (proxy.var / "secret").write_bytes(b"a key")
    connection.request("GET", "/images/../secret")
    assert b"a key" not in connection.getresponse().read()
    connection.close()


SAID = [
    "Cache-Control",
    "Content-Encoding",
    "Content-Type",
    "Referrer-Policy",
    "Strict-Transport-Security",
    "Vary",
    "X-Content-Type-Options",
]


def test_static_files_come_from_the_disk_as_a_process_would_send_them(many):
    proxy, processes = many
    page = got(proxy, "/about/")[1].decode()
    for kind in ("css", "js", "svg"):
        path = re.search(rf"/static/[^\"']+\.{kind}", page)[0]
        for asked in ({}, {"Accept-Encoding": "gzip"}):
            straight, body = got(proxy, path, **asked)
            passed_on, same = got(processes[0], path, **asked, **{"X-Forwarded-Proto": "https"})
            assert (straight.status, body) == (200, same)
            assert "X-Request-ID" in passed_on.headers and "X-Request-ID" not in straight.headers
            for name in SAID:
                assert straight.headers[name] == ((passed_on.headers[name] or "").replace('"', "") or None), (
                    name
                )
    assert got(proxy, "/static/css/base.0123456789ab.css")[0].status == 404

"""Running the site: request ids, log lines, figures for a monitor, ready or not, and an orderly end."""

import asyncio
import base64
import hashlib
import json
import logging
import random
import re
import signal
import socket
import time
import uuid
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import unquote

import pytest
import uvicorn
from django.db import OperationalError

from config import log_format, request_ids
from config.server import process
from ops import health, metrics, shutdown
from tests.postgres.processes import Process
from tests.scorepad.conftest import sit_down, victory
from tests.scorepad.live_server import Listener, Server, free_port

ROOT = Path(__file__).resolve().parents[2]
LINK = "/pads/K7Q/aB3_x" + "y" * 20


# ---- request ids ----


def test_every_answer_carries_a_name_of_its_own(client, db):
    first, second = (client.get("/about/").headers["X-Request-ID"] for _ in range(2))
    assert re.fullmatch("[0-9a-f]{16}", first) and first != second


def test_a_name_is_taken_from_our_own_proxy_and_from_nobody_else(client, db, settings):
    asked = {"X-Request-ID": "proxy-given-1"}
    assert client.get("/about/", headers=asked).headers["X-Request-ID"] != "proxy-given-1"
    settings.BEHIND_PROXY = True
    assert client.get("/about/", headers=asked).headers["X-Request-ID"] == "proxy-given-1"
    odd = client.get("/about/", headers={"X-Request-ID": 'x"\x1b[2J forged'}).headers["X-Request-ID"]
    assert re.fullmatch("[0-9a-f]{16}", odd)


def test_an_entry_without_an_id_that_a_proxy_sends_again_is_stored_once(db, settings):
    table = sit_down(game="rummy-1916", options={"rounds": 100})
    entry = {"type": "hand", "winner": "Ann", "hands": {name: {"count": 5} for name in ("Bert", "Cleo")}}

    def told(name):
        table.player.headers["X-Request-ID"] = name
        results = table.player.enter(entry, entry)
        assert len({result["id"] for result in results}) == 2
        return [(result["status"], result["number"]) for result in results]

    # A stranger's word for a request is not believed, so his are two requests.
    assert told("proxy-given-1") == [("stored", 1), ("stored", 2)]
    assert told("proxy-given-1") == [("stored", 3), ("stored", 4)]
    settings.BEHIND_PROXY = True
    assert told("proxy-given-1") == [("stored", 5), ("stored", 6)]
    assert told("proxy-given-1") == [("known", 5), ("known", 6)]
    assert told("proxy-given-2") == [("stored", 7), ("stored", 8)]


# ---- log lines ----


def line_of(record):
    log_format.HideKeys().filter(record)
    return json.loads(log_format.JsonFormatter().format(record))


def record(words, *args, fault=None):
    exc_info = (type(fault), fault, fault.__traceback__) if fault else None
    return logging.LogRecord("scorepad.live.hub", logging.ERROR, "", 1, words, args, exc_info)


def test_a_json_line_says_when_who_what_and_for_which_request(monkeypatch):
    monkeypatch.setattr(request_ids, "current", lambda: "ab12")
    line = line_of(record("Could not read %s", "it"))
    assert line["message"] == "Could not read it"
    assert (line["level"], line["logger"], line["request"]) == ("error", "scorepad.live.hub", "ab12")
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+00:00", line["time"])


def test_no_key_reaches_a_line_nor_the_traceback_below_it():
    try:
        raise ValueError(f"no view for {LINK}")
    except ValueError as fault:
        line = line_of(record("Not found: %s", LINK, fault=fault))
    assert "yyyy" not in json.dumps(line)
    assert "/pads/K7Q/…" in line["message"] and "/pads/K7Q/…" in line["exception"]


TOKEN = "aB3_x-9Kq" + "Zw4Lt7" * 4
SLIGHTLY_WRONG = [
    "/Pads/{code}/{token}",
    "/pads//{code}/{token}",
    "/pads/{code}/%20{token}",
    "/pads/{code}/entries/{token}",
    "/pads/{token}/{token}",
    "/search/?q=https%3A%2F%2Ftally.example.org%2Fpads%2F{code}%2F{token}",
]
"""Where a key may stand in the address of somebody who did not copy it well; nginx is asked for them too."""


@pytest.mark.parametrize("address", SLIGHTLY_WRONG)
def test_no_key_reaches_a_line_by_an_address_that_is_slightly_wrong(address):
    asked = address.format(code="K7Q", token=TOKEN)
    assert TOKEN not in log_format.without_keys(f'Not Found: {asked} "GET" {unquote(asked)}')


@pytest.mark.parametrize("sign", [" ", "\n", "\u00ad", "\udc80", "=", "<wbr>"])
def test_a_key_that_was_broken_on_the_way_is_hidden_whole(sign):
    """As mail breaks long words; whoever reads the line would only have to put it together."""
    broken = f"/pads/K7Q/{TOKEN[:15]}{sign}{TOKEN[15:]}"
    line = line_of(record("Not Found: %s", broken))
    assert TOKEN[:8] not in line["message"] and TOKEN[-8:] not in line["message"]
    assert line_of(record("Not Found: %s", "/pads/K7Q/print"))["message"] == "Not Found: /pads/K7Q/print"


def test_every_key_is_hidden_and_what_a_log_needs_is_not():
    made = [base64.urlsafe_b64encode(random.Random(seed).randbytes(24)).decode() for seed in range(20_000)]
    assert [token for token in made if token in log_format.without_keys(f"Not Found: /odd/{token}")] == []
    needed = [
        f"{uuid.UUID(int=7**40)} in {uuid.UUID(int=7**40).hex} has {hashlib.sha256().hexdigest()}",
        "django.core.exceptions.SynchronousOnlyOperation: DATA_UPLOAD_MAX_NUMBER_FIELDS, not X-Content-Type",
        'File "/opt/tallyroom/.venv/lib/python3.11/site-packages/a.py", line 7, in test_a_rather_long_name',
        "Not Found: /books/the-official-rules-of-victory-rummy-1942/passages/score-capture-of-a-run/",
    ]
    assert [log_format.without_keys(line) for line in needed] == needed


def test_a_line_of_several_lines_stays_one(db):
    assert "\n" not in log_format.JsonFormatter().format(record("one\ntwo"))


def test_the_line_of_a_request_names_its_route_and_never_its_path(client, db, settings, caplog):
    settings.LOG_REQUESTS = True
    table = sit_down()
    with caplog.at_level(logging.INFO, "tallyroom.requests"):
        client.get(f"/pads/{table.code}/{table.watcher.token}")
    told = caplog.records[-1]
    assert table.watcher.token not in told.getMessage() and table.code not in told.getMessage()
    assert told.status == 302 and "token" in told.route


# ---- figures ----


def figures(client, **headers):
    text = client.get("/metrics", headers=headers).content.decode()
    return {
        line.rpartition(" ")[0]: float(line.rpartition(" ")[2])
        for line in text.splitlines()
        if line[0] != "#"
    }


def test_answers_are_counted_by_view_and_status_and_timed(client, db):
    name = 'tallyroom_requests_total{method="GET",status="200",view="/about/"}'
    before = figures(client).get(name, 0)
    client.get("/about/")
    after = figures(client)
    assert after[name] == before + 1
    assert after['tallyroom_request_seconds_count{view="/about/"}'] >= 1


def test_streams_are_counted_and_have_their_line_whether_let_in_or_refused(tmp_path):
    server = Process(tmp_path / "var", free_port(), more={"LOG_FORMAT": "json", "STREAMS_PER_PAD_MOST": "1"})
    (tmp_path / "var" / "images").mkdir(parents=True)
    server.prepare()
    server.start()
    pad = server.make_pad()
    first = Listener(server, pad["code"], pad["watch"])
    first.next("hello")
    for code, status in ((pad["code"], 503), ("nowhere", 404)):
        assert Listener(server, code, pad["watch"]).status == status
    name = 'tallyroom_requests_total{{method="GET",status="{}",view="/pads/<slug:code>/events"}}'
    assert [server.figure(name.format(status)) for status in (200, 404, 503)] == [1, 1, 1]
    first.close()
    connection = server.connect(10)
    connection.request("GET", "/pads/nowhere/result.json")
    asked = connection.getresponse().headers["X-Request-ID"]
    server.kill()
    lines = [json.loads(line) for line in server.log.read_text().splitlines() if line.startswith("{")]
    # Django's own line of a refusal, too, names its request.
    assert [line.get("request") for line in lines if line["message"].startswith("Not Found: ")] == [asked]
    told = [line for line in lines if line.get("route") == "/pads/<slug:code>/events"]
    assert [line["status"] for line in told] == [200, 503, 404]
    assert all(line["request"] for line in told) and pad["watch"] not in server.log.read_text()


def test_however_many_addresses_are_tried_there_is_one_figure_for_what_is_not_there(client, db):
    for count in range(5):
        client.get(f"/nothing-{count}/here")
    assert not [name for name in figures(client) if "nothing-" in name]


def test_entries_are_counted_by_what_became_of_them(db, client, django_capture_on_commit_callbacks):
    table = sit_down()
    before = figures(client)
    with django_capture_on_commit_callbacks(execute=True):
        table.player.enter(victory("a1"), victory("a1"), {"id": "x", "type": "nonsense"})
    after = figures(client)
    for outcome in ("stored", "known", "refused"):
        name = f'tallyroom_entries_total{{outcome="{outcome}"}}'
        assert after[name] == before[name] + 1


def test_failures_of_the_database_are_counted(client, db, monkeypatch):
    name = 'tallyroom_database_errors_total{kind="OperationalError"}'
    before = figures(client).get(name, 0)

    def fail():
        raise OperationalError("connection refused")

    monkeypatch.setattr("home.bookshelf.books", fail)
    assert client.get("/").status_code == 503
    assert figures(client)[name] == before + 1


def test_figures_are_for_this_machine_or_for_whoever_has_the_token(client, db, settings):
    assert client.get("/metrics").status_code == 200
    assert client.get("/metrics", REMOTE_ADDR="192.0.2.7").status_code == 404
    assert client.get("/metrics", headers={"X-Forwarded-For": "127.0.0.1"}).status_code == 404
    settings.METRICS_TOKEN = "monitor"
    assert client.get("/metrics").status_code == 404
    assert client.get("/metrics", headers={"Authorization": "Bearer other"}).status_code == 404
    shown = client.get("/metrics", headers={"Authorization": "Bearer monitor"}, REMOTE_ADDR="192.0.2.7")
    assert shown.status_code == 200


# ---- ready or not ----


def test_ready_says_that_everything_is_at_hand(client, db):
    answer = client.get("/ready")
    assert answer.status_code == 200
    assert answer.json() == {
        "status": "ready", "database": "ok", "migrations": "ok", "storage": "ok", "streams": "ok",
        "serving": "ok",
    }  # fmt: skip


def test_not_ready_while_rows_lack_a_migration_or_the_process_stops(client, db, monkeypatch):
    monkeypatch.setattr(health, "_all_applied", False)
    monkeypatch.setattr(health.MigrationExecutor, "migration_plan", lambda *_: ["one"])
    assert client.get("/ready").json()["migrations"] == "missing"
    assert client.get("/ready").status_code == 503
    monkeypatch.undo()
    monkeypatch.setattr(shutdown, "has_begun", lambda: True)
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["serving"]) == (503, "stopping")
    assert client.get("/health").status_code == 200


def test_a_bucket_that_hangs_holds_up_no_tap(tmp_path):
    """It takes connections and says nothing; all tries together take a minute. More are waiting for pictures,
    and for /ready, than there are threads for pages."""
    with socket.create_server(("127.0.0.1", 0), backlog=64) as bucket, ExitStack() as ending:
        more = {"IMAGES_BUCKET": "pages", "IMAGES_ENDPOINT": f"http://127.0.0.1:{bucket.getsockname()[1]}"}
        keys = {"IMAGES_REGION": "us-east-1", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b"}
        server = Server(tmp_path / "var", free_port(), more=more | keys)
        server.prepare()
        server.start()
        ending.callback(server.kill)
        pad = server.make_pad()
        for path in [*(f"/images/leaf-{n}/{n:016}/full/160.jpg" for n in range(12)), *["/ready"] * 12]:
            waiting = server.connect(60)
            ending.callback(waiting.close)
            waiting.request("GET", path)
        time.sleep(1)
        # Whoever calls waits for twenty seconds.
        assert server.enter(pad, victory("a1"))[0]["status"] == "stored"


# ---- an orderly end ----


def test_a_server_that_is_told_to_stop_finishes_and_tells_phones_when_to_come_back(tmp_path):
    systemd = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
    systemd.bind(str(tmp_path / "notify"))
    systemd.settimeout(10)
    more = {"DRAIN_SECONDS": "1", "NOTIFY_SOCKET": str(tmp_path / "notify")}
    server = Process(tmp_path / "var", free_port(), more=more)
    (tmp_path / "var" / "images").mkdir(parents=True)
    server.prepare()
    server.start()
    assert systemd.recv(100) == b"READY=1"
    pad = server.make_pad()
    phone = Listener(server, pad["code"], pad["watch"], keep=True)
    phone.next("hello")
    server.process.send_signal(signal.SIGTERM)
    deadline = time.monotonic() + 5
    while server.call("GET", "/ready")[0] != 503:
        assert time.monotonic() < deadline
    assert server.enter(pad, victory("a1"))[0]["status"] == "stored"
    assert phone.next("entry")[2]["id"] == "a1"
    assert phone.ended.wait(10)
    came_back = [int(line.removeprefix("retry: ")) for line in phone.lines if line.startswith("retry: ")]
    assert len(came_back) == 2 and 200 <= came_back[1] <= 2000
    assert server.process.wait(10) in (0, -signal.SIGTERM)
    assert systemd.recv(100) == b"STOPPING=1"
    systemd.close()


def test_a_page_that_is_being_read_is_called_back_before_the_rest_is_waited_for(monkeypatch, settings):
    settings.DRAIN_SECONDS, told = 0, []

    async def waited(server, sockets=None):
        told.append("waited")

    monkeypatch.setattr(shutdown, "begin", lambda: told.append("told"))
    monkeypatch.setattr(shutdown.background, "stop_all", lambda: told.append("called back"))
    monkeypatch.setattr(uvicorn.Server, "shutdown", waited)
    asyncio.run(process.Server(uvicorn.Config("config.asgi:application", log_config=None)).shutdown())
    assert told == ["told", "called back", "waited"]


def test_metrics_are_named_as_the_papers_name_them(client, db):
    told = (ROOT / "docs" / "deploy.md").read_text()
    for family in metrics.REGISTRY.collect():
        assert f"`{family.name}" in told, family.name

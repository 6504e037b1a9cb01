"""The ground: settings safe by themselves, headers everywhere, versions new enough, locks that lock."""

import ast
import json
import os
import re
import stat
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from django.conf import settings
from django.db import DatabaseError, connection
from django.urls import get_resolver

from config import environment, network

ROOT = Path(__file__).resolve().parents[2]


def settings_seen_by_a_new_process(var, **given):
    """What a fresh machine without any setting would use, plus what is given."""
    names = ["DEBUG", "SECRET_KEY", "ALLOWED_HOSTS", "SESSION_COOKIE_SECURE", "SECURE_HSTS_SECONDS"]
    names += ["SESSION_COOKIE_NAME", "CSRF_COOKIE_NAME"]
    code = (
        "import json; from django.conf import settings as s; "
        f"print(json.dumps({{n: getattr(s, n) for n in {names!r}}} | {{'db': s.DATABASES['default']}}))"
    )
    bare = {
        "PATH": os.environ["PATH"],
        "DJANGO_SETTINGS_MODULE": "config.settings",
        "TALLYROOM_VAR": str(var),
    }
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=bare | given, capture_output=True, text=True
    )
    return json.loads(run.stdout) if run.returncode == 0 else run.stderr


def test_without_any_setting_debug_is_off_and_only_this_machine_is_served(tmp_path):
    seen = settings_seen_by_a_new_process(tmp_path)
    assert seen["DEBUG"] is False
    assert seen["ALLOWED_HOSTS"] == ["localhost", "127.0.0.1", "[::1]"]


def test_the_secret_key_is_made_once_kept_and_readable_by_its_owner_alone(tmp_path):
    first = settings_seen_by_a_new_process(tmp_path)["SECRET_KEY"]
    assert len(first) >= 50
    assert settings_seen_by_a_new_process(tmp_path)["SECRET_KEY"] == first
    assert stat.S_IMODE((tmp_path / "secret-key").stat().st_mode) == 0o600
    assert settings_seen_by_a_new_process(tmp_path / "other")["SECRET_KEY"] != first


def modes_of_a_site(var, umask):
    """The modes of what a new process makes in the folder of a site."""
    code = (
        "import django; django.setup()\n"
        "from django.conf import settings; from django.core.files.base import ContentFile\n"
        "from django.core.files.storage import storages; from django.core.management import call_command\n"
        "call_command('migrate', 'people', verbosity=0)\n"
        "for name in ('pages', 'originals'): storages[name].save('a/b.jpg', ContentFile(b'x'))\n"
        "(settings.VAR / 'prepared.json').write_text('{}')\n"
    )
    env = {"PATH": os.environ["PATH"], "DJANGO_SETTINGS_MODULE": "config.settings", "TALLYROOM_VAR": str(var)}
    subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=env, check=True, umask=umask)
    paths = [var, *var.rglob("*")]
    return {str(path.relative_to(var)): stat.S_IMODE(path.stat().st_mode) for path in paths}


def test_what_is_made_under_var_is_its_owners_alone(tmp_path):
    (tmp_path / "var").mkdir(0o755)
    modes = modes_of_a_site(tmp_path / "var", umask=0o022)
    assert {"secret-key", "db.sqlite3", "images/a/b.jpg", "originals/a/b.jpg"} <= modes.keys()
    assert {name: oct(mode) for name, mode in modes.items() if mode & 0o077 and name != "."} == {}
    assert modes["."] & 0o007 == 0


def test_a_group_that_the_umask_lets_in_reads_images_and_nobody_else_does(tmp_path):
    """As systemd starts it: nginx is in the group."""
    modes = modes_of_a_site(tmp_path / "var", umask=0o027)
    assert modes["images/a/b.jpg"] == 0o640 and modes["images/a"] == 0o750
    assert modes["secret-key"] == modes["db.sqlite3"] == 0o600
    assert not any(mode & 0o007 for mode in modes.values())


def test_two_processes_that_start_at_once_share_one_secret_key(tmp_path):
    path = str(tmp_path / "k")
    code = f"import pathlib, config.environment as e; print(e.secret_in(pathlib.Path({path!r})))"
    runs = [
        subprocess.Popen([sys.executable, "-c", code], cwd=ROOT, stdout=subprocess.PIPE, text=True)
        for _ in range(6)
    ]
    assert len({run.communicate()[0] for run in runs}) == 1
    assert [path.name for path in tmp_path.iterdir()] == ["k"]


def test_the_secret_key_is_on_the_disk_before_it_has_its_name(tmp_path, monkeypatch):
    synced = []
    monkeypatch.setattr(environment.os, "fsync", lambda file: synced.append(list(tmp_path.glob("key"))))
    environment.secret_in(tmp_path / "key")
    assert synced == [[]]


def test_sqlite_waits_for_its_turn_and_loses_nothing_at_a_power_cut(tmp_path):
    options = settings_seen_by_a_new_process(tmp_path)["db"]["OPTIONS"]
    assert options["transaction_mode"] == "IMMEDIATE"
    assert "journal_mode=WAL" in options["init_command"]
    assert "synchronous=FULL" in options["init_command"]


@pytest.mark.django_db
@pytest.mark.skipif(connection.vendor != "sqlite", reason="asks SQLite")
def test_a_connection_really_is_in_wal_mode_with_full_synchronisation():
    with connection.cursor() as cursor:
        assert cursor.execute("PRAGMA journal_mode").fetchone() == ("wal",)
        assert cursor.execute("PRAGMA synchronous").fetchone() == (2,)


def test_secure_marks_cookies_for_https_and_this_host_alone(tmp_path):
    assert settings_seen_by_a_new_process(tmp_path)["SESSION_COOKIE_SECURE"] is False
    seen = settings_seen_by_a_new_process(tmp_path, SECURE="1")
    assert seen["SESSION_COOKIE_SECURE"] is True
    assert seen["SESSION_COOKIE_NAME"] == "__Host-sessionid"
    assert seen["CSRF_COOKIE_NAME"] == "__Host-csrftoken"
    assert seen["SECURE_HSTS_SECONDS"] > 0


def test_django_finds_nothing_to_warn_of_behind_tls(tmp_path):
    behind = {"PATH": os.environ["PATH"], "TALLYROOM_VAR": str(tmp_path), "SECURE": "1", "BEHIND_PROXY": "1"}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    run = subprocess.run(command, cwd=ROOT, env=behind, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr


def test_a_setting_that_cannot_be_meant_is_refused_with_what_to_write(tmp_path):
    assert "DEBUG is 'maybe'; write 1 or 0." in settings_seen_by_a_new_process(tmp_path, DEBUG="maybe")


def test_database_url_names_sqlite_or_postgres():
    assert environment.database("", Path("/v"))["NAME"] == "/v/db.sqlite3"
    assert environment.database("sqlite:////srv/t.sqlite3", Path("/v"))["NAME"] == "/srv/t.sqlite3"
    postgres = environment.database("postgres://ada:a%2Fb@db:5433/tally", Path("/v"))
    assert (postgres["USER"], postgres["PASSWORD"], postgres["HOST"], postgres["PORT"], postgres["NAME"]) == (
        "ada", "a/b", "db", "5433", "tally",
    )  # fmt: skip
    with pytest.raises(environment.SettingError, match="sqlite and postgres"):
        environment.database("mysql://x/y", Path("/v"))


def test_listening_everywhere_answers_to_the_machines_own_names_only():
    hosts = network.allowed_hosts("0.0.0.0")
    assert set(network.own_names()) <= set(hosts)
    assert "*" not in hosts
    assert network.allowed_hosts("192.168.1.7") == [*network.LOOPBACK, "192.168.1.7"]


def plain_addresses():
    """Every address of the site that needs nothing filled in."""

    def walk(patterns, prefix):
        for pattern in patterns:
            route = prefix + str(pattern.pattern)
            if hasattr(pattern, "url_patterns"):
                yield from walk(pattern.url_patterns, route)
            elif not re.search(r"[<(\[\\?$^]", route):
                yield f"/{route}"

    return sorted(set(walk(get_resolver().url_patterns, "")))


@pytest.mark.django_db
def test_every_answer_forbids_what_does_not_come_from_here(client):
    for address in [*plain_addresses(), "/no-such-page/", "/static/css/base.css"]:
        headers = client.get(address).headers
        policy = headers["Content-Security-Policy"]
        assert policy.startswith("default-src 'none'"), address
        assert "unsafe" not in policy and "*" not in policy, address
        assert "frame-ancestors 'none'" in policy and "base-uri 'none'" in policy, address
        assert headers["X-Content-Type-Options"] == "nosniff", address
        assert headers["Referrer-Policy"] == "same-origin", address
        assert headers["Cross-Origin-Opener-Policy"] == "same-origin", address
        assert headers["X-Frame-Options"] == "DENY", address
        assert "geolocation=()" in headers["Permissions-Policy"], address


@pytest.mark.django_db
def test_no_page_carries_inline_script_or_style(client):
    for address in plain_addresses():
        answer = client.get(address)
        if not answer.headers["Content-Type"].startswith("text/html"):
            continue
        page = answer.content.decode()
        assert not re.search(r"<script(?![^>]*\bsrc=)(?![^>]*application/(ld\+)?json)", page), address
        assert not re.search(r"\sstyle=|<style|\son\w+=", page), address


@pytest.mark.django_db
def test_the_page_that_shows_the_look_is_not_there_without_debug(client):
    assert client.get("/style/").status_code == 404


@pytest.mark.django_db
def test_health_says_that_database_and_storage_are_well_and_nothing_else(client):
    answer = client.get("/health")
    assert answer.status_code == 200
    assert answer.json() == {"status": "ok", "database": "ok", "storage": "ok"}
    assert "no-store" in answer.headers["Cache-Control"]


@pytest.mark.django_db
def test_health_is_503_when_images_cannot_be_stored(client, settings, tmp_path):
    settings.MEDIA_ROOT = tmp_path / "gone"
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json()["storage"] == "missing"


def test_health_is_503_when_the_database_does_not_answer(client, monkeypatch):
    def refuse():
        raise DatabaseError("password=hunter2 refused")

    monkeypatch.setattr("ops.health.connection.cursor", refuse)
    answer = client.get("/health")
    assert answer.status_code == 503
    assert answer.json()["database"] == "unreachable"
    assert "hunter2" not in answer.content.decode()


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/health", "/about/"])
def test_pages_that_only_show_refuse_to_be_written_to(client, address):
    assert client.post(address).status_code == 405


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("cookie", "drawn"), [("dark", 'data-theme="dark"'), ("light", 'data-theme="light"')]
)
def test_the_theme_chosen_on_this_device_is_drawn_by_the_server(client, cookie, drawn):
    client.cookies["theme"] = cookie
    assert drawn in client.get("/about/").content.decode()


@pytest.mark.django_db
def test_a_theme_nobody_offers_is_ignored(client):
    client.cookies["theme"] = '"><script>alert(1)</script>'
    page = client.get("/about/")
    assert "data-theme" not in page.content.decode()
    assert "Cookie" in page.headers["Vary"]


def test_a_link_to_a_pad_never_reaches_the_log(caplog):
    import logging

    from config.log_format import HideKeys

    record = logging.LogRecord(
        "django.request", 30, "", 1, "Not Found: %s", ("/pads/K7Q/aB3_x" + "y" * 20,), None
    )
    HideKeys().filter(record)
    assert record.getMessage() == "Not Found: /pads/K7Q/…"


def version(text):
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def test_versions_are_not_older_than_the_faults_we_know_of():
    import django
    import PIL
    from django.db.backends.sqlite3.base import Database

    assert version(django.get_version()) >= (5, 2, 19)
    assert version(PIL.__version__) >= (13,)
    assert version(Database.sqlite_version) >= (3, 51, 3)


def test_the_engine_imports_nothing_but_the_standard_library():
    for path in (ROOT / "engine").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module]
            for name in names:
                assert name.partition(".")[0] in sys.stdlib_module_names | {"engine"}, f"{path}: {name}"


def test_every_locked_package_has_hashes_and_no_lock_names_a_host():
    for name in ("requirements.lock", "requirements-dev.lock"):
        text = (ROOT / name).read_text()
        packages = re.findall(r"^[a-z0-9][^\n]*==[^\n]*(?:\n    [^\n]*)*", text, re.M)
        assert len(packages) > 10
        assert all("--hash=sha256:" in package for package in packages), name
        assert "://" not in text and "index-url" not in text, name
    lock = json.loads((ROOT / "package-lock.json").read_text())
    installed = {path: row for path, row in lock["packages"].items() if path}
    assert all(row["integrity"].startswith("sha512-") for row in installed.values())
    assert not any("resolved" in row for row in installed.values())


def test_the_locks_hold_every_package_that_is_asked_for_and_say_why_it_is_there():
    text = (ROOT / "pyproject.toml").read_text()
    project = tomllib.loads(text)
    runtime = project["project"]["dependencies"]
    asked = runtime + project["dependency-groups"]["dev"]
    locked = (ROOT / "requirements-dev.lock").read_text()
    for wish in asked:
        name = re.match(r"[\w-]+", wish)[0]
        assert re.search(rf"^{re.escape(name)}==", locked, re.M), f"{name} is not locked: make lock"
        line = next(line for line in text.splitlines() if f'"{wish}"' in line)
        assert re.search(r"#\s+\S+ \S+", line), f"{name} is there without a reason"
    small = re.findall(r"^[\w-]+==\S+", (ROOT / "requirements.lock").read_text(), re.M)
    assert set(small) <= set(re.findall(r"^[\w-]+==\S+", locked, re.M))


def test_everything_made_at_run_time_is_under_one_folder():
    rows = environment.database("", settings.VAR)["NAME"]
    made = [settings.MEDIA_ROOT, settings.STATIC_ROOT, rows]
    assert all(Path(path).is_relative_to(settings.VAR) for path in made)

"""The files of deploy/ and what docs/deploy.md says of them: read, checked and, where it can be, run."""

import os
import re
import shutil
import subprocess
import sys
import tarfile
import threading
from pathlib import Path

import pytest
from django.apps import apps
from django.db import migrations, models
from django.db.migrations.loader import MigrationLoader
from django.http import HttpResponseNotFound
from django.test import RequestFactory
from django.urls import reverse

from config.static_files import StaticFilesMiddleware
from tests.config.test_serve import TOKEN
from tests.postgres.nginx_proxy import Proxy
from tests.postgres.processes import deployed
from tests.requirements import lacking

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
EXAMPLES = ["environment.example", "many/environment.example"]
UNITS = sorted((DEPLOY / "systemd").glob("*.service"))
OURS = {"turnstile", "people", "archive", "scorepad"}


@pytest.mark.parametrize("example", EXAMPLES)
def test_django_has_nothing_to_warn_of_with_the_settings_of_deploy(tmp_path, example):
    own = {"PATH": os.environ["PATH"], "TALLYROOM_VAR": str(tmp_path)}
    command = [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"]
    run = subprocess.run(command, cwd=ROOT, env={**deployed(example), **own}, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    bare = subprocess.run(command, cwd=ROOT, env=own, capture_output=True, text=True)
    assert bare.returncode, "without them there must be something to warn of"


@pytest.mark.parametrize("example", EXAMPLES)
def test_every_setting_of_an_example_is_read_by_the_site(example):
    read = "".join((ROOT / "config" / name).read_text() for name in ("settings.py", "environment.py"))
    text = (DEPLOY / example).read_text()
    for name in re.findall(r"^#?([A-Z_]+)=", text, re.M):
        assert f'"{name}"' in read or name.startswith("AWS_"), name


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_a_unit_runs_as_nobody_special_and_may_write_only_its_own_folder(unit):
    text = unit.read_text()
    for line in ("User=tallyroom", "NoNewPrivileges=yes", "ProtectSystem=strict", "ProtectHome=yes"):
        assert line in text
    assert "CapabilityBoundingSet=\n" in text
    assert "ReadWritePaths" not in text


@pytest.mark.parametrize("unit", UNITS, ids=lambda path: path.name)
def test_what_a_unit_starts_is_there(unit):
    [command] = re.findall(r"^ExecStart=/opt/tallyroom/(.+)$", unit.read_text(), re.M)
    program, word = command.split()
    assert os.access(ROOT / program, os.X_OK)
    if program == "deploy/serve":
        assert f'"{word}"' in (ROOT / "config/serve.py").read_text()


def test_a_process_stays_with_its_version_when_the_link_to_it_is_put_on_the_next(tmp_path):
    """A python that tells its name stands in."""
    for version in ("first", "second"):
        for name in ("deploy/serve", ".venv/bin/python"):
            (tmp_path / version / name).parent.mkdir(parents=True)
        shutil.copy(DEPLOY / "serve", tmp_path / version / "deploy/serve")
        python = tmp_path / version / ".venv/bin/python"
        python.write_text('#!/bin/sh\necho "$0" "$(pwd)" "$@"\n')
        python.chmod(0o755)
        (tmp_path / "current").unlink(missing_ok=True)
        (tmp_path / "current").symlink_to(version)
        told = subprocess.check_output([tmp_path / "current/deploy/serve", "--prepared"], text=True)
        assert told == f"{python} {tmp_path / version} -m config.serve --prepared\n"


def analyzed(folder, *words):
    """What systemd itself says of our units, as if they stood where they belong."""
    if shutil.which("systemd-analyze") is None:
        pytest.skip("systemd-analyze comes with systemd")
    for unit in (DEPLOY / "systemd").iterdir():
        (folder / unit.name).write_text(unit.read_text().replace("/opt/tallyroom", str(ROOT)))
    shutil.move(folder / "tallyroom@.service", folder / "tallyroom@8001.service")
    names = sorted(folder.glob("*.service" if "security" in words else "*"))
    return subprocess.run(["systemd-analyze", *words, *names], capture_output=True, text=True)


def test_systemd_finds_no_fault_in_the_units(tmp_path):
    told = analyzed(tmp_path, "verify")
    ours = [line for line in told.stderr.splitlines() if "tallyroom" in line]
    assert (told.returncode, ours) == (0, [])
    (tmp_path / "tallyroom-odd.service").write_text("[Service]\nExecStart=/nowhere\nUsr=tallyroom\n")
    odd = subprocess.run(
        ["systemd-analyze", "verify", tmp_path / "tallyroom-odd.service"], capture_output=True, text=True
    )
    assert odd.returncode and "Usr" in odd.stderr, "a fault must be found"


def test_systemd_finds_the_units_well_shut_in(tmp_path):
    """It gives 0 to 10 points for what a service may do and need not; ours stay below 2."""
    told = analyzed(tmp_path, "security", "--offline=true", "--threshold=20")
    assert told.returncode == 0, told.stdout


def megabytes(size):
    return int(size) * 1024 * 1024


def test_nginx_lets_pass_what_the_site_takes_so_that_the_site_is_heard(settings):
    text = (DEPLOY / "nginx/tallyroom.conf").read_text()
    plain, scans, of_question = map(megabytes, re.findall(r"client_max_body_size (\d+)m;", text))
    fields = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    assert plain > settings.FORM_FILE_BYTES_MAX + fields
    assert scans > settings.SCAN_BYTES_MAX * settings.DATA_UPLOAD_MAX_NUMBER_FILES + fields
    assert scans > 1.5 * plain
    # nginx holds the question who sends it to its own bound, by the length of the upload.
    assert of_question == scans
    # The larger one is of the one address that scans are sent to.
    [place] = re.findall(r"location ~ (\S+) \{\s+proxy_pass \S+\s+client_max_body_size \d+m;", text)
    assert re.match(place, reverse("upload-scans", args=["a-book"]))
    assert "error_page 413 @too_large;" in text and "Send it in parts." in text
    # Who sends so much is asked before.
    [asked] = re.findall(rf"location ~ {re.escape(place)} \{{[^}}]*auth_request (\S+);", text)
    assert asked == reverse("may-publish")
    assert re.search(rf"location = {asked} \{{\s+internal;[^}}]*proxy_pass_request_body off;", text)


def test_nginx_asks_the_processes_that_systemd_starts():
    ports = set(re.findall(r"tallyroom@(\d+)\.service", (DEPLOY / "systemd/tallyroom.target").read_text()))
    assert ports == set(
        re.findall(r"server 127\.0\.0\.1:(\d+)", (DEPLOY / "nginx/tallyroom.conf").read_text())
    )


def test_many_machines_are_told_what_they_share_and_what_is_their_own():
    one, many = (deployed(example) for example in EXAMPLES)
    assert set(one) <= set(many)
    shared = {"SECRET_KEY", "DATABASE_URL", "IMAGES_BUCKET", "TRUSTED_PROXIES", "HOST"}
    assert shared <= set(many) and not shared & set(one)
    # A key that stands in a public file would be everybody's.
    assert [name for name in many if "SECRET" in name and many[name]] == []


def processes_in(text):
    [block] = re.findall(r"^upstream tallyroom \{.*?^\}\n", text, re.M | re.S)
    return block, set(re.findall(r"server ([\d.]+):(\d+) (max_fails=3 fail_timeout=2s);", block))


def test_nginx_before_many_machines_asks_every_process_of_each():
    ports = re.findall(r"tallyroom@(\d+)\.service", (DEPLOY / "systemd/tallyroom.target").read_text())
    block, found = processes_in((DEPLOY / "many/upstream.conf").read_text())
    machines = {machine for machine, _, _ in found}
    assert found == {(machine, port, "max_fails=3 fail_timeout=2s") for machine in machines for port in ports}
    assert block.count("server ") == len(found) and len(machines) > 1
    many = deployed("many/environment.example")
    assert many["HOST"] in machines and machines <= set(many["ALLOWED_HOSTS"].split(","))


def test_nginx_takes_the_block_for_many_machines(tmp_path):
    if not Path("/usr/sbin/nginx").exists():
        lacking("nginx judges its own files. Install it: .ci/install nginx")
    proxy = Proxy(tmp_path, tmp_path, [8001, 8002])
    proxy.write()
    site = tmp_path / "tallyroom.conf"
    one, _ = processes_in(site.read_text())
    many, _ = processes_in((DEPLOY / "many/upstream.conf").read_text())
    for block, is_good in ((many, True), (many.replace("server 10", "sever 10"), False)):
        site.write_text(proxy.site().replace(one, block))
        judged = subprocess.run([*proxy.command, "-t"], capture_output=True, text=True)
        assert (judged.returncode == 0) == is_good, judged.stderr


def test_a_restart_asks_the_process_where_it_listens(tmp_path):
    """systemctl and curl stand in: what is asked is written down."""
    for name, says in (("systemctl", 'test "$1" = list-units && echo tallyroom@8001.service'), ("curl", "")):
        (tmp_path / name).write_text(f'#!/bin/sh\necho {name} "$@" >> {tmp_path}/asked\n{says}\ntrue\n')
        (tmp_path / name).chmod(0o755)
    for example, host in zip(EXAMPLES, ("127.0.0.1", "10.0.0.11"), strict=True):
        own = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TALLYROOM_ENVIRONMENT": str(DEPLOY / example)}
        subprocess.run([DEPLOY / "restart"], env=own, check=True, capture_output=True)
        assert f"http://{host}:8001/ready" in (tmp_path / "asked").read_text().splitlines()[-1]


@pytest.fixture
def versions(settings, tmp_path):
    """Takes the static files of a version; returns the names its sheet has and had that are still there."""
    from config.server import prepare

    settings.VAR, settings.STATIC_ROOT = tmp_path, tmp_path / "static"
    settings.STATICFILES_DIRS = [tmp_path / "ours"]
    sheet = tmp_path / "ours/css/a.css"
    sheet.parent.mkdir(parents=True)

    def take(text, days_later):
        for file in settings.STATIC_ROOT.rglob("*"):
            then = file.stat().st_mtime - days_later * 24 * 3600
            os.utime(file, (then, then))
        sheet.write_text(text * 100)
        prepare.collect_static()
        assert [path.name for path in tmp_path.iterdir() if path.name.startswith("static-")] == []
        found = settings.STATIC_ROOT.glob("css/a.*.css*")
        return {file.name for file in found}

    return take


def test_static_files_of_the_version_before_stay_while_its_processes_serve(versions):
    first = versions("a {}", 0)
    assert len(first) == 2, "one file, and the same made small"
    both = versions("b {}", 100)
    assert first < both and len(both) == 4
    # Somebody may take a third version in the same hour, before the first is gone everywhere.
    assert both < versions("c {}", 0)


def test_static_files_that_no_version_of_the_last_month_has_are_removed(versions):
    first = versions("a {}", 0)
    second = versions("b {}", 100) - first
    third = versions("c {}", 31)
    assert second < third and not first & third


@pytest.mark.parametrize("left", ["", '{"paths": {"css', "\0\0"])
def test_a_start_that_was_cut_off_in_the_middle_keeps_no_later_one_from_starting(versions, tmp_path, left):
    from config.server import prepare

    first, done = versions("a {}", 0), []
    for kept in (tmp_path / "static" / prepare.StaticFilesStorage.manifest_name, tmp_path / "prepared.json"):
        kept.write_text(left)
    assert first < versions("b {}", 0)
    for _ in range(2):
        prepare.run_if_changed("a thing", lambda: [tmp_path / "ours/css/a.css"], lambda: done.append(1))
    assert done == [1], "it is done again, and then known"


def test_what_a_killed_start_left_is_removed(versions, tmp_path):
    (tmp_path / "static-left" / "css").mkdir(parents=True)
    versions("a {}", 0)


def test_of_two_starts_at_once_the_second_waits_for_the_first(settings, tmp_path):
    from ops import locks

    settings.VAR, told = tmp_path, []

    def second():
        with locks.exclusive_here(locks.PREPARE, wait=True):
            told.append("second")

    waits = threading.Thread(target=second)
    with locks.exclusive_here(locks.PREPARE, wait=True):
        waits.start()
        waits.join(0.3)
        told.append("first")
    waits.join()
    assert told == ["first", "second"]


def test_a_static_file_that_was_taken_away_is_not_found(settings, tmp_path):
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH = tmp_path, False
    file = tmp_path / "a.css"
    file.write_text("a {}")
    answer = StaticFilesMiddleware(lambda request: HttpResponseNotFound())
    assert answer(RequestFactory().get("/static/a.css")).status_code == 200
    file.unlink()
    assert answer(RequestFactory().get("/static/a.css")).status_code == 404


def test_a_file_of_the_kit_is_served_once_it_is_whole_though_the_site_started_before(settings, tmp_path):
    settings.KIT_ROOT, settings.PHONE_KIT = tmp_path / "kit", True
    settings.STATIC_ROOT, settings.WHITENOISE_AUTOREFRESH = tmp_path, False
    answer = StaticFilesMiddleware(lambda request: HttpResponseNotFound())
    file = settings.KIT_ROOT / "0123456789ab" / "program.zip"
    file.parent.mkdir(parents=True)
    file.write_text("program")
    address = f"/static/phone/{file.parent.name}/{file.name}"
    assert answer(RequestFactory().get(address)).status_code == 404
    file.with_name("program.zip.gz").write_text("compressed")
    served = answer(RequestFactory().get(address))
    assert b"".join(served) == b"program"
    assert "immutable" in served["Cache-Control"]
    assert answer(RequestFactory().get("/static/phone/0123456789ab/..")).status_code == 404


class Unanswered(Proxy):
    """nginx before a process that is not there, with another level of its log of errors."""

    level = "emerg"

    def site(self):
        nowhere = f"server unix:{self.folder}/nowhere"
        text = super().site().replace(f"server 127.0.0.1:{self.processes[0]}", nowhere)
        assert nowhere in text and "-error.log emerg;" in text
        return text.replace("-error.log emerg;", f"-error.log {self.level};")

    def call(self, *words):
        connection = self.connect(10)
        connection.request("GET", f"/pads/K7Q/{TOKEN}")
        connection.getresponse()
        connection.close()


@pytest.mark.parametrize("level", ["emerg", "crit"])
def test_nginx_tells_no_key_when_something_is_wrong(tmp_path, level):
    if not Path("/usr/sbin/nginx").exists():
        lacking("nginx judges its own files. Install it: .ci/install nginx")
    proxy = Unanswered(tmp_path, tmp_path, [8001])
    proxy.level = level
    proxy.start()
    proxy.kill()
    told = "".join(path.read_text() for path in tmp_path.glob("*.log"))
    assert '"GET /pads/K7Q/..." 502' in told
    assert (TOKEN in told) == (level == "crit"), "on the next level it must be told"


def test_scripts_are_sound_shell():
    for script in (DEPLOY / name for name in ("backup", "manage", "restart", "serve")):
        assert script.read_text().startswith("#!/bin/sh\n")
        assert subprocess.run(["sh", "-n", script]).returncode == 0
        assert os.access(script, os.X_OK)


def test_a_backup_of_the_script_is_restored_by_the_commands_of_the_paper(tmp_path):
    """Ten minutes are for the person; the commands themselves take seconds."""
    if not (ROOT / ".venv").exists():
        pytest.skip("the script runs the site's own environment")
    here, kept, there = tmp_path / "here", tmp_path / "kept", tmp_path / "there"
    kept.mkdir()
    (here / "images").mkdir(parents=True)
    own = {"PATH": os.environ["PATH"], "TALLYROOM_VAR": str(here)}

    def manage(var, *words):
        command = [sys.executable, "manage.py", *words]
        env = {**own, "TALLYROOM_VAR": str(var)}
        run = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True)
        assert run.returncode == 0, run.stderr
        return run.stdout

    manage(here, "migrate", "--verbosity", "0")
    old = kept / "tallyroom-2001-01-01T000000.tar"
    old.write_bytes(b"")
    os.utime(old, (0, 0))
    run = subprocess.run([DEPLOY / "backup", kept], env=own, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    [file] = kept.iterdir()
    assert tarfile.is_tarfile(file)
    told = (ROOT / "docs" / "deploy.md").read_text()
    assert "deploy/manage restore" in told
    assert "Restored" in manage(there, "restore", str(file))
    assert (there / "secret-key").read_text() == (here / "secret-key").read_text()


# ---- migrations beside the old version ----

BEFORE_THE_RULE = {
    "archive": "0012_paragraphs_of_a_leaf",
    "people": "0002_sealed_secrets",
    "scorepad": "0004_last_seal",
    "turnstile": "0001_counts",
}
"""Of each app the newest migration from before the rule. Whoever runs the site has these, and every later one
is run while the version before it serves. The table stays as it is when migrations are added."""

ALLOWED: dict[tuple[str, str], str] = {
    ("people", "0006_role_titles"): "what people read for a role; nothing in the database changes",
    (
        "people",
        "0003_attempts_are_counted_by_the_limiter",
    ): "empties a table, which stays for one version",
    ("archive", "0013_drafts"): "fills columns that the old version does not know",
    ("archive", "0017_search_vocabulary"): "tables that the old version does not know",
    ("archive", "0016_pages_to_come"): "loosens a column of a table that the old version does not know",
    ("people", "0005_shapes_of_names"): "fills a column that the old version does not know",
    ("scorepad", "0011_declarations"): "makes a column wider, in which the old version writes short names",
    ("scorepad", "0006_new_owners"): "ends requests to keep a pad, which the old version lets be made again",
}
"""What is not plainly additive and yet harmless: the app and the migration, with the reason."""


def breaks_the_old_version(operation):
    """Why a process of the version before could fail beside this; None if it cannot."""
    if isinstance(operation, migrations.RemoveField | migrations.DeleteModel):
        return "takes away what the old version still asks for: stop using it now, remove it a release later"
    if isinstance(operation, migrations.RenameField | migrations.RenameModel | migrations.AlterModelTable):
        return (
            "renames what the old version still asks for: add the new, copy, remove the old a release later"
        )
    if isinstance(operation, migrations.AddField):
        field = operation.field
        fills_itself = field.null or field.many_to_many or field.db_default is not models.NOT_PROVIDED
        return None if fills_itself else "a row written by the old version would lack it: null or db_default"
    if isinstance(operation, migrations.AlterField):
        return "may not take what the old version writes"
    if isinstance(operation, migrations.RunPython | migrations.RunSQL | migrations.SeparateDatabaseAndState):
        return "says nothing about itself"
    return None


def later_ones():
    """Every operation that the version before may meet; those on a table the same migration makes are new."""
    loader = MigrationLoader(None)
    for (app, name), migration in sorted(loader.disk_migrations.items()):
        if app not in OURS or name <= BEFORE_THE_RULE[app]:
            continue
        made = {op.name_lower for op in migration.operations if isinstance(op, migrations.CreateModel)}
        for operation in migration.operations:
            if getattr(operation, "model_name_lower", None) not in made:
                yield app, name, operation


def test_migrations_can_be_run_while_the_old_version_still_serves():
    assert set(BEFORE_THE_RULE) == OURS
    assert set(BEFORE_THE_RULE.items()) <= set(MigrationLoader(None).disk_migrations)
    faults = [
        f"{app}.{name} {type(operation).__name__}: {reason}"
        for app, name, operation in later_ones()
        if (app, name) not in ALLOWED and (reason := breaks_the_old_version(operation))
    ]
    assert not faults, "\n".join(faults)


def test_the_rule_finds_what_was_not_safe_in_the_migrations_there_are(monkeypatch):
    """A control: bound by the rule from their second migration on, some apps must be refused."""
    monkeypatch.setattr(sys.modules[__name__], "BEFORE_THE_RULE", dict.fromkeys(OURS, "0001_z"))
    refused = {(app, name) for app, name, operation in later_ones() if breaks_the_old_version(operation)}
    assert ("archive", "0005_retired") in refused
    assert ("archive", "0006_shelf_index") not in refused


@pytest.mark.parametrize(
    ("operation", "is_safe"),
    [
        (migrations.RemoveField("pad", "dealer"), False),
        (migrations.RenameField("pad", "dealer", "first"), False),
        (migrations.DeleteModel("Pad"), False),
        (migrations.AlterField("pad", "dealer", models.TextField()), False),
        (migrations.RunSQL("DROP TABLE scorepad_pad"), False),
        (migrations.AddField("pad", "hue", models.TextField(default="")), False),
        (migrations.AddField("pad", "hue", models.TextField(db_default="")), True),
        (migrations.AddField("pad", "hue", models.TextField(null=True)), True),
        (migrations.AddIndex("pad", models.Index(fields=["game"], name="by_game")), True),
    ],
)
def test_the_rule_itself_tells_safe_from_unsafe(operation, is_safe):
    assert (breaks_the_old_version(operation) is None) == is_safe


def test_every_app_of_ours_is_looked_at():
    ours = {config.label for config in apps.get_app_configs() if Path(config.path).parent == ROOT}
    assert {label for label in ours if (ROOT / label / "migrations").is_dir()} <= OURS

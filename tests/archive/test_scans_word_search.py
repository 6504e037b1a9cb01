"""Words are looked for behind the answer: a stop is quick, nothing is forgotten, nobody does it twice."""

import os
import subprocess
import sys
import threading
import time
from contextlib import ExitStack

import pytest
from django.conf import settings as site
from PIL import Image

from archive.background import BackgroundQueue
from archive.models import Book, Leaf, PageImage
from archive.models.scans import Scan
from archive.scans import publication, sandbox, word_search
from archive.scans.errors import SandboxError, SandboxStoppedError, ScanError
from ops import locks
from ratelimit.page_places import Places
from tests.archive.curators import signed_in
from tests.archive.scan_files import BOOK, SCANS, a_scan, lines_of_print, set_facsimile
from tests.people.conftest import make_person

pytestmark = pytest.mark.django_db
PAGE = Image.new("L", (300, 400), 255)
on_disk = pytest.mark.skipif(
    "postgres" in site.DATABASES["default"]["ENGINE"], reason="PostgreSQL's locks are those of a connection"
)


@pytest.fixture
def soon(monkeypatch):
    """The scans that somebody is told to look at."""
    told = []
    monkeypatch.setattr(word_search, "enqueue_search", lambda scan: told.append(scan.pk))
    return told


@pytest.fixture
def scan(shelved, db, soon):
    """A scan that is up; its words are still to be looked for."""
    one = a_scan(Book.objects.get(slug=BOOK), None)
    leaf = Leaf.objects.get(book=one.book, number=4)
    set_facsimile(leaf)
    publication.publish_page(one, leaf, lines_of_print(), None, "Ours.")
    return one


def found_all(page, known, language, regions):
    return {"words": known, "missing": []}


@pytest.fixture
def sleeper(tmp_path, monkeypatch):
    """A child that never answers, and has begun another one."""
    script, begun = tmp_path / "sleeper.py", tmp_path / "begun"
    script.write_text(
        "import pathlib, subprocess, sys, time\n"
        "other = subprocess.Popen(['sleep', '60'])\n"
        f"pathlib.Path({str(begun)!r} + '.new').write_text(str(other.pid))\n"
        f"pathlib.Path({str(begun)!r} + '.new').rename({str(begun)!r})\n"
        "time.sleep(60)\n"
    )
    monkeypatch.setattr(sandbox, "WORKER", script)
    monkeypatch.setattr(sandbox, "_stopped", threading.Event())
    return begun


def alone(scan):
    return locks.exclusive(locks.WORD_SEARCH, scan)


def wait_for(what):
    deadline = time.monotonic() + 15
    while not what():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def is_alive(pid):
    with open(f"/proc/{pid}/stat") if os.path.exists(f"/proc/{pid}/stat") else open(os.devnull) as told:
        return told.read().rpartition(")")[2].strip()[:1] not in ("", "Z")


def test_a_stop_ends_the_child_and_whatever_it_began(sleeper):
    ended = []

    def look():
        with pytest.raises(SandboxStoppedError):
            sandbox.align(PAGE, [], "en")
        ended.append(True)

    looking = threading.Thread(target=look)
    looking.start()
    wait_for(sleeper.exists)
    sandbox.stop()
    looking.join(15)
    assert ended
    wait_for(lambda: not is_alive(int(sleeper.read_text())))
    with pytest.raises(SandboxStoppedError):
        sandbox.align(PAGE, [], "en")


def test_who_takes_too_long_is_ended_with_whatever_he_began(sleeper, settings):
    settings.SCAN_SEEK_SECONDS = 6
    with pytest.raises(SandboxError, match="longer than 6 seconds"):
        sandbox.align(PAGE, [], "en")
    assert sleeper.exists()
    wait_for(lambda: not is_alive(int(sleeper.read_text())))


def visits(places, work):
    """A request for a page that does this; what it raises is kept in the list that is given back."""
    raised = []

    def visit():
        try:
            with places.taken():
                work()
        except Exception as fault:
            raised.append(fault)

    thread = threading.Thread(target=visit, daemon=True)
    thread.start()
    return thread, raised


def test_a_page_that_waits_for_a_child_leaves_its_place_to_others(sleeper):
    places = Places(1, 15)
    looking, _ = visits(places, lambda: sandbox.align(PAGE, [], "en"))
    wait_for(sleeper.exists)
    with places.taken():
        assert looking.is_alive()
    assert places.free.acquire(blocking=False)
    places.free.release()
    sandbox.stop()
    looking.join(15)
    assert not looking.is_alive()


def test_pages_that_wait_for_decoders_leave_threads_and_places_to_others(settings):
    places = Places(1, 15)
    settings.SCAN_WORK_SECONDS = 15
    with ExitStack() as held:
        for _ in range(sandbox.MAX_DECODERS):
            held.enter_context(sandbox._decoder())
        waiting = [visits(places, decodes) for _ in range(sandbox.MAX_PAGES_WAITING)]
        wait_for(lambda: not sandbox._pages_waiting._value)
        with places.taken(), pytest.raises(ScanError) as refused:
            decodes()
        assert refused.value.reason == "busy"
    for thread, raised in waiting:
        thread.join(60)
        assert not thread.is_alive() and raised == []
    assert sandbox._pages_waiting._value == sandbox.MAX_PAGES_WAITING


def decodes():
    with sandbox._decoder():
        pass


def test_what_a_stop_interrupts_is_still_to_be_done_and_begun_when_its_page_is_read(scan, soon, monkeypatch):
    def stopped(*_):
        raise SandboxStoppedError

    monkeypatch.setattr(word_search, "align", stopped)
    word_search.search_once(scan.pk)
    scan.refresh_from_db()
    assert scan.is_being_searched
    client = signed_in(make_person("Conrad", "curator"))
    for address in (f"{SCANS}{scan.pk}/", f"{SCANS}{scan.pk}/words/"):
        soon.clear()
        assert "are being found" in client.get(address).content.decode()
        assert soon == [scan.pk]
    monkeypatch.setattr(word_search, "align", found_all)
    word_search.search_once(scan.pk)
    soon.clear()
    assert "all of them" in client.get(f"{SCANS}{scan.pk}/words/").content.decode() and not soon


@on_disk
def test_one_process_looks_at_a_scan_at_a_time(scan, monkeypatch):
    seen = []

    def look(page, known, language, regions):
        # Another one comes while we look, and leaves it to us.
        word_search.search_once(scan.pk)
        seen.append(scan.pk)
        return found_all(page, known, language, regions)

    monkeypatch.setattr(word_search, "align", look)
    word_search.search_once(scan.pk)
    word_search.search_once(scan.pk)
    assert seen == [scan.pk]
    with alone(1) as first, alone(1) as second, alone(2) as other:
        assert (first, second, other) == (True, False, True)
    with alone(1) as again:
        assert again


@on_disk
def test_a_process_that_was_killed_leaves_no_lock_behind():
    script = (
        "import fcntl, sys, time; lock = open(sys.argv[1], 'w'); fcntl.flock(lock, fcntl.LOCK_EX)\n"
        "print('held', flush=True); time.sleep(60)"
    )
    (site.VAR / "seeking").mkdir(exist_ok=True)
    command = [sys.executable, "-c", script, str(site.VAR / "seeking" / "7")]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as other:
        assert other.stdout.readline() == b"held\n"
        with alone(7) as mine:
            assert not mine
        other.kill()
    with alone(7) as mine:
        assert mine


def test_a_text_that_is_mended_meanwhile_is_looked_for_next(scan, monkeypatch):
    looked = []

    def look(page, known, language, regions):
        if not looked:
            Leaf.objects.filter(pk=scan.image.leaf.pk).update(fingerprint="mended")
        looked.append(len(known))
        return {"words": [], "missing": known}

    monkeypatch.setattr(word_search, "align", look)
    word_search.search_once(scan.pk)
    scan.refresh_from_db()
    assert len(looked) == 2 and scan.sought == "mended"


def test_words_are_not_looked_for_by_the_facsimile_of_another_text(scan, monkeypatch):
    PageImage.objects.filter(kind="facsimile").update(words=[])
    word_search.search_once(scan.pk)
    scan.refresh_from_db()
    assert scan.is_being_searched, "it is asked for again when the facsimile has been set"


def test_asked_for_afresh_while_somebody_looks_it_is_done_afresh(scan, monkeypatch):
    asked = []

    def places(image, before, known, language, regions):
        asked.append(bool(before))
        if len(asked) == 2:
            word_search.search_afresh(scan)
        return word_search.TrackedWords(known, [])

    monkeypatch.setattr(word_search, "places_of", places)
    word_search.search_once(scan.pk)
    Leaf.objects.filter(pk=scan.image.leaf.pk).update(fingerprint="mended")
    word_search.search_once(scan.pk)
    assert asked == [False, True, False]


def test_a_page_that_needs_too_much_memory_is_told_so_and_hurts_nobody(scan, settings):
    settings.SCAN_SEEK_MEMORY_MAX = 120_000_000
    word_search.search_once(scan.pk)
    scan.refresh_from_db()
    assert scan.sought == Scan.TOO_MUCH and not word_search.stale().exists()
    client = signed_in(make_person("Conrad", "curator"))
    assert "SCAN_SEEK_MEMORY_MAX" in client.get(f"{SCANS}{scan.pk}/words/").content.decode()


def test_what_waits_is_done_once_and_left_when_the_site_stops():
    done, first, go_on = [], threading.Event(), threading.Event()

    def work(key):
        done.append(key)
        first.set()
        go_on.wait(15)

    behind = BackgroundQueue("test", work)
    behind.enqueue("a")
    assert first.wait(15)
    for key in ("b", "c", "b"):
        behind.enqueue(key)
    go_on.set()
    wait_for(lambda: len(done) == 3)
    assert done == ["a", "b", "c"]
    go_on.clear()
    behind.enqueue("d")
    wait_for(lambda: len(done) == 4)
    behind.enqueue("e")
    behind.stop()
    go_on.set()
    behind.enqueue("f")
    behind._thread.join(15)
    assert done == ["a", "b", "c", "d"]


STARTED = """
import sys
import config.asgi
from django.urls import get_resolver
assert get_resolver().url_patterns
print("numpy" in sys.modules, "archive.scans.pages" in sys.modules)
"""


def test_the_site_itself_does_without_numpy():
    """It is for those who look at pictures, and would cost every process 12 MB and a tenth of a second."""
    told = subprocess.run([sys.executable, "-c", STARTED], capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["False", "True"]

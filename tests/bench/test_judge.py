"""The judges of the bench: nothing is timed here, they are told that one side is slower than its floor."""

import subprocess
from contextlib import nullcontext

import pytest

from tests.bench import (
    __main__ as bench,
)
from tests.bench import (
    bench_books,
    bench_images,
    bench_melds,
    bench_pads,
    bench_replay,
    bench_taps,
    scale,
)

FAST_AND_SLOW = pytest.mark.parametrize("is_slow", [False, True])


@FAST_AND_SLOW
def test_one_bench_that_misses_a_floor_fails_the_command_and_is_named(monkeypatch, capfd, is_slow):
    asked = []

    def run(command, **_):
        asked.append(command[-1])
        return subprocess.CompletedProcess(command, int(is_slow and command[-1].endswith("melds")))

    monkeypatch.setattr(bench.subprocess, "run", run)
    monkeypatch.delenv("ONLY", raising=False)
    assert bench.main() == is_slow
    assert ("Floors missed in: melds" in capfd.readouterr().err) == is_slow
    assert len(asked) == len(list(bench.HERE.glob("bench_*.py")))


@FAST_AND_SLOW
def test_melds_slower_than_a_peer_are_a_miss(monkeypatch, is_slow):
    """The clock reads what each side says it takes."""
    monkeypatch.setattr(bench_melds, "clock", lambda run, hands: run(hands))
    judge, hands = bench_melds.Bench(), [0] * bench_melds.HANDS
    judge.ratio("ours", 1, (lambda _: 1.1 if is_slow else 0.9, hands), (lambda _: 1.0, hands))
    assert judge.missed == is_slow


@FAST_AND_SLOW
def test_a_replay_slower_than_reading_allows_is_a_miss(monkeypatch, is_slow):
    whole = bench_replay.long_sheet
    monkeypatch.setattr(bench_replay, "long_sheet", lambda entries: whole(20))
    most = bench_replay.REPLAY_MOST
    replayed = most * (1.01 if is_slow else 0.99)
    takes = iter([replayed, 1.0, replayed / 10, 1.0, 1.0, 0.0, 1.0, 1.0])
    monkeypatch.setattr(bench_replay, "least", lambda *_: next(takes))
    assert bench_replay.main() == is_slow


@FAST_AND_SLOW
def test_a_correction_that_replays_too_much_is_a_miss(monkeypatch, is_slow):
    whole = bench_replay.long_sheet
    monkeypatch.setattr(bench_replay, "long_sheet", lambda entries: whole(20))
    amended = bench_replay.CORRECTION_MOST * (1.01 if is_slow else 0.99)
    takes = iter([1.0, 1.0, 0.1, 1.0, amended, 0.0, 1.0, 1.0])
    monkeypatch.setattr(bench_replay, "least", lambda *_: next(takes))
    assert bench_replay.main() == is_slow


@pytest.mark.parametrize(
    ("milliseconds", "heard", "holds"), [(1, [1, 2], True), (9e3, [1, 2], False), (1, [2], False)]
)
def test_late_and_lost_events_of_a_pad_are_a_miss(milliseconds, heard, holds):
    class Table:
        delays, sent = [milliseconds / 1000] * 40, [1, 2]

    Table.heard = [heard]
    assert bench_pads.judged([Table], rate=50, before=1, after=1) == holds


@FAST_AND_SLOW
def test_a_tap_that_grows_with_the_pads_or_the_streams_is_a_miss(monkeypatch, is_slow):
    size = [1]
    monkeypatch.setattr(bench_taps, "taps", lambda server: [float(size[0]) if is_slow else 1.0] * 40)
    monkeypatch.setattr(bench_taps, "grow", lambda server, count: size.__setitem__(0, count))
    monkeypatch.setattr(
        bench_taps, "listening", lambda server, count: nullcontext(size.__setitem__(0, count + 1))
    )
    assert bench_taps.among_pads(None, "x") == (not is_slow)
    assert bench_taps.beside_streams(None, "x") == (not is_slow)


def test_a_bench_without_postgres_misses_instead_of_passing_it_over(monkeypatch):
    def not_here():
        raise SystemExit("not installed")

    monkeypatch.setattr(scale, "programs", not_here)
    assert scale.on_both(lambda name, url: True) == 1


@FAST_AND_SLOW
def test_pages_that_grow_slower_with_the_books_are_a_miss(monkeypatch, is_slow):
    class Asked:
        def __init__(self, books):
            self.takes = 3.0 if is_slow and books == bench_books.BOOKS else 1.0

        def time(self, page):
            return self.takes

        def close(self):
            pass

    monkeypatch.setattr(bench_books, "side", lambda folder, url, count: Asked(count))
    assert bench_books.on("x", "") == (not is_slow)


@FAST_AND_SLOW
def test_images_slower_than_static_files_are_a_miss(monkeypatch, tmp_path, is_slow):
    static = tmp_path / "static" / "app.css"
    for path in (tmp_path / "1/0-1.jpg", tmp_path / "full/480.jpg", static):
        path.parent.mkdir()
        path.write_bytes(b"some bytes")
    share = bench_images.FILE_LEAST * (0.9 if is_slow else 1.1)
    monkeypatch.setattr(bench_images, "the_page", lambda var: ("a-page", tmp_path))
    monkeypatch.setattr(bench_images.Client, "connect", lambda client: None)
    monkeypatch.setattr(bench_images.Client, "get", lambda client: b"")
    monkeypatch.setattr(bench_images, "nearest_static", lambda folder, size: static)
    monkeypatch.setattr(bench_images, "rates", lambda asked: {"static": 100.0, "image": 100.0 * share})
    assert len(bench_images.served(tmp_path, 1)) == (3 if is_slow else 0)

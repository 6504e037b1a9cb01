"""The cache of one process: bounded in size and in age."""

from archive import cache
from archive.cache import BoundedCache


def test_the_value_that_was_not_used_for_longest_goes_first():
    kept = BoundedCache(2)
    kept.put("a", 1)
    kept.put("b", 2)
    assert kept.get("a") == 1
    kept.put("c", 3)
    assert (kept.get("a"), kept.get("b"), kept.get("c")) == (1, None, 3)


def test_a_value_is_made_once_also_if_it_is_none(monkeypatch):
    now, made = [0.0], []
    monkeypatch.setattr(cache.time, "monotonic", lambda: now[0])
    kept = BoundedCache(10, seconds=5)
    for _ in range(3):
        assert kept.get_or_make("nothing", lambda: made.append(now[0])) is None
    assert made == [0.0]
    now[0] = 5.0
    kept.get_or_make("nothing", lambda: made.append(now[0]))
    assert made == [0.0, 5.0]


def test_what_is_discarded_or_cleared_is_made_again():
    kept = BoundedCache(10)
    kept.put("a", 1)
    kept.put("b", 2)
    kept.discard("a")
    kept.discard("never there")
    assert (kept.get("a"), kept.get("b")) == (None, 2)
    kept.clear()
    assert kept.get_or_make("b", lambda: 3) == 3

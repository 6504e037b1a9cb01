"""A delayed run is delayed: one that is not would prove nothing."""

import urllib.request

from tests.browser.pace import MAX_DELAY_SECONDS, PACE


def test_every_answer_is_late_in_a_delayed_run_and_none_in_others(site):
    delays = []
    for path in ("/", "/health", "/openapi.json"):
        with urllib.request.urlopen(f"{site.url}{path}") as answer:
            delays.append(answer.headers["X-Delay"])
    if PACE == "delay":
        assert all(0 <= float(delay) <= MAX_DELAY_SECONDS for delay in delays) and len(set(delays)) > 1
    else:
        assert set(delays) == {None}

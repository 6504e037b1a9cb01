"""Every attack of `make attack`, in its short form; those judged by time, and the long ones, in the soak."""

import contextlib
import os

import pytest

from tests.security.attacks.findings import CLUB, SHORT, SMALL_LIMITS, every
from tests.security.attacks.target import own_site


@pytest.fixture(scope="module")
def sites(tmp_path_factory):
    """By kind: a site that is started for the first attack that needs it, and serves all others."""
    started = {}
    with contextlib.ExitStack() as held:

        def site(kind):
            if kind not in started:
                var = tmp_path_factory.mktemp(kind) / "var"
                limits = {} if kind == CLUB else SMALL_LIMITS
                started[kind] = held.enter_context(own_site(var, with_book=kind == CLUB, **limits))
            return started[kind]

        yield site


@pytest.mark.parametrize("finding", every(), ids=lambda one: one.name)
def test_the_site_holds_against(sites, finding):
    if finding.is_long and not os.environ.get("SOAK"):
        pytest.skip("judged by ratios of time, or long: make attack")
    site = sites(finding.site)
    verdict = finding.attack(site, SHORT)
    if verdict.held is None:
        pytest.skip(verdict.figures)
    if not verdict.held:
        # What is still under way must not be counted against the next attack.
        site.restart()
    assert verdict.held, f"{finding.says}: {verdict.figures}"


def test_every_finding_has_its_attack():
    assert {one.item for one in every()} == set(range(1, 14))

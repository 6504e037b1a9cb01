"""A soak passes over nothing: what a proof needs and the machine lacks fails it, and says what to install."""

import re
import shutil
from pathlib import Path

import pytest

from tests.requirements import lacking
from tests.resilience.test_power_cut import recorded

TESTS = Path(__file__).resolve().parent
# Of two databases one is meant, and the long versions are for a soak: nothing is hidden by these.
MEANT = re.compile(r"TEST_DATABASE_URL|connection\.vendor|not SOAK")


def test_what_is_lacking_is_passed_over_in_the_short_run_and_fails_a_soak(monkeypatch):
    monkeypatch.delenv("SOAK", raising=False)
    with pytest.raises(pytest.skip.Exception):
        lacking("a lamp is needed. Install it.")
    monkeypatch.setenv("SOAK", "1")
    with pytest.raises(pytest.fail.Exception, match=r"a lamp is needed\. Install it"):
        lacking("a lamp is needed. Install it.")


def test_a_soak_without_strace_says_how_to_get_it(monkeypatch, tmp_path):
    monkeypatch.setenv("SOAK", "1")
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(pytest.fail.Exception, match=r"\.ci/install strace"):
        recorded(None, None, tmp_path, 1)


def hidden(text):
    """Every way this file has to pass over a proof in silence."""
    conditions = re.findall(r"skipif\((.+)", text)
    return re.findall(r"importorskip|pytest\.skip\(", text) + [
        condition for condition in conditions if not MEANT.search(condition)
    ]


def test_no_proof_of_a_promise_is_skipped_in_silence():
    files = [*(TESTS / "resilience").glob("*.py"), TESTS / "archive/test_images_bucket.py"]
    assert len(files) > 10
    assert [(path.name, found) for path in files if (found := hidden(path.read_text()))] == []


def test_a_skip_that_hides_is_found():
    assert hidden('pytest.mark.skipif(shutil.which("lamp") is None, reason="dark")')
    assert hidden('boto3 = pytest.importorskip("boto3")') and hidden('pytest.skip("dark")')

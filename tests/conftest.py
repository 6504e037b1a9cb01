import gc
import os
import shutil

import hypothesis
import pytest
from django.conf import settings

# Speed is measured by the bench; a busy machine must not fail a property, nor chance decide a run.
hypothesis.settings.register_profile("steady", deadline=None, derandomize=True, database=None)
hypothesis.settings.register_profile("soak", deadline=None, max_examples=1000)
hypothesis.settings.load_profile("soak" if os.environ.get("SOAK") else "steady")

# Playwright's own loop runs in the test's thread; the tests themselves use the ORM plainly.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


# Django and the tests themselves are a large heap that never becomes garbage: it is searched less often.
gc.set_threshold(50_000, 20, 100)

LONGEST_FIRST = (
    "security/test_over_sockets.py",
    "security/test_attacks.py",
    "archive/test_curation_notes.py",
    "archive/test_curation_catalogue.py",
    "security/test_malformed_entries.py",
    "security/test_ratelimit.py",
    "config/test_server_protocol.py",
    "config/test_asgi.py",
    "lab/test_results.py",
    "ops/test_backup.py",
    "scorepad/test_revise_and_insert.py",
    "resilience/test_power_cut.py",
    "ops/test_deploy.py",
    "resilience/test_kills.py",
    "resilience/test_random_games.py",
    "resilience/test_replays.py",
    "config/test_serve.py",
    "archive/test_dump.py",
    "archive/test_scans_sandbox.py",
    "security/test_openapi.py",
    "scorepad/test_imports.py",
    "browser/test_script_strings.py",
    "browser/test_curators_day.py",
    "browser/test_scans.py",
    "browser/test_pads_games.py",
    "browser/test_curation.py",
    "browser/test_correct.py",
    "browser/test_passkeys.py",
    "browser/test_pads_access.py",
    "browser/test_pads_phone.py",
    "browser/test_reader.py",
    "browser/test_live.py",
    "browser/test_pads_offline.py",
)
"""Files that take long begin, so that no core waits at the end for the other one's last file."""


def pytest_collection_modifyitems(items):
    for item in items:
        if "/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)
    items.sort(key=place_in_run)


def place_in_run(item):
    file = "/".join(item.path.parts[-2:])
    return LONGEST_FIRST.index(file) if file in LONGEST_FIRST else len(LONGEST_FIRST)


def pytest_collection_finish():
    """What is there when the first test begins stays until the last one has ended."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure(config):
    shutil.rmtree(settings.VAR, ignore_errors=True)

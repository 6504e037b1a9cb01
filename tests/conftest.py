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


def pytest_collection_modifyitems(items):
    for item in items:
        if "/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


def pytest_unconfigure(config):
    shutil.rmtree(settings.VAR, ignore_errors=True)

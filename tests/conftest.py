import os
import shutil

import pytest
from django.conf import settings

# Playwright's own loop runs in the test's thread; the tests themselves use the ORM plainly.
os.environ.setdefault("DJANGO_ALLOW_ASYNC_UNSAFE", "true")


def pytest_collection_modifyitems(items):
    for item in items:
        if "/browser/" in item.path.as_posix():
            item.add_marker(pytest.mark.browser)


def pytest_unconfigure(config):
    shutil.rmtree(settings.VAR, ignore_errors=True)

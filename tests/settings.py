"""The site's settings for tests: its own folder for everything made at run time, static files unhashed."""

import os
import tempfile
from pathlib import Path

# What phones take along is built by the tests that need it.
os.environ.setdefault("PHONE_KIT", "0")
os.environ["TALLYROOM_VAR"] = tempfile.mkdtemp(prefix="tallyroom-test-")
os.environ.pop("DATABASE_URL", None) if "TEST_DATABASE_URL" not in os.environ else os.environ.update(
    DATABASE_URL=os.environ["TEST_DATABASE_URL"]
)

from config.settings import *  # noqa: E402, F403
from config.settings import DATABASES, STORAGES, VAR  # noqa: E402

# A file, not memory: threads that write at once must meet real locks.
if DATABASES["default"]["ENGINE"].endswith("sqlite3"):
    DATABASES["default"]["TEST"] = {"NAME": str(Path(VAR) / "test.sqlite3")}
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = True
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
(VAR / "images").mkdir(exist_ok=True)

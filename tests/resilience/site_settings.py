"""The product's settings for the promises: no books, so that it starts at once, and faults on demand.

`python -m config.serve` runs with them as it does with its own. What the environment asks for is a control: a
site that breaks a promise on purpose, so that the check of the promise can be seen to notice.
"""

import os

from config.settings import *  # noqa: F403
from config.settings import DATABASES, MIDDLEWARE, STORAGES, VAR

FIXTURES = VAR / "no-fixtures"
(FIXTURES / "books").mkdir(parents=True, exist_ok=True)
STATICFILES_DIRS = []
STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
# Everyone here comes from one address, and there are more pads in a minute than a club has in a year.
PADS_MADE_PER_MINUTE_MOST = PADS_MADE_PER_ADDRESS_MOST = PADS_MADE_IN_ALL_MOST = 10_000_000

_options = DATABASES["default"].get("OPTIONS", {})
if "PROMISE_SYNCHRONOUS" in os.environ:
    words = _options["init_command"]
    _options["init_command"] = words.replace("FULL", os.environ["PROMISE_SYNCHRONOUS"])
    assert _options["init_command"] != words
if "PROMISE_WAIT_SECONDS" in os.environ:
    _options["timeout"] = float(os.environ["PROMISE_WAIT_SECONDS"])
if "PROMISE_BROKEN" in os.environ:
    MIDDLEWARE.append(f"tests.resilience.control_sites.{os.environ['PROMISE_BROKEN']}")

"""Settings for the bench of one tap: the site notes which of its files are entered, and counts queries."""

from config.settings import *  # noqa: F403
from tests.bench import trace

ROOT_URLCONF = "tests.bench.traced_urls"
MIDDLEWARE = ["tests.bench.trace.QueryCounter", *MIDDLEWARE]  # noqa: F405
trace.begin()

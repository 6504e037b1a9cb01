"""The site's settings for tests of notices: the sweep that would find everything anyway sleeps."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.postgres.no_sweep_urls"

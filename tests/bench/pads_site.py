"""The site's settings for the bench of pads: one view more, and room for all streams from one address."""

from config.settings import *  # noqa: F403

ROOT_URLCONF = "tests.bench.pads_urls"
STREAMS_PER_ADDRESS_MOST = 2_000
PADS_MADE_PER_MINUTE_MOST = PADS_MADE_PER_ADDRESS_MOST = PADS_MADE_IN_ALL_MOST = 1_000_000

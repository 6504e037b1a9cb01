"""The product's settings for questions over sockets: static files unhashed, and no quota in the way.

CARELESS=1 is the control: a site that asks nobody for a role or for a form's token, and has no policy.
"""

import os

from config.settings import *  # noqa: F403
from config.settings import MIDDLEWARE, STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
PADS_MADE_PER_MINUTE_MOST = PADS_MADE_PER_ADDRESS_MOST = PADS_MADE_IN_ALL_MOST = 10_000_000

if os.environ.get("CARELESS"):
    MIDDLEWARE.remove("config.security_policy.security_policy")
    MIDDLEWARE.insert(0, "tests.security.careless.asks_nobody")

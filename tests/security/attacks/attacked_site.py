"""Settings of the site that is attacked: the product's own; static files come from where they lie.

It is found by its folder, without a package, so that another checkout can be served with it.
"""

from config.settings import *  # noqa: F403
from config.settings import STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
WHITENOISE_USE_FINDERS = WHITENOISE_AUTOREFRESH = True

"""The site's settings for the bench of growth: static files by their own names, none collected."""

from config.settings import *  # noqa: F403
from config.settings import STORAGES

STORAGES["staticfiles"] = {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"}
ALLOWED_HOSTS = ["testserver"]

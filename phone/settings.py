"""Settings on the phone: the pads alone, on a database in memory.

There is no login and no secret here: whoever holds the phone holds its pads. What keeps other sites out is
the service worker, which asks Python only for requests of our own pages.
"""

import os
from pathlib import Path

BASE_DIR = Path(os.environ.get("PHONE_HOME") or Path(__file__).resolve().parent.parent)
FIXTURES = BASE_DIR / "fixtures"
DEBUG = False
SECRET_KEY = "only on this phone"  # noqa: S105 - it signs what never leaves this phone
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS = ["django.contrib.staticfiles", "django_htmx", "ratelimit", "scorepad"]
MIDDLEWARE = [
    "phone.middleware.without_tokens",
    "config.security_policy.security_policy",
    "config.middleware.theme",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.RateLimitMiddleware",
]
ROOT_URLCONF = "phone.urls"
TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "phone.context_processors.here",
            ],
            "loaders": [
                ("django.template.loaders.cached.Loader", ["django.template.loaders.filesystem.Loader"])
            ],
            "libraries": {"people": "phone.people_tags"},
            "builtins": ["django.templatetags.static", "scorepad.templatetags.figures"],
        },
    }
]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": ":memory:"}}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"
LANGUAGE_CODE = "en"
TIME_ZONE = os.environ.get("PHONE_TIME_ZONE") or "UTC"
USE_TZ = True
USE_I18N = False
LOGGING_CONFIG = None
STATIC_URL = "/static/"
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.InMemoryStorage"},
    "staticfiles": {"BACKEND": "phone.static_names.StaticNames"},
}
SCOREPAD_ARCHIVE = "phone.archive_content"
SCOREPAD_CODE_PREFIX = "here-"
DAILY_TASKS: list[str] = []
SECURE = False
COOKIE_PREFIX = ""
SESSION_COOKIE_NAME = "sessionid"
# Nobody else waits for this phone: its owner may have it work as long as he likes.
PADS_MADE_PER_MINUTE_MOST = PADS_MADE_PER_ADDRESS_MOST = PADS_MADE_IN_ALL_MOST = 100_000
REPLAY_SECONDS_PER_ADDRESS_MOST = REPLAY_SECONDS_IN_ALL_MOST = 100_000
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440

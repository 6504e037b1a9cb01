"""Settings. Everything comes from the environment and has a default that works and is safe."""

import os
import sys
from pathlib import Path

# Before Django asks for sqlite3 it gets pysqlite3's newer SQLite: Debian's 3.40 can lose a WAL reset.
import pysqlite3

sys.modules["sqlite3"] = pysqlite3
sys.modules["sqlite3.dbapi2"] = pysqlite3.dbapi2

from config import environment, network  # noqa: E402

BASE_DIR = Path(__file__).resolve().parent.parent
VAR = environment.folder("TALLYROOM_VAR", BASE_DIR / "var")
"""Everything made at run time lives under VAR; nothing there is in the repository."""
FILE_UPLOAD_PERMISSIONS = environment.restrict_files(VAR)

DEBUG = environment.flag("DEBUG")
SECRET_KEY = os.environ.get("SECRET_KEY") or environment.secret_in(VAR / "secret-key")
# Keys the site had before: what they signed or sealed still opens.
SECRET_KEY_FALLBACKS = environment.comma_list("SECRET_KEY_FALLBACKS")
HOST = os.environ.get("HOST", "127.0.0.1")
PORT = int(os.environ.get("PORT", "8000"))
ALLOWED_HOSTS = environment.comma_list("ALLOWED_HOSTS") or network.allowed_hosts(HOST)
CSRF_TRUSTED_ORIGINS = environment.comma_list("CSRF_TRUSTED_ORIGINS")

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "django_htmx",
    "ratelimit",
    "people",
    "archive",
    "scorepad",
    "ops",
]

MIDDLEWARE = [
    "config.request_ids.request_id_middleware",
    "ops.metrics.RequestMetricsMiddleware",
    "config.security_policy.security_policy",
    "django.middleware.security.SecurityMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "config.middleware.NulByteMiddleware",
    "config.static_files.StaticFilesMiddleware",
    "archive.images.middleware.page_files",
    "django.middleware.gzip.GZipMiddleware",
    "config.middleware.theme",
    "ops.service_errors.ServiceErrorMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "config.middleware.RateLimitMiddleware",
    "archive.visibility.VisibilityMiddleware",
    "scorepad.middleware.replay_account",
    "ops.metrics.ErrorMetricsMiddleware",
]

ROOT_URLCONF = "config.urls"
WSGI_APPLICATION = "config.wsgi.application"
ASGI_APPLICATION = "config.asgi.application"

TEMPLATES = [
    {
        "BACKEND": "config.templates.Templates",
        "DIRS": [BASE_DIR / "templates"],
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "phone.context_processors.here",
            ],
            "loaders": [
                (
                    "django.template.loaders.cached.Loader",
                    [
                        "django.template.loaders.filesystem.Loader",
                        "django.template.loaders.app_directories.Loader",
                    ],
                )
            ],
            "builtins": ["django.templatetags.static", "scorepad.templatetags.figures"],
            "debug": DEBUG,
        },
    }
]

DATABASES = {"default": environment.database(os.environ.get("DATABASE_URL", ""), VAR)}
environment.make_private(DATABASES["default"])
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

LANGUAGE_CODE = "en"
TIME_ZONE = os.environ.get("TIME_ZONE") or "UTC"
USE_TZ = True
USE_I18N = False

# People who edit: invited, signed in with a password; readers and players have no account and no session.
AUTH_USER_MODEL = "people.Person"
SESSION_ENGINE = "people.sessions"
PASSWORD_HASHERS = ["people.hashers.Argon2"]
AUTH_PASSWORD_VALIDATORS = [
    {
        "NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator",
        "OPTIONS": {"user_attributes": ["name"], "max_similarity": 0.6},
    },
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "django.contrib.auth.password_validation.NumericPasswordValidator"},
    {"NAME": "people.validators.SiteWordsValidator"},
]

# Who speaks here: the archive's name, its institution, its editors ("Doe, Ann; Roe, Bob"), whom to ask (a
# mail address or an https address), and the licence of the editors' own words (CC-BY-4.0). None need be set.
ARCHIVE_NAME = environment.line("ARCHIVE_NAME", "Tallyroom")
ARCHIVE_INSTITUTION = environment.line("ARCHIVE_INSTITUTION")
ARCHIVE_EDITORS = environment.names("ARCHIVE_EDITORS")
ARCHIVE_CONTACT = environment.contact("ARCHIVE_CONTACT")
ARCHIVE_LICENCE = environment.licence("ARCHIVE_LICENCE")
# Readers may send a photograph with what they tell us: READERS_PHOTOGRAPHS=1.
READERS_PHOTOGRAPHS = environment.flag("READERS_PHOTOGRAPHS")

# Harvesters of the catalogue are told whom to write to.
KEEPER_EMAIL = os.environ.get("KEEPER_EMAIL") or (
    ARCHIVE_CONTACT if "@" in ARCHIVE_CONTACT else "keeper@tallyroom.invalid"
)

# Books, golden sheets: read by load_books and by the pads that replay them.
FIXTURES = BASE_DIR / "fixtures"

# The module that answers the pads when they ask for variants and passages: the apps do not import each other.
SCOREPAD_ARCHIVE = "archive.lookup"
# Codes of pads that live on a phone begin with "here-"; those of the site with nothing.
SCOREPAD_CODE_PREFIX = ""

# Done once a day, when somebody begins a pad: functions by name, since the apps do not import each other.
DAILY_TASKS = [
    "archive.curation.game_drafts.delete_old",
    "archive.messages.inbox.delete_old_addresses",
    "people.sessions.delete_expired",
]

# Page images, tiles and facsimiles; /images/ serves what is public of them.
MEDIA_ROOT = VAR / "images"
MEDIA_URL = "/images/"

NODE_MODULES = BASE_DIR / "node_modules"
STATIC_URL = "/static/"
STATIC_ROOT = VAR / "static"
STATICFILES_DIRS: list[Path | tuple[str, Path]] = [
    BASE_DIR / "static",
    *[
        (f"fonts/{face}", NODE_MODULES / "@fontsource" / face / "files")
        for face in ("goudy-bookletter-1911", "libre-caslon-text", "old-standard-tt", "oswald")
    ],
    ("openseadragon", NODE_MODULES / "openseadragon" / "build" / "openseadragon"),
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # Sizes and tiles of page images, served; and the originals they were cut from, never served.
    **environment.images(VAR),
    "staticfiles": {
        "BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"
        if DEBUG
        else "config.static_files.StaticFilesStorage"
    },
}
# Scans: what a file may be that a curator sends, and what opening it may cost the child process that does.
SCAN_BYTES_MAX = int(os.environ.get("SCAN_BYTES_MAX", 40_000_000))
SCAN_DOCUMENT_BYTES_MAX = int(os.environ.get("SCAN_DOCUMENT_BYTES_MAX", 200_000_000))
SCAN_PIXELS_MAX = int(os.environ.get("SCAN_PIXELS_MAX", 64_000_000))
SCAN_SIDE_MAX = int(os.environ.get("SCAN_SIDE_MAX", 16_000))
SCAN_NOTES_MAX = int(os.environ.get("SCAN_NOTES_MAX", 8_000_000))
SCAN_MEMORY_MAX = int(os.environ.get("SCAN_MEMORY_MAX", 1_000_000_000))
SCAN_EXAMINE_SECONDS = float(os.environ.get("SCAN_EXAMINE_SECONDS", 2.4))
SCAN_WORK_SECONDS = float(os.environ.get("SCAN_WORK_SECONDS", 30))
# Other institutions, whose images curators may bring over by IIIF: names of hosts, comma separated.
IIIF_HOSTS = [host.lower() for host in environment.comma_list("IIIF_HOSTS")]
IIIF_MANIFEST_BYTES_MAX = int(os.environ.get("IIIF_MANIFEST_BYTES_MAX", 10_000_000))
IIIF_SECONDS = float(os.environ.get("IIIF_SECONDS", 30))
# Looking for words on a page, in another child; Tesseract has a share of its time.
SCAN_SEEK_SECONDS = float(os.environ.get("SCAN_SEEK_SECONDS", 120))
SCAN_SEEK_MEMORY_MAX = int(os.environ.get("SCAN_SEEK_MEMORY_MAX", 2_000_000_000))
TESSERACT_SECONDS_MAX = float(os.environ.get("TESSERACT_SECONDS_MAX", 60))
# A reading of a page that comes as an hOCR or ALTO file.
READING_BYTES_MAX = int(os.environ.get("READING_BYTES_MAX", 12_000_000))
READING_WORDS_MAX = int(os.environ.get("READING_WORDS_MAX", 20_000))
# No side of a page that is put up is longer; files for `manage.py ingest` may be larger than uploads.
SCAN_PAGE_SIDE_MAX = int(os.environ.get("SCAN_PAGE_SIDE_MAX", 4_800))
INGEST_BYTES_MAX = int(os.environ.get("INGEST_BYTES_MAX", 400_000_000))

# What a phone takes along to play without network, and where it lies; PHONE_KIT=0 builds and offers none.
PHONE_KIT = environment.flag("PHONE_KIT", True)
KIT_ROOT = Path(os.environ.get("TALLYROOM_KIT") or VAR / "kit").resolve()

WHITENOISE_USE_FINDERS = DEBUG
WHITENOISE_AUTOREFRESH = DEBUG
WHITENOISE_ALLOW_ALL_ORIGINS = False

# Behind TLS set SECURE=1: cookies then never travel over plain http, and browsers are told to use https only.
SECURE = environment.flag("SECURE")
SESSION_COOKIE_SECURE = SECURE
CSRF_COOKIE_SECURE = SECURE
# By its name a browser knows that such a cookie is of this very host and came by https: no other name of the
# same domain, and no machine on the way, can put one here.
COOKIE_PREFIX = "__Host-" if SECURE else ""
SESSION_COOKIE_NAME = f"{COOKIE_PREFIX}sessionid"
CSRF_COOKIE_NAME = f"{COOKIE_PREFIX}csrftoken"
SECURE_HSTS_SECONDS = 31_536_000 if SECURE else 0
# Set BEHIND_PROXY=1 only behind a proxy that sets X-Forwarded-Proto itself; else any client could write it.
BEHIND_PROXY = environment.flag("BEHIND_PROXY")
# Who is asked for the client's address: the connection itself or, if that comes from one of these networks,
# X-Forwarded-For. "unix" stands for a socket without an address. Limits are counted by that address.
TRUSTED_PROXIES = environment.networks("TRUSTED_PROXIES") or (network.LOCAL_PROXIES if BEHIND_PROXY else [])
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_SSL_REDIRECT = SECURE and BEHIND_PROXY
SECURE_REDIRECT_EXEMPT = [r"^health$", r"^ready$", r"^metrics$"]
# Other names of the same domain are not ours to bind: no includeSubDomains, no preload.
SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
SECURE_REFERRER_POLICY = (
    "same-origin"  # not no-referrer: Django's check of cross-site forms reads the referrer
)
X_FRAME_OPTIONS = "DENY"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = False
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_FAILURE_VIEW = "home.error_views.csrf_failure"
DATA_UPLOAD_MAX_MEMORY_SIZE = 2_621_440
DATA_UPLOAD_MAX_NUMBER_FIELDS = 1_000
DATA_UPLOAD_MAX_NUMBER_FILES = 20
# A file in a form that is not for scans: a sheet to bring in, a reading in hOCR or ALTO.
FORM_FILE_BYTES_MAX = 12 * 1024 * 1024
FILE_UPLOAD_HANDLERS = ["archive.scans.uploads.FormUploadHandler"]
# What is sent is read whole before a thread is taken, and answers wait for their readers without one: how
# large a body may be (scans apart), how slow it may come, how many large ones at once; how slow one may read.
BODY_BYTES_MOST = int(os.environ.get("BODY_BYTES_MOST", 16 * 1024 * 1024))
BODY_SILENCE_SECONDS = float(os.environ.get("BODY_SILENCE_SECONDS", 30))
BODY_BYTES_PER_SECOND_LEAST = int(os.environ.get("BODY_BYTES_PER_SECOND_LEAST", 1_000))
BODIES_LARGE_AT_ONCE_MOST = int(os.environ.get("BODIES_LARGE_AT_ONCE_MOST", 20))
BODIES_LARGE_PER_ADDRESS_MOST = int(os.environ.get("BODIES_LARGE_PER_ADDRESS_MOST", 6))
# What stands before a body has an end too: how long it may be, how long it may take, how many requests may be
# sent ahead of the answers to those before.
HEAD_BYTES_MOST = int(os.environ.get("HEAD_BYTES_MOST", 64 * 1024))
HEAD_SECONDS_MOST = float(os.environ.get("HEAD_SECONDS_MOST", 30))
REQUESTS_AHEAD_MOST = int(os.environ.get("REQUESTS_AHEAD_MOST", 50))
# So few pages are worked on at once that a tap finds the processor free; the others wait, and not for ever.
PAGES_AT_ONCE_MOST = int(os.environ.get("PAGES_AT_ONCE_MOST", 2))
PAGE_WAIT_SECONDS = float(os.environ.get("PAGE_WAIT_SECONDS", 2))
ANSWER_SILENCE_SECONDS = float(os.environ.get("ANSWER_SILENCE_SECONDS", 30))
ANSWERS_WAITING_BYTES_MOST = int(os.environ.get("ANSWERS_WAITING_BYTES_MOST", 128 * 1024 * 1024))

# LOG_FORMAT=json writes one object a line, and a line for every request.
LOG_FORMAT = environment.choice("LOG_FORMAT", "line", "json")
LOG_REQUESTS = environment.flag("LOG_REQUESTS", LOG_FORMAT == "json")
# Without a token /metrics answers this machine alone; with one, every client that shows it.
METRICS_TOKEN = os.environ.get("METRICS_TOKEN", "")
# How long a process that was told to stop still takes new requests, so that a proxy can notice.
DRAIN_SECONDS = float(os.environ.get("DRAIN_SECONDS", "0"))
STOP_SECONDS = int(os.environ.get("STOP_SECONDS", "10"))

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"hide_keys": {"()": "config.log_format.HideKeys"}},
    "formatters": {
        "line": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"},
        "json": {"()": "config.log_format.JsonFormatter"},
    },
    "handlers": {
        "stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["hide_keys"]},
    },
    "root": {"handlers": ["stderr"], "level": "INFO"},
    # The handlers of Django and of the server are taken off, so that every line passes the filter above.
    "loggers": {
        "django": {"handlers": [], "propagate": True},
        "django.server": {"handlers": [], "propagate": True},
        "uvicorn": {"handlers": [], "propagate": True},
        "uvicorn.access": {"handlers": [], "propagate": True},
        "uvicorn.error": {"handlers": [], "propagate": True},
    },
}

"""Log lines: keys hidden in all of them, and one JSON object each with LOG_FORMAT=json.

A link to a pad or an invitation opens it, so its last part never reaches a log, wherever it stands: people
ask for slightly wrong addresses too. JSON is for machines that gather the logs of several.
"""

import json
import logging
import re
from datetime import UTC, datetime
from typing import Any, TypeGuard
from urllib.parse import quote

from config import request_ids

KEY = re.compile(
    # The whole run of letters an address may have, percent signs included,
    r"(?<![A-Za-z0-9_%-])(?=[a-z0-9_%-]*[A-Z])(?=[A-Z0-9_%-]*[a-z])"
    # but not the NameOfAnError.
    r"(?!(?:[A-Z][a-z]{2,})+(?![A-Za-z0-9_%-]))[A-Za-z0-9_%-]{20,}"
)
"""A possible key: long, with small and capital letters. Digests, ids of requests and slugs have only small
ones; of a hundred million keys some six do. deploy/nginx has the same rule."""

LINK = re.compile(r"(/(?:pads|clubs)/[^/\s?]+/|/people/invitation/|/messages/)([A-Za-z0-9_-]{20,})")
REQUEST_FIELDS = ("route", "method", "status", "ms")
"""Fields of the line of a request beside its message; see ops.metrics."""


def without_keys(text: str) -> str:
    return LINK.sub(r"\1…", KEY.sub("…", text))


def _is_address(word: object) -> TypeGuard[str]:
    return isinstance(word, str) and word.startswith("/")


class HideKeys(logging.Filter):
    """Replaces keys in messages and tracebacks, and adds the id of the request."""

    def filter(self, record: logging.LogRecord) -> bool:
        if isinstance(record.args, tuple):
            # An address as it is asked for: a key that was broken by a blank on the way is one word again.
            record.args = tuple(
                quote(word, errors="replace") if _is_address(word) else word for word in record.args
            )
        record.msg, record.args = without_keys(record.getMessage()), None
        if record.exc_info and not record.exc_text:
            # A traceback quotes what it met; written here, it is not written again by the formatter.
            record.exc_text = logging.Formatter().formatException(record.exc_info)
        if record.exc_text:
            record.exc_text = without_keys(record.exc_text)
        record.request = request_ids.current()
        return True


class JsonFormatter(logging.Formatter):
    """One object a line: time, level, logger, message, and the request it belongs to."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if getattr(record, "request", ""):
            line["request"] = record.__dict__["request"]
        line |= {name: record.__dict__[name] for name in REQUEST_FIELDS if name in record.__dict__}
        if record.exc_text:
            line["exception"] = record.exc_text
        return json.dumps(line, ensure_ascii=False)

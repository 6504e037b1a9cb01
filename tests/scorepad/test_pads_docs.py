"""docs/pads-api.md is read by a test, so that it does not drift from the code."""

import inspect
import re

from django.conf import settings

from scorepad.live import messages
from scorepad.urls import programs

TEXT = (settings.BASE_DIR / "docs" / "pads-api.md").read_text(encoding="utf-8")


def test_every_address_is_named():
    routes = [str(pattern.pattern) for pattern in programs]
    for route in routes:
        name = route.removeprefix("pads/<slug:code>/").replace("<slug:code>", "<code>")
        assert name in TEXT or route.startswith("^"), route


def test_every_event_is_named():
    kinds = set(re.findall(r'Event\("(\w+)"', inspect.getsource(messages)))
    assert {"hello", "entry", "reset", "pad", "draft", "watchers"} <= kinds
    for kind in kinds:
        assert re.search(rf"^\| {kind} \|", TEXT, re.MULTILINE), kind

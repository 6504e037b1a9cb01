"""The pages of the pads. JSON addresses are in scorepad.urls, which includes these first."""

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, path

from scorepad.pages import pad, starting

urlpatterns: list[URLPattern | URLResolver] = [
    path("pads/new/", starting.start, name="start"),
    path("pads/<slug:code>/", pad.page, name="pad"),
    path("pads/<slug:code>/fragment/", pad.fragment, name="pad-fragment"),
    path("pads/<slug:code>/tap/", pad.tap, name="tap"),
]

FORM_VIEWS: dict[str, Callable[..., HttpResponseBase]] = {}
"""Views for forms sent without JavaScript to the JSON addresses, by the name each address gives in scorepad.api."""

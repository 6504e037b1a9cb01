"""The pages of the pads. JSON addresses are in scorepad.urls, which includes these first."""

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver

urlpatterns: list[URLPattern | URLResolver] = []

FORM_VIEWS: dict[str, Callable[..., HttpResponseBase]] = {}
"""Views for forms sent to the JSON addresses without JavaScript, by the name given in scorepad.api."""

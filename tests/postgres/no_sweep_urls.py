"""The site's addresses; whoever loads them puts the sweep of the streams to sleep."""

from config.urls import handler403, handler404, handler500, urlpatterns
from scorepad.live import hub

__all__ = ["handler403", "handler404", "handler500", "urlpatterns"]
hub.SWEEP_SECONDS = 3600.0

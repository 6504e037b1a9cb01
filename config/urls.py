"""Addresses of the site: the home page here, books in archive.urls, pads in scorepad.urls."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from config.openapi.views import openapi_json
from home import trial_views, views
from ops import health, metrics

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.home, name="home"),
    path("about/", views.about, name="about"),
    path("about/edition/", views.edition, name="edition"),
    path("privacy/", views.privacy, name="privacy"),
    path("pads/known/", views.known_pads, name="known-pads"),
    path("openapi.json", openapi_json, name="openapi"),
    path("health", health.health, name="health"),
    path("ready", health.ready, name="ready"),
    path("metrics", metrics.metrics, name="metrics"),
    path("people/", include("people.urls")),
    path("", include("archive.curation.urls")),
    path("books/<slug:slug>/game/trial/", trial_views.table, name="trial-table"),
    path("", include("archive.scans.urls")),
    path("", include("archive.urls")),
    path("", include("phone.site.urls")),
    path("", include("scorepad.urls")),
]
if settings.DEBUG:
    urlpatterns.append(path("style/", views.style, name="style"))

handler400 = "home.error_views.bad_request"
handler403 = "home.error_views.forbidden"
handler404 = "home.error_views.not_found"
handler500 = "home.error_views.server_error"

"""Every address of the site: the shelf here, books in archive.urls, pads in scorepad.urls."""

from django.conf import settings
from django.urls import URLPattern, URLResolver, include, path

from config.openapi import views as description
from home import views
from ops import metrics

urlpatterns: list[URLPattern | URLResolver] = [
    path("", views.shelf, name="shelf"),
    path("about/", views.about, name="about"),
    path("openapi.json", description.openapi_json, name="openapi"),
    path("health", views.health, name="health"),
    path("ready", views.ready, name="ready"),
    path("metrics", metrics.metrics, name="metrics"),
    path("people/", include("people.urls")),
    path("", include("archive.curation.urls")),
    path("", include("archive.scans.urls")),
    path("", include("archive.urls")),
    path("", include("scorepad.urls")),
]
if settings.DEBUG:
    urlpatterns.append(path("style/", views.style, name="style"))

handler400 = "home.views.bad_request"
handler403 = "home.views.forbidden"
handler404 = "home.views.not_found"
handler500 = "home.views.server_error"

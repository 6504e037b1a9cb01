"""Addresses for other people's programs."""

from django.urls import URLPattern, path

from archive.feeds import atom, change_discovery, oai_pmh
from archive.iiif import views

CANVAS = "iiif/3/<slug:slug>/canvas/<int:number>"

urlpatterns: list[URLPattern] = [
    path("iiif/3/collection.json", views.collection, name="collection"),
    path("iiif/3/<slug:slug>/manifest.json", views.manifest, name="manifest"),
    path("iiif/3/<slug:slug>/notes.json", views.whole_notes, name="whole-notes"),
    path(CANVAS, views.canvas, name="canvas"),
    path(f"{CANVAS}/lines.json", views.lines, name="canvas-lines"),
    path(f"{CANVAS}/notes.json", views.notes, name="canvas-notes"),
    path("iiif/search/<int:version>/<slug:slug>", views.content, name="content-search"),
    path("books/<slug:slug>/tei.xml", views.tei, name="book-tei"),
    path("changes.atom", atom.changes, name="changes"),
    path("iiif/changes/activity.json", change_discovery.activities, name="activities"),
    path("iiif/changes/page-<int:number>.json", change_discovery.activity_page, name="activity-page"),
    path("oai", oai_pmh.oai, name="oai"),
]

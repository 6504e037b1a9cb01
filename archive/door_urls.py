"""Addresses for other people's programs."""

from django.urls import URLPattern, path

from archive.feeds import atom
from archive.feeds import change_discovery as discovery
from archive.feeds import oai_pmh as oai
from archive.iiif import views as open_doors

CANVAS = "iiif/3/<slug:slug>/canvas/<int:number>"

urlpatterns: list[URLPattern] = [
    path("iiif/3/collection.json", open_doors.collection, name="collection"),
    path("iiif/3/<slug:slug>/manifest.json", open_doors.manifest, name="manifest"),
    path("iiif/3/<slug:slug>/notes.json", open_doors.whole_notes, name="whole-notes"),
    path(CANVAS, open_doors.canvas, name="canvas"),
    path(f"{CANVAS}/lines.json", open_doors.lines, name="canvas-lines"),
    path(f"{CANVAS}/notes.json", open_doors.notes, name="canvas-notes"),
    path("iiif/search/<int:version>/<slug:slug>", open_doors.content, name="content-search"),
    path("books/<slug:slug>/tei.xml", open_doors.tei, name="book-tei"),
    path("changes.atom", atom.changes, name="changes"),
    path("iiif/changes/activity.json", discovery.activities, name="activities"),
    path("iiif/changes/page-<int:number>.json", discovery.activity_page, name="activity-page"),
    path("oai", oai.oai, name="oai"),
]

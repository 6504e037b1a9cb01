from django.urls import path

from archive.scans.views import list, preview, scan, word_boxes

SCANS = "books/<slug:slug>/scans/"

urlpatterns = [
    path(SCANS, list.scans, name="scans"),
    path(f"{SCANS}<int:number>/", scan.scan, name="scan"),
    path(f"{SCANS}<int:number>/move/", list.move, name="move-scan"),
    path(f"{SCANS}<int:number>/before.jpg", preview.before, name="scan-before"),
    path(f"{SCANS}<int:number>/after.jpg", preview.after, name="scan-after"),
    path(f"{SCANS}<int:number>/words/", preview.words, name="scan-words"),
    path(f"{SCANS}<int:number>/places/", word_boxes.boxes, name="word-boxes"),
]

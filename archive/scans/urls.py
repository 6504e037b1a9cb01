from django.urls import path

from archive.scans.views import list as listing
from archive.scans.views import preview as previews
from archive.scans.views import scan

SCANS = "books/<slug:slug>/scans/"

urlpatterns = [
    path(SCANS, listing.scans, name="scans"),
    path(f"{SCANS}upload/", listing.upload, name="upload-scans"),
    path(f"{SCANS}<int:number>/", scan.scan, name="scan"),
    path(f"{SCANS}<int:number>/read/", scan.read, name="read-scan"),
    path(f"{SCANS}<int:number>/move/", listing.move, name="move-scan"),
    path(f"{SCANS}<int:number>/before.jpg", previews.before, name="scan-before"),
    path(f"{SCANS}<int:number>/after.jpg", previews.after, name="scan-after"),
    path(f"{SCANS}<int:number>/words/", previews.words, name="scan-words"),
]

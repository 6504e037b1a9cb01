from django.urls import path

from archive.curation.views import history

urlpatterns = [
    path("books/<slug:slug>/revisions/", history.revisions, name="revisions"),
    path("books/<slug:slug>/revisions/<int:number>/", history.revision, name="revision"),
    path("books/<slug:slug>/revisions/<int:number>/restore/", history.restore, name="restore"),
    path("books/<slug:slug>/revisions/<int:old>-<int:new>/", history.compare, name="compare-revisions"),
    path("books/<slug:slug>/revisions/<int:number>/<str:name>", history.file, name="revision-file"),
]

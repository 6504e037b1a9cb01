from django.urls import path

from archive.curation.views import brief as briefing
from archive.curation.views import catalogue as cataloguing
from archive.curation.views import history
from archive.curation.views import leaf_order as arranging
from archive.curation.views import leaf_text as mending
from archive.curation.views import new_book as adding
from archive.curation.views import note as annotating
from archive.curation.views import proposals as deciding
from archive.curation.views import variant as variants
from archive.curation.views import word_box as words

urlpatterns = [
    path("curation/", deciding.desk, name="desk"),
    path("curation/proposals/<int:number>/", deciding.proposal, name="proposal"),
    path("books/<slug:slug>/revisions/", history.revisions, name="revisions"),
    path("books/<slug:slug>/revisions/<int:number>/", history.revision, name="revision"),
    path("books/<slug:slug>/revisions/<int:number>/restore/", history.restore, name="restore"),
    path("books/<slug:slug>/revisions/<int:old>-<int:new>/", history.compare, name="compare-revisions"),
    path("books/<slug:slug>/revisions/<int:number>/<str:name>", history.file, name="revision-file"),
    path("curation/books/new/", adding.new_book, name="new-book"),
    path("books/<slug:slug>/leaves/", mending.leaves, name="leaves"),
    path("books/<slug:slug>/leaves/order/", arranging.arrange, name="arrange"),
    path("books/<slug:slug>/<int:number>/mend/", mending.mend, name="mend"),
    path(
        "books/<slug:slug>/scans/<int:number>/words/<int:line>-<int:offset>/", words.place, name="place-word"
    ),
    path("books/<slug:slug>/<int:number>/mend/preview/", mending.preview, name="mend-preview"),
    path("curation/markdown/", annotating.preview, name="note-preview"),
    path("books/<slug:slug>/notes/", annotating.notes, name="notes"),
    path("books/<slug:slug>/notes/new/", annotating.note, name="new-note"),
    path("books/<slug:slug>/notes/<slug:id>/", annotating.note, name="note"),
    path("books/<slug:slug>/brief/", briefing.brief, name="edit-briefs"),
    path("books/<slug:slug>/brief/<slug:game>/", briefing.brief, name="edit-brief"),
    path("books/<slug:slug>/catalogue/", cataloguing.catalogue, name="catalogue"),
    path("books/<slug:slug>/variants/", variants.variants, name="edit-variants"),
    path("books/<slug:slug>/variants/new/", variants.variant, name="new-variant"),
    path("books/<slug:slug>/variants/<slug:name>/", variants.variant, name="edit-variant"),
]

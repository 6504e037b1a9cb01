from django.urls import path

from archive.curation.views import (
    book_state,
    brief,
    catalogue,
    desk,
    history,
    leaf_order,
    leaf_text,
    new_book,
    note,
    proposals,
    reader_messages,
    replacement,
    variant,
    word_box,
)
from archive.views import downloads

urlpatterns = [
    path("curation/", desk.desk, name="desk"),
    path("curation/proposals/<int:number>/", proposals.proposal, name="proposal"),
    path("curation/messages/", reader_messages.messages, name="reader-messages"),
    path("curation/messages/<int:number>/", reader_messages.message, name="reader-message"),
    path(
        "curation/messages/<int:number>/photograph.jpg",
        reader_messages.photograph,
        name="message-photograph",
    ),
    path("books/<slug:slug>/state/", book_state.book_state, name="book-state"),
    path("books/<slug:slug>/revisions/", history.revisions, name="revisions"),
    path("books/<slug:slug>/revisions/<int:number>/", history.revision, name="revision"),
    path("books/<slug:slug>/revisions/<int:number>/restore/", history.restore, name="restore"),
    path("books/<slug:slug>/revisions/<int:old>-<int:new>/", history.compare, name="compare-revisions"),
    # Before the files of a revision, among which it would be looked for.
    path(
        "books/<slug:slug>/revisions/<int:number>/cite.<slug:format>",
        downloads.cite_a_revision,
        name="revision-cite",
    ),
    path("books/<slug:slug>/revisions/<int:number>/<str:name>", history.file, name="revision-file"),
    path("curation/books/new/", new_book.new_book, name="new-book"),
    path("books/<slug:slug>/leaves/", leaf_text.leaves, name="leaves"),
    path("books/<slug:slug>/leaves/replace/", replacement.replace, name="replace"),
    path("books/<slug:slug>/leaves/order/", leaf_order.leaf_order, name="arrange"),
    path("books/<slug:slug>/<int:number>/mend/", leaf_text.edit_leaf, name="mend"),
    path(
        "books/<slug:slug>/scans/<int:number>/words/<int:line>-<int:offset>/",
        word_box.place_word,
        name="place-word",
    ),
    path("books/<slug:slug>/<int:number>/mend/preview/", leaf_text.preview, name="mend-preview"),
    path("curation/markdown/", note.preview, name="note-preview"),
    path("books/<slug:slug>/notes/", note.notes, name="notes"),
    path("books/<slug:slug>/notes/new/", note.note, name="new-note"),
    path("books/<slug:slug>/notes/<slug:id>/", note.note, name="note"),
    path("books/<slug:slug>/brief/", brief.brief, name="edit-briefs"),
    path("books/<slug:slug>/brief/<slug:game>/", brief.brief, name="edit-brief"),
    path("books/<slug:slug>/catalogue/", catalogue.catalogue, name="catalogue"),
    path("books/<slug:slug>/variants/", variant.variants, name="edit-variants"),
    path("books/<slug:slug>/variants/new/", variant.variant, name="new-variant"),
    path("books/<slug:slug>/variants/<slug:name>/", variant.variant, name="edit-variant"),
]

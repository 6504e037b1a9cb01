"""Addresses on the phone: those of the pads, and pages of the archive as far as the kit has them."""

from django.urls import path

from phone import views
from scorepad.urls import pages, programs
from scorepad.views import start

urlpatterns = [
    path("pads/here/", views.pads, name="here"),
    path("pads/here-new/", start.start, name="here-start"),
    path("pads/here-away/", views.needs_network, name="here-away"),
    path("pads/<slug:code>/result-<slug:shape>.svg", views.picture, name="result-svg"),
    path("pads/<slug:code>/move.json", views.move_file, name="move-file"),
    *programs,
    *pages,
    path("books/<slug:slug>/passages/<slug:anchor>/", views.passage, name="passage"),
    path("books/<slug:slug>/<int:number>/", views.leaf, name="leaf"),
    path("questions/<slug:game>/", views.needs_network, name="questions"),
    path("questions/<slug:game>/simulated/", views.needs_network, name="simulated"),
    path(
        "questions/<slug:game>/<slug:option>/<slug:value>/<int:place>/",
        views.needs_network,
        name="simulated-evening",
    ),
]

handler404 = "phone.views.not_found"
handler500 = "phone.views.server_error"

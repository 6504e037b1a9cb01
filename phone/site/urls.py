"""Addresses of the pages about pads without network."""

from django.urls import path

from phone.site import views

urlpatterns = [
    path("phone/", views.take_along, name="phone"),
    path("phone/kit/", views.kit_json, name="phone-kit"),
    path("phone/shell/", views.shell, name="phone-shell"),
    path("phone/guide/", views.guide, name="phone-guide"),
    path("phone-check/", views.check, name="phone-check"),
    path("pads/here/", views.elsewhere, name="here"),
    path("pads/here-<slug:rest>/", views.elsewhere, name="here-pad"),
]

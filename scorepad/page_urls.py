"""The pages of the pads. JSON addresses are in scorepad.urls, which includes these first."""

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, path

from scorepad.views import bringing, counting, pad, table, why
from scorepad.views import correct as correcting
from scorepad.views import history as after
from scorepad.views import pwa as worker
from scorepad.views import start as starting

urlpatterns: list[URLPattern | URLResolver] = [
    path("join/", table.join, name="join-page"),
    path("sw.js", worker.script, name="worker"),
    path("manifest.webmanifest", worker.manifest, name="manifest"),
    path("pads/new/", starting.start, name="start"),
    path("pads/samples/", after.samples, name="samples"),
    path("pads/<slug:code>/", pad.page, name="pad"),
    path("pads/<slug:code>/fragment/", pad.fragment, name="pad-fragment"),
    path("pads/<slug:code>/tap/", pad.tap, name="tap"),
    path("pads/<slug:code>/why/<int:number>/", why.why, name="why"),
    path("pads/<slug:code>/correct/<path:entry_id>/", correcting.correct, name="correct"),
    path("pads/<slug:code>/table/", table.table, name="table"),
    path("pads/<slug:code>/history/", after.history, name="history"),
    path("pads/<slug:code>/after/", after.went, name="went"),
    path("pads/<slug:code>/print/", after.printed, name="print"),
    path("evenings/<slug:code>/", table.evening_page, name="evening"),
]

FORM_VIEWS: dict[str, Callable[..., HttpResponseBase]] = {
    "pads": starting.start,
    "import": bringing.bring,
    "seat": table.seat,
    "names": table.names,
    "stay": table.stay,
    "stop": table.stop,
    "reopen": table.reopen,
    "delete": table.delete,
    "links": table.change_links,
    "join": table.join,
    "join-code": table.join_code,
    "rematch": table.rematch,
    "again": table.again,
    "keep": table.keep,
    "checks": counting.count_check,
}
"""Views for forms sent to the JSON addresses without JavaScript, by the name each address gives."""

"""The pages of the pads. JSON addresses are in scorepad.urls, which includes these first."""

from collections.abc import Callable

from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, path

from scorepad.views import bringing, correct, counting, history, pad, pwa, start, table, why

urlpatterns: list[URLPattern | URLResolver] = [
    path("join/", table.join, name="join-page"),
    path("sw.js", pwa.script, name="worker"),
    path("manifest.webmanifest", pwa.manifest, name="manifest"),
    path("pads/new/", start.start, name="start"),
    path("pads/samples/", history.samples, name="samples"),
    path("pads/<slug:code>/", pad.page, name="pad"),
    path("pads/<slug:code>/fragment/", pad.fragment, name="pad-fragment"),
    path("pads/<slug:code>/tap/", pad.tap, name="tap"),
    path("pads/<slug:code>/why/<int:number>/", why.why, name="why"),
    path("pads/<slug:code>/correct/<path:entry_id>/", correct.correct, name="correct"),
    path("pads/<slug:code>/table/", table.table, name="table"),
    path("pads/<slug:code>/history/", history.history, name="history"),
    path("pads/<slug:code>/after/", history.went, name="went"),
    path("pads/<slug:code>/print/", history.printed, name="print"),
    path("evenings/<slug:code>/", table.evening_page, name="evening"),
]

FORM_VIEWS: dict[str, Callable[..., HttpResponseBase]] = {
    "pads": start.start,
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

"""Addresses of the feeds: Atom, IIIF Change Discovery, OAI-PMH."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.csrf import csrf_exempt

from archive.feeds import change_discovery, oai_pmh
from archive.feeds.atom import MAX_ENTRIES, as_atom
from archive.feeds.change_log import ChangeLog, with_pages
from archive.responses import cached_response, cors_read, json_response, origin


@cors_read
def changes(request: HttpRequest) -> HttpResponse:
    newest = ChangeLog(of_withdrawn=False).read(0, MAX_ENTRIES, newest_first=True)
    return cached_response(request, as_atom(newest, origin(request)), "application/atom+xml; charset=utf-8")


def _manifest_changes() -> ChangeLog:
    log = ChangeLog(with_pages())
    if not len(log):
        raise Http404("No rulebook has pages yet, so no manifest has ever changed.")
    return log


@cors_read
def activities(request: HttpRequest) -> HttpResponse:
    document = change_discovery.collection(_manifest_changes(), origin(request))
    return json_response(request, document, change_discovery.CONTEXT)


@cors_read
def activity_page(request: HttpRequest, number: int) -> HttpResponse:
    log = _manifest_changes()
    pages = change_discovery.page_count(log)
    if not 1 <= number <= pages:
        raise Http404(f"There are {pages} pages of changes.")
    document = change_discovery.page(log, number, origin(request))
    return json_response(request, document, change_discovery.CONTEXT)


@csrf_exempt  # The protocol wants questions by POST answered too; they change nothing.
def oai(request: HttpRequest) -> HttpResponse:
    if request.method not in ("GET", "HEAD", "POST"):
        response = HttpResponse(status=405)
        response["Allow"] = "GET, HEAD, POST"
        return response
    sent = request.POST if request.method == "POST" else request.GET
    host = request.get_host().partition(":")[0]
    body = oai_pmh.respond(dict(sent.lists()), origin(request), host)
    response = HttpResponse(body, content_type="text/xml; charset=utf-8")
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "no-cache"
    return response

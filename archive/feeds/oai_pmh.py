"""OAI-PMH 2.0: the catalogue for harvesters, one record for each book, in Dublin Core.

A record's datestamp is the latest change in the log. Books are never deleted, so no record ever is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from xml.etree.ElementTree import Element

from django.conf import settings
from django.db.models import Min
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.csrf import csrf_exempt

from archive.feeds import oai_request
from archive.feeds.atom import THE_BEGINNING, as_xml, stamp
from archive.feeds.change_log import last_changed, with_pages
from archive.feeds.dublin_core import OAI_DC, OAI_DC_SCHEMA, XSI, as_dublin_core
from archive.feeds.oai_request import Ask, Place, Refusal
from archive.iiif.responses import origin
from archive.models import Book
from archive.models.history import Revision
from archive.reader.citations import SITE
from archive.xml import element

OAI = "http://www.openarchives.org/OAI/2.0/"
RECORDS_PER_ANSWER = 100
GRANULARITY = "YYYY-MM-DDThh:mm:ssZ"


@csrf_exempt  # The protocol wants questions by POST answered too; they change nothing.
def oai(request: HttpRequest) -> HttpResponse:
    if request.method not in ("GET", "HEAD", "POST"):
        response = HttpResponse(status=405)
        response["Allow"] = "GET, HEAD, POST"
        return response
    sent = request.POST if request.method == "POST" else request.GET
    site = origin(request)
    repository = request.get_host().partition(":")[0]
    told: list[Element]
    attributes: dict[str, str] = {}
    try:
        ask = oai_request.read(dict(sent.lists()))
        attributes = {"verb": ask.verb, **ask.given}
        told = [VERBS[ask.verb](ask, site, repository)]
    except Refusal as refusal:
        told = [element("error", str(refusal), code=refusal.code)]
    body = as_xml(_envelope(f"{site}/oai", attributes, told))
    response = HttpResponse(body, content_type="text/xml; charset=utf-8")
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "no-cache"
    return response


def _envelope(base: str, attributes: dict[str, str], told: Iterable[Element]) -> Element:
    return element(
        "OAI-PMH",
        element("responseDate", stamp(timezone.now())),
        element("request", base, **attributes),
        *told,
        xmlns=OAI,
        **{"xmlns:xsi": XSI, "xsi:schemaLocation": f"{OAI} {OAI}OAI-PMH.xsd"},
    )


def _identify(ask: Ask, site: str, repository: str) -> Element:
    earliest: datetime | None = Revision.objects.aggregate(first=Min("made"))["first"]
    return element(
        "Identify",
        element("repositoryName", SITE),
        element("baseURL", f"{site}/oai"),
        element("protocolVersion", "2.0"),
        element("adminEmail", settings.KEEPER_EMAIL),
        element("earliestDatestamp", stamp(earliest or THE_BEGINNING)),
        element("deletedRecord", "no"),
        element("granularity", GRANULARITY),
        element("compression", "gzip"),
    )


def _list_metadata_formats(ask: Ask, site: str, repository: str) -> Element:
    if "identifier" in ask.given:
        _book(ask.given["identifier"], repository)
    return element(
        "ListMetadataFormats",
        element(
            "metadataFormat",
            element("metadataPrefix", oai_request.PREFIX),
            element("schema", OAI_DC_SCHEMA),
            element("metadataNamespace", OAI_DC),
        ),
    )


def _list_sets(ask: Ask, site: str, repository: str) -> Element:
    raise Refusal("noSetHierarchy", "The books are not divided into sets.")


def _get_record(ask: Ask, site: str, repository: str) -> Element:
    book = _book(ask.given["identifier"], repository)
    _check_prefix(ask)
    return element("GetRecord", *_records([book], site, repository))


def _list_records(ask: Ask, site: str, repository: str) -> Element:
    books, token = _listed(ask)
    return element("ListRecords", *_records(books, site, repository), *token)


def _list_identifiers(ask: Ask, site: str, repository: str) -> Element:
    books, token = _listed(ask)
    return element("ListIdentifiers", *(_header(book, repository) for book in books), *token)


VERBS: dict[str, Callable[[Ask, str, str], Element]] = {
    "Identify": _identify,
    "ListMetadataFormats": _list_metadata_formats,
    "ListSets": _list_sets,
    "GetRecord": _get_record,
    "ListRecords": _list_records,
    "ListIdentifiers": _list_identifiers,
}


def _check_prefix(ask: Ask) -> None:
    if ask.given["metadataPrefix"] != oai_request.PREFIX:
        raise Refusal("cannotDisseminateFormat", f"Records are told as {oai_request.PREFIX} alone.")


def _book(identifier: str, repository: str) -> Book:
    start = f"oai:{repository}:"
    slug = identifier.removeprefix(start) if identifier.startswith(start) else ""
    book = last_changed().filter(slug=slug).first() if "\x00" not in slug else None
    if book is None:
        raise Refusal("idDoesNotExist", f"There is no such record. Identifiers begin with {start}.")
    return book


def _listed(ask: Ask) -> tuple[list[Book], list[Element]]:
    """The next records in the order of their changes, and the token to go on with, if it is a long list."""
    if ask.place is None:
        _check_prefix(ask)
        if "set" in ask.given:
            raise Refusal("noSetHierarchy", "The books are not divided into sets.")
    place = ask.place or Place(THE_BEGINNING, "", 0, last_changed(ask.since, ask.before).count())
    after = (place.changed, place.slug) if ask.place else None
    rows = list(last_changed(ask.since, ask.before, after)[: RECORDS_PER_ANSWER + 1])
    books, more = rows[:RECORDS_PER_ANSWER], len(rows) > RECORDS_PER_ANSWER
    if not books:
        if ask.place:
            raise Refusal("badResumptionToken", "This list has come to its end. Begin it again.")
        raise Refusal("noRecordsMatch", "No book has changed in that time.")
    if not more and not ask.place:
        return books, []
    told = place.cursor + len(books)
    # What changed meanwhile comes at the end once more, so there may be more than there were.
    total = max(place.total, told + more)
    here = Place(_changed(books[-1]), books[-1].slug, told, total)
    words = oai_request.write_token(ask, here) if more else ""
    return books, [element("resumptionToken", words, completeListSize=str(total), cursor=str(place.cursor))]


def _changed(book: Book) -> datetime:
    changed: datetime = book.changed  # type: ignore[attr-defined]
    return changed


def _header(book: Book, repository: str) -> Element:
    return element(
        "header",
        element("identifier", f"oai:{repository}:{book.slug}"),
        element("datestamp", stamp(_changed(book))),
    )


def _records(books: list[Book], site: str, repository: str) -> list[Element]:
    shown = set(with_pages().filter(pk__in=[book.pk for book in books]).values_list("pk", flat=True))
    return [
        element(
            "record",
            _header(book, repository),
            element("metadata", as_dublin_core(book, site, book.pk in shown)),
        )
        for book in books
    ]

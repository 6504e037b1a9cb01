"""OAI-PMH 2.0: the catalogue for harvesters, one record for each book, in Dublin Core.

A record's datestamp is the latest change in the log. The record of a withdrawn book says for ever that it is
deleted.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from xml.etree.ElementTree import Element

from django.conf import settings
from django.db.models import Min
from django.utils import timezone

from archive.feeds import oai_request
from archive.feeds.change_log import EARLIEST, last_changed, seen, timestamp, with_pages
from archive.feeds.dublin_core import OAI_DC, OAI_DC_SCHEMA, XSI, as_dublin_core
from archive.feeds.oai_request import OaiError, OaiRequest, ResumptionPoint
from archive.models import Book
from archive.models.history import Revision
from archive.site import site as this_site
from archive.xml import as_xml, element

OAI = "http://www.openarchives.org/OAI/2.0/"
RECORDS_PER_RESPONSE = 100
GRANULARITY = "YYYY-MM-DDThh:mm:ssZ"


def respond(sent: Mapping[str, Sequence[str]], site: str, host: str) -> bytes:
    """The answer to a request with these arguments; a request that cannot be answered gets an error."""
    told: list[Element]
    attributes: dict[str, str] = {}
    try:
        asked = oai_request.read(sent)
        attributes = {"verb": asked.verb, **asked.given}
        told = [VERBS[asked.verb](asked, site, host)]
    except OaiError as error:
        told = [element("error", str(error), code=error.code)]
    return as_xml(_envelope(f"{site}/oai", attributes, told))


def _envelope(base: str, attributes: dict[str, str], told: Iterable[Element]) -> Element:
    return element(
        "OAI-PMH",
        element("responseDate", timestamp(timezone.now())),
        element("request", base, **attributes),
        *told,
        xmlns=OAI,
        **{"xmlns:xsi": XSI, "xsi:schemaLocation": f"{OAI} {OAI}OAI-PMH.xsd"},
    )


def _identify(asked: OaiRequest, site: str, repository: str) -> Element:
    earliest: datetime | None = Revision.objects.filter(seen()).aggregate(first=Min("made"))["first"]
    return element(
        "Identify",
        element("repositoryName", this_site().publisher),
        element("baseURL", f"{site}/oai"),
        element("protocolVersion", "2.0"),
        element("adminEmail", settings.KEEPER_EMAIL),
        element("earliestDatestamp", timestamp(earliest or EARLIEST)),
        element("deletedRecord", "persistent"),
        element("granularity", GRANULARITY),
        element("compression", "gzip"),
    )


def _list_metadata_formats(asked: OaiRequest, site: str, repository: str) -> Element:
    if "identifier" in asked.given:
        _book(asked.given["identifier"], repository)
    return element(
        "ListMetadataFormats",
        element(
            "metadataFormat",
            element("metadataPrefix", oai_request.PREFIX),
            element("schema", OAI_DC_SCHEMA),
            element("metadataNamespace", OAI_DC),
        ),
    )


def _list_sets(asked: OaiRequest, site: str, repository: str) -> Element:
    raise OaiError("noSetHierarchy", "The rulebooks are not divided into sets.")


def _get_record(asked: OaiRequest, site: str, repository: str) -> Element:
    book = _book(asked.given["identifier"], repository)
    _check_prefix(asked)
    return element("GetRecord", *_records([book], site, repository))


def _list_records(asked: OaiRequest, site: str, repository: str) -> Element:
    books, token = _listed(asked)
    return element("ListRecords", *_records(books, site, repository), *token)


def _list_identifiers(asked: OaiRequest, site: str, repository: str) -> Element:
    books, token = _listed(asked)
    return element("ListIdentifiers", *(_header(book, repository) for book in books), *token)


VERBS: dict[str, Callable[[OaiRequest, str, str], Element]] = {
    "Identify": _identify,
    "ListMetadataFormats": _list_metadata_formats,
    "ListSets": _list_sets,
    "GetRecord": _get_record,
    "ListRecords": _list_records,
    "ListIdentifiers": _list_identifiers,
}


def _check_prefix(asked: OaiRequest) -> None:
    if asked.given["metadataPrefix"] != oai_request.PREFIX:
        raise OaiError("cannotDisseminateFormat", f"Records are available as {oai_request.PREFIX} only.")


def _book(identifier: str, repository: str) -> Book:
    start = f"oai:{repository}:"
    slug = identifier.removeprefix(start) if identifier.startswith(start) else ""
    book = last_changed().filter(slug=slug).first() if "\x00" not in slug else None
    if book is None:
        raise OaiError("idDoesNotExist", f"There is no such record. Identifiers begin with {start}.")
    return book


def _listed(asked: OaiRequest) -> tuple[list[Book], list[Element]]:
    """The next records in the order of their changes, and the token to go on with, if it is a long list."""
    if asked.place is None:
        _check_prefix(asked)
        if "set" in asked.given:
            raise OaiError("noSetHierarchy", "The rulebooks are not divided into sets.")
    place = asked.place or ResumptionPoint(EARLIEST, "", 0, last_changed(asked.since, asked.before).count())
    after = (place.changed, place.slug) if asked.place else None
    rows = list(last_changed(asked.since, asked.before, after)[: RECORDS_PER_RESPONSE + 1])
    books, more = rows[:RECORDS_PER_RESPONSE], len(rows) > RECORDS_PER_RESPONSE
    if not books:
        if asked.place:
            raise OaiError("badResumptionToken", "This list has expired. Start again.")
        raise OaiError("noRecordsMatch", "No rulebook has changed in that time.")
    if not more and not asked.place:
        return books, []
    told = place.cursor + len(books)
    # What changed meanwhile comes at the end once more, so there may be more than there were.
    total = max(place.total, told + more)
    here = ResumptionPoint(_changed(books[-1]), books[-1].slug, told, total)
    words = oai_request.write_token(asked, here) if more else ""
    return books, [element("resumptionToken", words, completeListSize=str(total), cursor=str(place.cursor))]


def _changed(book: Book) -> datetime:
    changed: datetime = book.changed  # type: ignore[attr-defined]
    return changed


def _header(book: Book, repository: str) -> Element:
    return element(
        "header",
        element("identifier", f"oai:{repository}:{book.slug}"),
        element("datestamp", timestamp(_changed(book))),
        status="" if book.is_public else "deleted",
    )


def _records(books: list[Book], site: str, repository: str) -> list[Element]:
    shown = set(with_pages().filter(pk__in=[book.pk for book in books]).values_list("pk", flat=True))
    return [
        element("record", _header(book, repository), *_metadata(book, site, book.pk in shown))
        for book in books
    ]


def _metadata(book: Book, site: str, has_pages: bool) -> list[Element]:
    return [element("metadata", as_dublin_core(book, site, has_pages))] if book.is_public else []

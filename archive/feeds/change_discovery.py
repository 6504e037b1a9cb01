"""IIIF Change Discovery 1.0: every change of every manifest, in pages, the oldest first.

A manifest begins with Create and goes on with Update; that its book was withdrawn is told as Delete.
"""

from __future__ import annotations

from archive.feeds.change_log import Change, ChangeLog, timestamp
from archive.iiif.presentation import link, manifest_address, provider, see_also
from archive.responses import JsonObject

CONTEXT = "http://iiif.io/api/discovery/1/context.json"
ACTIVITIES_PER_PAGE = 100
"""A page that is full never changes, unless a book gets its first page image later than its first words."""


def _collection_address(site: str) -> str:
    return f"{site}/iiif/changes/activity.json"


def _page(site: str, number: int) -> JsonObject:
    return {"id": f"{site}/iiif/changes/page-{number}.json", "type": "OrderedCollectionPage"}


def page_count(log: ChangeLog) -> int:
    return -(-len(log) // ACTIVITIES_PER_PAGE)


def collection(log: ChangeLog, site: str) -> JsonObject:
    """The entry point: how many activities there are, and the first and last page of them."""
    return {
        "@context": CONTEXT,
        "id": _collection_address(site),
        "type": "OrderedCollection",
        "totalItems": len(log),
        "seeAlso": [
            link(f"{site}/changes.atom", "Dataset", "application/atom+xml", "The same changes in Atom"),
            link(f"{site}/oai?verb=Identify", "Dataset", "text/xml", "The catalogue by OAI-PMH"),
        ],
        "first": _page(site, 1),
        "last": _page(site, page_count(log)),
    }


def page(log: ChangeLog, number: int, site: str) -> JsonObject:
    start = (number - 1) * ACTIVITIES_PER_PAGE
    document: JsonObject = {
        "@context": CONTEXT,
        **_page(site, number),
        "partOf": {"id": _collection_address(site), "type": "OrderedCollection"},
        "startIndex": start,
    }
    if number > 1:
        document["prev"] = _page(site, number - 1)
    if number < page_count(log):
        document["next"] = _page(site, number + 1)
    document["orderedItems"] = [_activity(change, site) for change in log.read(start, ACTIVITIES_PER_PAGE)]
    return document


def _activity(change: Change, site: str) -> JsonObject:
    return {
        "id": f"{site}{change.path}",
        "type": "Delete" if change.is_last else "Create" if change.is_first else "Update",
        **_told(change),
        "object": _manifest(change, site),
        "endTime": timestamp(change.made),
    }


def _told(change: Change) -> JsonObject:
    """Of a withdrawn book nothing is told but that it is, and why."""
    return {"summary": f"{change.title}: {change.reason}"} if change.book.is_public or change.is_last else {}


def _manifest(change: Change, site: str) -> JsonObject:
    named = {"id": manifest_address(site, change.book.slug), "type": "Manifest"}
    if not change.book.is_public:
        return named
    also = [one for one in see_also(change.book, site) if one["type"] == "Dataset"]
    return named | {"seeAlso": also, "provider": [provider(site)]}

"""The catalogue by OAI-PMH 2.0: six verbs, dates, long lists, and errors by the protocol's names."""

import base64
import json
import re
from datetime import UTC, datetime
from xml.etree import ElementTree

import pytest

from archive.feeds import oai_pmh
from archive.models import Book
from archive.models.history import Revision
from archive.models.scans import Placing
from tests.archive.conftest import clear_shelf
from tests.archive.page_images import set_pages

OAI = "{http://www.openarchives.org/OAI/2.0/}"
DC = "{http://purl.org/dc/elements/1.1/}"
OAI_DC = "{http://www.openarchives.org/OAI/2.0/oai_dc/}"
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
VERBS = ("Identify", "ListMetadataFormats", "ListSets", "GetRecord", "ListIdentifiers", "ListRecords")
SEQUENCES = {
    "OAI-PMH": rf"responseDate request ((error )+|({'|'.join(VERBS)}) )",
    "Identify": r"repositoryName baseURL protocolVersion (adminEmail )+earliestDatestamp deletedRecord "
    r"granularity (compression )*(description )*",
    "ListMetadataFormats": r"(metadataFormat )+",
    "metadataFormat": r"metadataPrefix schema metadataNamespace ",
    "ListIdentifiers": r"(header )+(resumptionToken )?",
    "ListRecords": r"(record )+(resumptionToken )?",
    "GetRecord": r"record ",
    "record": r"header (metadata )?(about )*",
    "header": r"identifier datestamp (setSpec )*",
    "metadata": r"dc ",
}
"""The order of children that the protocol's schema asks for."""


def check_shape(root):
    for node in root.iter():
        name = node.tag.rpartition("}")[2]
        if name in SEQUENCES:
            children = "".join(f"{child.tag.rpartition('}')[2]} " for child in node)
            assert re.fullmatch(SEQUENCES[name], children), (name, children)
        if name in ("responseDate", "datestamp", "earliestDatestamp"):
            assert MOMENT.fullmatch(node.text)


def ask(client, **words):
    words = {name.removesuffix("_"): value for name, value in words.items()}
    answer = client.get("/oai", words)
    assert answer.status_code == 200
    assert answer["Content-Type"] == "text/xml; charset=utf-8"
    root = ElementTree.fromstring(answer.content)
    assert root.tag == f"{OAI}OAI-PMH"
    check_shape(root)
    return root


def error(client, **words):
    root = ask(client, **words)
    [node] = root.findall(f"{OAI}error")
    assert node.text.strip()
    if node.get("code") in ("badVerb", "badArgument"):
        assert root.find(f"{OAI}request").attrib == {}
    return node.get("code")


def slugs(root):
    return [node.text.rpartition(":")[2] for node in root.iter(f"{OAI}identifier")]


def on_days(*days):
    """The latest revision of each book on another day of May 2026, by slug."""
    for day, slug in zip(days, sorted(Book.objects.values_list("slug", flat=True)), strict=True):
        Revision.objects.filter(book__slug=slug).update(made=datetime(2026, 5, day, 12, 30, 15, 500, UTC))
    Book.objects.update(published=datetime(2026, 4, 1, tzinfo=UTC))


def test_the_repository_says_what_it_is(shelf, client):
    on_days(1, 2, 3, 4, 5)
    [told] = ask(client, verb="Identify").findall(f"{OAI}Identify")
    facts = {node.tag.removeprefix(OAI): node.text for node in told}
    assert facts["baseURL"] == "http://testserver/oai"
    assert facts["protocolVersion"] == "2.0"
    assert facts["earliestDatestamp"] == "2026-05-01T12:30:15Z"
    assert facts["deletedRecord"] == "persistent"
    assert facts["granularity"] == "YYYY-MM-DDThh:mm:ssZ"
    assert re.fullmatch(r"\S+@(\S+\.)+\S+", facts["adminEmail"])


def test_the_request_is_repeated_with_its_arguments(shelf, client):
    root = ask(client, verb="ListIdentifiers", metadataPrefix="oai_dc", from_="2020-01-01")
    request = root.find(f"{OAI}request")
    assert request.text == "http://testserver/oai"
    assert request.attrib == {"verb": "ListIdentifiers", "metadataPrefix": "oai_dc", "from": "2020-01-01"}


def test_every_book_is_a_record_in_dublin_core(shelf, client):
    set_pages("victory-rummy-1942")
    root = ask(client, verb="ListRecords", metadataPrefix="oai_dc")
    assert sorted(slugs(root)) == sorted(shelf)
    for record in root.iter(f"{OAI}record"):
        told = record.find(f"{OAI}metadata/{OAI_DC}dc")
        assert {node.tag.startswith(DC) for node in told} == {True}
        assert all(node.text.strip() for node in told)
    one = ask(
        client, verb="GetRecord", metadataPrefix="oai_dc", identifier="oai:testserver:victory-rummy-1942"
    )
    told = {(node.tag.removeprefix(DC), node.text) for node in one.find(f".//{OAI_DC}dc")}
    book = shelf["victory-rummy-1942"]
    assert {("title", book.title), ("date", "1942"), ("type", "Text"), ("language", book.language)} <= told
    assert ("identifier", "http://testserver/books/victory-rummy-1942/") in told
    assert ("relation", "http://testserver/iiif/3/victory-rummy-1942/manifest.json") in told
    assert ("rights", book.rights_address) in told


def test_records_are_asked_for_by_the_time_they_changed(shelf, client):
    on_days(1, 2, 3, 4, 5)
    names = sorted(shelf)

    def listed(**words):
        return slugs(ask(client, verb="ListIdentifiers", metadataPrefix="oai_dc", **words))

    assert listed() == names
    assert listed(from_="2026-05-03") == names[2:]
    assert listed(until="2026-05-03") == names[:3]
    assert listed(from_="2026-05-02", until="2026-05-02") == [names[1]]
    # A datestamp is told in seconds, and asking for that second finds it.
    assert listed(from_="2026-05-02T12:30:15Z", until="2026-05-02T12:30:15Z") == [names[1]]
    assert listed(from_="2026-05-04T12:30:16Z") == [names[4]]
    asked = {"verb": "ListIdentifiers", "metadataPrefix": "oai_dc"}
    assert error(client, **asked, from_="2026-06-01") == "noRecordsMatch"
    assert error(client, **asked, until="2026-04-30T23:59:59Z") == "noRecordsMatch"
    assert listed(until="9999-12-31T23:59:59Z") == names


def test_a_scan_put_up_changes_the_datestamp(shelf, client):
    on_days(1, 2, 3, 4, 5)
    slug = min(shelf)
    when = datetime(2026, 5, 20, 8, 0, 0, tzinfo=UTC)
    Placing.objects.create(
        book=shelf[slug],
        leaf=1,
        act="up",
        identifier="x",
        checksum="x",
        original="x",
        signed="C",
        made=when,
        reason="A photograph.",
    )
    root = ask(client, verb="GetRecord", metadataPrefix="oai_dc", identifier=f"oai:testserver:{slug}")
    assert root.findtext(f".//{OAI}datestamp") == "2026-05-20T08:00:00Z"


def test_a_long_list_is_told_in_parts_and_misses_nothing(shelf, client, monkeypatch):
    on_days(2, 1, 1, 1, 3)
    monkeypatch.setattr(oai_pmh, "RECORDS_PER_RESPONSE", 2)
    for verb in ("ListIdentifiers", "ListRecords"):
        root = ask(client, verb=verb, metadataPrefix="oai_dc", from_="2026-05-01")
        seen, cursors = slugs(root), []
        token = root.find(f".//{OAI}resumptionToken")
        while token is not None and token.text:
            cursors.append((token.get("cursor"), token.get("completeListSize")))
            first = ask(client, verb=verb, resumptionToken=token.text)
            assert slugs(ask(client, verb=verb, resumptionToken=token.text)) == slugs(first), "asked twice"
            seen += slugs(first)
            token = first.find(f".//{OAI}resumptionToken")
        assert sorted(seen) == sorted(shelf)
        assert cursors == [("0", "5"), ("2", "5")]
        assert token is not None, "the last part says that it is the last"


def test_what_changes_during_a_long_harvest_comes_once_more_at_its_end(shelf, client, monkeypatch):
    on_days(1, 2, 3, 4, 5)
    monkeypatch.setattr(oai_pmh, "RECORDS_PER_RESPONSE", 2)
    root = ask(client, verb="ListIdentifiers", metadataPrefix="oai_dc")
    seen = slugs(root)
    Revision.objects.filter(book__slug=seen[0]).update(made=datetime(2026, 5, 9, tzinfo=UTC))
    while token := root.findtext(f".//{OAI}resumptionToken"):
        root = ask(client, verb="ListIdentifiers", resumptionToken=token)
        seen += slugs(root)
    assert set(seen) == set(shelf)
    assert seen[-1] == seen[0]


def test_formats_are_listed_and_of_one_record_too(shelf, client):
    root = ask(client, verb="ListMetadataFormats", identifier="oai:testserver:rummy-1916")
    assert [node.text for node in root.iter(f"{OAI}metadataPrefix")] == ["oai_dc"]


LISTED = {"verb": "ListRecords", "metadataPrefix": "oai_dc"}


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ({}, "badVerb"),
        ({"verb": "Guess"}, "badVerb"),
        ({"verb": ["Identify", "Identify"]}, "badVerb"),
        ({"verb": "Identify", "colour": "red"}, "badArgument"),
        ({"verb": "ListRecords"}, "badArgument"),
        ({"verb": "GetRecord", "metadataPrefix": "oai_dc"}, "badArgument"),
        ({**LISTED, "from_": ["2026-01-01", "2026-01-02"]}, "badArgument"),
        ({**LISTED, "from_": "yesterday"}, "badArgument"),
        ({**LISTED, "from_": "2026-02-30"}, "badArgument"),
        ({**LISTED, "from_": "2026-02-03", "until": "2026-02-03T00:00:00Z"}, "badArgument"),
        ({**LISTED, "from_": "2026-02-03", "until": "2026-02-01"}, "badArgument"),
        ({**LISTED, "resumptionToken": "x"}, "badArgument"),
        ({"verb": "ListRecords", "metadataPrefix": "o ai"}, "badArgument"),
        ({"verb": "ListRecords", "metadataPrefix": "marc21"}, "cannotDisseminateFormat"),
        (
            {"verb": "GetRecord", "metadataPrefix": "marc", "identifier": "oai:testserver:rummy-1916"},
            "cannotDisseminateFormat",
        ),
        (
            {"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": "oai:testserver:no"},
            "idDoesNotExist",
        ),
        ({"verb": "GetRecord", "metadataPrefix": "oai_dc", "identifier": "rummy-1916"}, "idDoesNotExist"),
        ({"verb": "ListMetadataFormats", "identifier": "oai:elsewhere:rummy-1916"}, "idDoesNotExist"),
        ({**LISTED, "set": "games:old"}, "noSetHierarchy"),
        ({"verb": "ListSets"}, "noSetHierarchy"),
        ({"verb": "ListRecords", "resumptionToken": "x"}, "badResumptionToken"),
        ({"verb": "ListRecords", "resumptionToken": "é~ "}, "badResumptionToken"),
        ({"verb": "ListRecords", "resumptionToken": "W10"}, "badResumptionToken"),
    ],
)
def test_what_cannot_be_answered_is_refused_by_the_protocols_word(shelf, client, words, code):
    assert error(client, **words) == code


@pytest.mark.parametrize(
    ("changed", "slug"),
    [("2026-01-01T00:00:00+00:00", "\ud800"), ("0001-01-01T00:00:00+14:00", "rummy-1916")],
)
def test_a_token_made_up_by_somebody_is_refused(shelf, client, changed, slug):
    told = ["ListRecords", None, None, changed, slug, 0, 5]
    token = base64.urlsafe_b64encode(json.dumps(told).encode()).decode().rstrip("=")
    assert error(client, verb="ListRecords", resumptionToken=token) == "badResumptionToken"


def test_a_token_of_one_verb_is_not_taken_by_another(shelf, client, monkeypatch):
    monkeypatch.setattr(oai_pmh, "RECORDS_PER_RESPONSE", 2)
    token = ask(client, verb="ListRecords", metadataPrefix="oai_dc").findtext(f".//{OAI}resumptionToken")
    assert error(client, verb="ListIdentifiers", resumptionToken=token) == "badResumptionToken"


def test_questions_by_post_are_answered_too_and_nothing_else_is(shelf, client):
    answer = client.post("/oai", {"verb": "Identify"})
    assert b"<repositoryName>" in answer.content
    assert client.put("/oai").status_code == 405


def test_an_empty_archive_has_no_records(shelf, client):
    clear_shelf()
    assert error(client, **LISTED) == "noRecordsMatch"
    ask(client, verb="Identify")

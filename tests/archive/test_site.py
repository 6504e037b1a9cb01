"""Who speaks: the site's settings appear wherever the archive names itself, and none need be set."""

import json
from xml.etree import ElementTree

import pytest

from archive.dump.write import dump
from archive.licences import licence_of
from config import environment
from tests.archive.page_images import set_pages
from tests.people.conftest import make_person

BOOK = "/books/rummy-1916/"
TEI = "{http://www.tei-c.org/ns/1.0}"
LICENCE = "https://creativecommons.org/licenses/by-sa/4.0/"
NONE_STATED = "No licence was stated for the words of the editors."
NAMES = ("The Rummy Archive", "Library of Ham", "Ann Doe", "Bo Roe")

pytestmark = pytest.mark.django_db


@pytest.fixture
def named(settings):
    settings.ARCHIVE_NAME, settings.ARCHIVE_INSTITUTION = NAMES[:2]
    settings.ARCHIVE_EDITORS = ["Doe, Ann", "Bo Roe"]
    settings.ARCHIVE_CONTACT, settings.ARCHIVE_LICENCE = "desk@ham.example", "CC-BY-SA-4.0"


def read(client, address):
    return client.get(address).content.decode()


def test_the_settings_stand_on_about_and_on_the_administrators_page(loaded, client, named):
    client.force_login(make_person("Kim Lee", "keeper"))
    for page in (read(client, "/about/"), read(client, "/about/edition/")):
        assert all(name in page for name in (*NAMES, "desk@ham.example", "CC BY-SA 4.0"))
    page = read(client, "/people/")
    assert all(words in page for words in (*NAMES[:2], "Doe, Ann; Bo Roe", "CC-BY-SA-4.0", "ARCHIVE_LICENCE"))


def test_citations_name_editors_and_archive(loaded, client, named):
    assert "Edited by Ann Doe and Bo Roe, The Rummy Archive" in read(client, f"{BOOK}cite.txt")
    assert "The Rummy Archive ed. by Ann Doe and Bo Roe, revision 1" in read(client, f"{BOOK}cite.chicago")
    assert "editor = {Doe, Ann and {Bo Roe}}" in read(client, f"{BOOK}cite.bib")
    assert "ED  - Doe, Ann\r\nED  - Bo Roe\r\n" in read(client, f"{BOOK}cite.ris")
    note = json.loads(read(client, f"{BOOK}notes/cooncan/cite.json"))[0]
    assert note["publisher"] == "The Rummy Archive, Library of Ham"
    assert '<meta name="citation_editor" content="Doe, Ann">' in read(client, BOOK)


def test_programs_are_told_too(loaded, client, named, tmp_path):
    header = ElementTree.fromstring(read(client, f"{BOOK}tei.xml")).find(f"{TEI}teiHeader")
    assert [name.text for name in header.iter(f"{TEI}persName")] == ["Ann Doe", "Bo Roe"]
    assert [one.get("target") for one in header.iter(f"{TEI}licence")][-1] == LICENCE
    set_pages("rummy-1916")
    manifest = json.loads(read(client, "/iiif/3/rummy-1916/manifest.json"))
    collection = json.loads(read(client, "/iiif/3/collection.json"))
    for document in (collection, manifest):
        assert document["provider"][0]["label"]["en"] == list(NAMES[:2])
        assert "under CC BY-SA 4.0" in document["requiredStatement"]["value"]["en"][0]
    assert "The Rummy Archive, Library of Ham" in read(client, "/oai?verb=Identify")
    records = read(client, "/oai?verb=ListRecords&metadataPrefix=oai_dc")
    assert "under CC BY-SA 4.0" in records and "Doe, Ann (editor)" in records
    feed = read(client, "/changes.atom")
    assert "<name>Ann Doe</name>" in feed and "<subtitle>Library of Ham</subtitle>" in feed
    assert json.loads(read(client, f"{BOOK}book.json"))["edition"]["licence"] == "CC-BY-SA-4.0"
    dump(tmp_path / "bag", public=True)
    told = (tmp_path / "bag" / "bag-info.txt").read_text()
    assert "Contact-Email: desk@ham.example" in told and "Licence-Of-The-Editors: CC-BY-SA-4.0" in told


def test_where_no_licence_is_set_it_says_that_none_was_stated(loaded, client):
    assert "None was stated." in read(client, "/about/")
    for address in (f"{BOOK}tei.xml", "/iiif/3/collection.json", "/changes.atom"):
        assert NONE_STATED in read(client, address)
    assert json.loads(read(client, f"{BOOK}book.json"))["edition"]["licence"] == ""


@pytest.mark.parametrize(
    ("written", "identifier", "address"),
    [
        ("CC BY 4.0", "CC-BY-4.0", "https://creativecommons.org/licenses/by/4.0/"),
        ("cc0-1.0", "CC0-1.0", "https://creativecommons.org/publicdomain/zero/1.0/"),
        ("gfdl-1.3-or-later", "GFDL-1.3-or-later", "https://spdx.org/licenses/GFDL-1.3-or-later.html"),
    ],
)
def test_a_licence_is_known_by_its_identifier(written, identifier, address):
    found = licence_of(written)
    assert (found.identifier, found.address) == (identifier, address)


@pytest.mark.parametrize(
    ("name", "read_setting", "written"),
    [
        ("ARCHIVE_LICENCE", environment.licence, "CC-BY-9.0"),
        ("ARCHIVE_LICENCE", environment.licence, "free"),
        ("ARCHIVE_CONTACT", environment.contact, "javascript:alert(1)"),
        ("ARCHIVE_CONTACT", environment.contact, "somebody at home"),
        ("ARCHIVE_NAME", environment.line, "x" * 301),
    ],
)
def test_a_setting_that_cannot_be_meant_is_named_at_the_start(monkeypatch, name, read_setting, written):
    monkeypatch.setenv(name, written)
    with pytest.raises(environment.SettingError, match=name):
        read_setting(name)


def test_our_words_about_a_modern_game_are_ours_in_every_form(loaded, client):
    page = read(client, "/books/victor-or-victim/")
    linked = json.loads(page.partition('application/ld+json">')[2].partition("</script>")[0])
    assert linked["@type"] == "Article" and linked["author"]["name"] == "Tallyroom"
    assert linked["about"]["publisher"]["name"] == "New Venture Games" and "license" not in linked
    record = read(
        client, "/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:testserver:victor-or-victim"
    )
    assert "<dc:creator>Tallyroom</dc:creator>" in record and "<dc:type>leaflet</dc:type>" not in record
    assert "<dc:relation>Victor or Victim?, New Venture Games</dc:relation>" in record
    print_record = read(
        client, "/oai?verb=GetRecord&metadataPrefix=oai_dc&identifier=oai:testserver:rummy-1916"
    )
    assert "<dc:type>leaflet</dc:type>" in print_record and "dc:creator" not in print_record

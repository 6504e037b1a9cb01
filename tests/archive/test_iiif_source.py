"""Pages of other institutions: fetched by https from allowed hosts, from manifests that are not believed."""

import contextlib
import datetime
import io
import ipaddress
import json
import socket
import ssl
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from archive.iiif_source import client, page_import
from archive.iiif_source.errors import SourceError
from archive.iiif_source.manifest import read_manifest
from archive.jobs import worker
from archive.models import Book
from archive.models.jobs import Job
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.rights_statements import known_rights
from tests.archive.curators import signed_in
from tests.archive.hostile import picture, saved
from tests.archive.scan_files import BOOK, SCANS

PAGE = f"{SCANS}iiif/"
CC_BY = "https://creativecommons.org/licenses/by/4.0/"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A certificate for localhost, by itself."""
    folder, key = tmp_path_factory.mktemp("tls"), ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    today = datetime.datetime.now(datetime.UTC)
    signed = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(1)
        .not_valid_before(today - datetime.timedelta(days=1))
        .not_valid_after(today + datetime.timedelta(days=2))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("localhost")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    as_pem = serialization.Encoding.PEM
    (folder / "cert.pem").write_bytes(signed.public_bytes(as_pem))
    (folder / "key.pem").write_bytes(
        key.private_bytes(as_pem, serialization.PrivateFormat.PKCS8, serialization.NoEncryption())
    )
    return folder


class Library(ThreadingHTTPServer):
    """An institution of ours: `shelf` has its answers, `asked` what it was asked for."""

    daemon_threads = True

    def __init__(self, certificate):
        super().__init__(("127.0.0.1", 0), Desk)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate / "cert.pem", certificate / "key.pem")
        self.socket = context.wrap_socket(self.socket, server_side=True)
        self.host = f"localhost:{self.server_address[1]}"
        self.root = f"https://{self.host}"
        self.shelf, self.asked, self.ended = {}, [], threading.Event()

    def handle_error(self, *_):
        """A client that cuts the line is what some tests are about."""


class Desk(BaseHTTPRequestHandler):
    def do_GET(self):
        self.server.asked.append(self.path)
        status, headers, body = self.server.shelf.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        if body == b"endless":
            with contextlib.suppress(OSError):
                while not self.server.ended.wait(0.001):
                    self.wfile.write(bytes(10_000))
        elif body == b"silent":
            self.server.ended.wait(20)
        else:
            self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def library(certificate, settings, monkeypatch):
    server = Library(certificate)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    settings.IIIF_HOSTS = [server.host]
    real = client.is_public
    monkeypatch.setattr(client, "is_public", lambda address: address.is_loopback or real(address))
    trusting = ssl.create_default_context(cafile=str(certificate / "cert.pem"))
    monkeypatch.setattr(client, "tls_context", lambda: trusting)
    yield server
    server.ended.set()
    server.shutdown()
    server.server_close()


def manifest_3(library, count=3, **more):
    def canvas(number):
        service = [{"id": f"{library.root}/image/{number}", "type": "ImageService3"}]
        body = {"id": f"{library.root}/image/{number}.jpg", "type": "Image", "service": service}
        page = {"items": [{"type": "Annotation", "body": body}]}
        return {"id": f"{library.root}/c/{number}", "label": {"none": [f"p. {number}"]}, "items": [page]}

    return {
        "type": "Manifest",
        "label": {"de": ["Spielregeln"], "en": ["Rules of Rummy"]},
        "requiredStatement": {"label": {"en": ["By"]}, "value": {"en": ["<b>The Library</b> of Ys"]}},
        "provider": [{"label": {"en": ["Library of Ys"]}}],
        "rights": CC_BY,
        "metadata": [{"label": {"en": ["Date"]}, "value": {"none": ["1926", "1942"]}}],
        "items": [canvas(number) for number in range(1, count + 1)],
    } | more


def manifest_2(library):
    def canvas(number):
        service = {
            "@id": f"{library.root}/image/{number}",
            "profile": "http://iiif.io/api/image/2/level1.json",
        }
        resource = {"@id": f"{library.root}/image/{number}/full/full/0/default.jpg", "service": service}
        return {
            "@id": f"{library.root}/c/{number}",
            "label": f"{number}r",
            "images": [{"resource": resource}],
        }

    return {
        "@type": "sc:Manifest",
        "label": [{"@value": "Regeln", "@language": "de"}, {"@value": "Rules", "@language": "en"}],
        "attribution": "The Library of Ys",
        "license": "http://rightsstatements.org/page/NoC-US/1.0/",
        "sequences": [{"canvases": [canvas(1), canvas(2)]}],
    }


def put(library, path, body, status=200, **headers):
    if isinstance(body, dict):
        body = json.dumps(body).encode()
    library.shelf[path] = (status, headers, body)
    return library.root + path


def fetched(address, bytes_max=1_000_000):
    file = io.BytesIO()
    client.fetch(address, file, bytes_max)
    return file.getvalue()


def sentence(address, **more):
    with pytest.raises(SourceError) as refused:
        fetched(address, **more)
    return str(refused.value)


def test_what_may_not_be_fetched_is_refused_before_a_line_is_opened(settings, monkeypatch):
    settings.IIIF_HOSTS = ["iiif.ys.org", "127.0.0.1", "images.ys.org:8443"]
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("a line was opened"))
    for address in (
        "http://iiif.ys.org/m", "ftp://iiif.ys.org/m", "file:///etc/passwd", "https://other.org/m",
        "//iiif.ys.org/",
        "https://iiif.ys.org.other.org/m", "https://me@iiif.ys.org/m", "https://iiif.ys.org@other.org/",
        "https://iiif.ys.org:8443/m", "https://images.ys.org/m", "https://iiif.ys.org:x/", "",
        "https://[::1/", "https://iiif.ys.org/a b", "https://iiif.ys.org/\r\nHost: x",
        "https://iiif.ys.org/" + "a" * 3_000,
        "https://iiif.ys.org\\@other.org/", "https://127.0.0.1/m",
    ):  # fmt: skip
        assert sentence(address).endswith("."), address


@pytest.mark.parametrize(
    "leads",
    [
        "127.0.0.1", "10.1.2.3", "192.168.0.1", "172.16.9.9", "169.254.169.254", "100.64.0.1", "0.0.0.0",
        "224.0.0.1",
        "::1", "fd00::1", "fe80::1%eth0", "::ffff:10.0.0.1", "2002:0a00:0001::", "64:ff9b::a00:1", "ff02::1",
    ],
)  # fmt: skip
def test_a_name_that_leads_into_a_private_network_is_refused(settings, monkeypatch, leads):
    settings.IIIF_HOSTS = ["iiif.ys.org"]
    open_one = (socket.AF_INET, 1, 6, "", ("93.184.215.14", 443))
    found = [open_one, (socket.AF_INET6, 1, 6, "", (leads, 443))]
    monkeypatch.setattr(socket, "getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr(socket, "create_connection", lambda *_: pytest.fail("a line was opened"))
    assert "private network" in sentence("https://iiif.ys.org/manifest")
    assert client.is_public(ipaddress.ip_address("93.184.215.14"))
    assert client.is_public(ipaddress.ip_address("2606:2800:21f::1"))


def test_a_redirect_leads_nowhere_that_is_not_allowed(library):
    put(library, "/good", {"a": 1})
    for path, to in {
        "/plain": "http://localhost/", "/away": "https://other.org/", "/within": "/good", "/ring": "/ring",
        "/machine": "file:///etc/passwd", "/empty": "",
    }.items():  # fmt: skip
        put(library, path, b"", 302, Location=to)
    assert fetched(f"{library.root}/within") == b'{"a": 1}'
    for path in ("/plain", "/away", "/ring", "/machine", "/empty"):
        assert sentence(library.root + path).endswith("."), path


def test_a_certificate_of_another_name_is_refused(library, settings):
    settings.IIIF_HOSTS.append(f"127.0.0.1:{library.server_address[1]}")
    put(library, "/good", {"a": 1})
    assert "could not be reached" in sentence(f"{library.root}/good".replace("localhost", "127.0.0.1"))


def test_answers_without_end_are_cut(library, settings):
    endless, silent = put(library, "/endless", b"endless"), put(library, "/silent", b"silent")
    packed = put(library, "/packed", b"x", **{"Content-Encoding": "gzip"})
    short = put(library, "/short", b"x", **{"Content-Length": "50"})
    said = put(library, "/said", b"x", **{"Content-Length": "5000000000"})
    assert "too large" in sentence(endless) and "too large" in sentence(said)
    assert "packed" in sentence(packed) and sentence(short)
    assert "answered with 404" in sentence(f"{library.root}/nothing")
    settings.IIIF_SECONDS = 0.4
    began = time.monotonic()
    assert "too long" in sentence(silent) and time.monotonic() - began < 10


def hostile_manifests(library):
    deep = b"[" * 100_000
    yield from (
        b"",
        b"{",
        b"null",
        b"[]",
        b"7",
        deep,
        b'"Manifest"',
        b"\xff\xfe",
        b"<html></html>",
        b'{"type": 1e999}',
    )
    for odd in (
        {}, {"type": "Collection"}, {"type": "Manifest"}, {"type": "Manifest", "items": {"a": 1}},
        {"type": "Manifest", "items": [7, None, [], {"items": [{"items": [{"body": "x"}]}]}]},
        {"@type": "sc:Manifest", "sequences": "x"},
        {"@type": "sc:Manifest", "sequences": [{"canvases": [{}] * 9_000}]},
        manifest_3(library, 2_001), {"type": ["Manifest"]},
    ):  # fmt: skip
        yield json.dumps(odd).encode()


def test_hostile_manifests_are_refused_with_a_sentence(library):
    for content in hostile_manifests(library):
        with pytest.raises(SourceError) as refused:
            read_manifest(content, "https://ys.org/m")
        assert str(refused.value).endswith("."), content[:80]


def test_words_of_a_manifest_are_cut_and_freed_of_markup(library):
    evil = "<script>alert(1)</script>&lt;img src=x onerror=alert(1)&gt;Ys" + "x" * 9_000
    read = manifest_3(
        library, 1, label={"none": [evil]}, metadata=[{"label": evil, "value": {"en": [evil] * 99}}] * 500,
        requiredStatement={"value": [evil]}, rights=f"javascript:{evil}",
    )  # fmt: skip
    found = read_manifest(json.dumps(read).encode(), "https://ys.org/m")
    words = [found.label, found.attribution, *sum(found.metadata, ())]
    assert all("<" not in one and len(one) <= 500 for one in words) and len(found.metadata) <= 40
    assert found.rights == "" and found.label.startswith("Ys")


def test_addresses_of_a_manifest_are_bounded_and_plain(library):
    read = manifest_3(library, 3, rights="?" * 1_000_000 + "\nx")
    read["items"][0]["id"], read["items"][1]["id"] = (
        "https://ys.org/\x00\ud800",
        "https://ys.org/" + "c" * 9_000,
    )
    began = time.process_time()
    found = read_manifest(json.dumps(read).encode(), "https://ys.org/m")
    assert [page.canvas for page in found.pages] == ["", "", f"{library.root}/c/3"]
    assert time.process_time() - began < 5


def test_a_line_that_came_only_when_the_time_was_over_is_not_used(library, settings, monkeypatch):
    settings.IIIF_SECONDS, connect = 0.2, client._Connection.connect

    def late(connection):
        time.sleep(0.4)
        connect(connection)

    monkeypatch.setattr(client._Connection, "connect", late)
    assert "too long" in sentence(put(library, "/good", b"x")) and not library.asked


def test_both_kinds_of_manifests_are_read(library):
    third = read_manifest(json.dumps(manifest_3(library)).encode(), "https://ys.org/3")
    assert (third.label, third.attribution, third.holder) == (
        "Rules of Rummy",
        "The Library of Ys",
        "Library of Ys",
    )
    assert third.metadata == (("Date", "1926; 1942"),)
    assert third.pages[1].images[0] == f"{library.root}/image/2/full/max/0/default.jpg"
    second = read_manifest(json.dumps(manifest_2(library)).encode(), "https://ys.org/2")
    assert (second.label, second.attribution) == ("Rules", "The Library of Ys")
    assert second.rights == "http://rightsstatements.org/vocab/NoC-US/1.0/"
    assert [page.label for page in second.pages] == ["1r", "2r"]
    assert second.pages[0].images[0] == f"{library.root}/image/1/full/full/0/default.jpg"
    assert known_rights(CC_BY + "deed.en") == "http://creativecommons.org/licenses/by/4.0/"


def test_pages_are_chosen_by_their_numbers(library):
    found = read_manifest(json.dumps(manifest_3(library, 20)).encode(), "https://ys.org/3")
    assert [page.number for page in page_import.chosen_pages(found, "2-4, 19–25")] == [2, 3, 4, 19, 20]
    assert len(page_import.chosen_pages(found, " ")) == 20
    for wrong in ("x", "1-", "30", "5-2", "1;2", "9" * 400):
        with pytest.raises(EditError):
            page_import.chosen_pages(found, wrong)


@pytest.fixture
def curator(curated, monkeypatch):
    monkeypatch.setattr(worker.process, "start", lambda: None)
    return signed_in(curated["curator"])


def test_chosen_pages_come_over_with_their_rights_and_where_they_were(library, curator):
    address = put(library, "/manifest.json", manifest_3(library))
    put(library, "/image/1/full/max/0/default.jpg", saved(picture(300, 400, seed=1), "JPEG"))
    put(library, "/image/3/full/max/0/default.jpg", b"", 403)
    put(library, "/image/3/full/!4000,4000/0/default.jpg", saved(picture(300, 400, seed=3), "JPEG"))
    shown = curator.post(PAGE, {"act": "look", "address": address})
    page = shown.content.decode()
    assert "The Library of Ys" in page and "CC BY 4.0" in page and "1926; 1942" in page and "p. 3" in page
    digest = shown.context["look"].digest
    sent = {"act": "bring", "address": address, "pages": "1-3", "digest": digest}
    assert curator.post(PAGE, sent | {"digest": "0"}).status_code == 422 and not Job.objects.exists()
    job_page = curator.post(PAGE, sent)["Location"]
    worker.Worker().run()
    scans = Scan.objects.of_book(Book.objects.get(slug=BOOK))
    assert [scan.name for scan in scans] == ["Rules of Rummy 1: p. 1", "Rules of Rummy 3: p. 3"]
    assert scans[1].credits == {
        "credit": "The Library of Ys", "holder": "Library of Ys", "rights": CC_BY.replace("https", "http"),
        "source": address, "canvas": f"{library.root}/c/3",
    }  # fmt: skip
    report = curator.get(job_page).content.decode()
    assert "2 done, 1 not done" in report and "answered with 404" in report and address in report


def test_where_an_image_came_from_is_changed_by_no_form(library, curator):
    address = put(library, "/m", manifest_3(library, 1))
    put(library, "/image/1/full/max/0/default.jpg", saved(picture(300, 400), "JPEG"))
    digest = page_import.look(address).digest
    curator.post(PAGE, {"act": "bring", "address": address, "digest": digest})
    worker.Worker().run()
    scan = Scan.objects.get()
    form = {name: value for name, value in scan.steps.items() if name != "part"}
    curator.post(
        scan.get_absolute_url(),
        {**form, "act": "save", "credits-credit": "Ann", "credits-source": "https://evil.org/"},
    )
    scan.refresh_from_db()
    assert scan.credits["credit"] == "Ann" and scan.credits["source"] == address


def test_what_is_no_picture_is_told_and_not_kept(library, curator, settings):
    settings.SCAN_BYTES_MAX = 200_000
    address = put(library, "/m", manifest_3(library, 4))
    put(library, "/image/1/full/max/0/default.jpg", b"%PDF-1.7")
    put(library, "/image/2/full/max/0/default.jpg", b"<html></html>")
    put(library, "/image/3/full/max/0/default.jpg", b"endless")
    put(library, "/image/3/full/!4000,4000/0/default.jpg", saved(picture(300, 400), "JPEG"))
    digest = page_import.look(address).digest
    curator.post(PAGE, {"act": "bring", "address": address, "digest": digest, "pages": "1-3"})
    worker.Worker().run()
    assert list(Job.objects.get().pages.values_list("state", flat=True)) == ["failed", "failed", "done"]
    assert Scan.objects.count() == 1


def test_without_an_allowed_host_the_page_says_who_can_allow_one(curator, settings):
    settings.IIIF_HOSTS = []
    assert "IIIF_HOSTS" in curator.get(PAGE).content.decode()
    answer = curator.post(PAGE, {"act": "look", "address": "https://ys.org/m"})
    assert answer.status_code == 422 and "has allowed" in answer.content.decode()

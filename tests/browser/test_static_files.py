"""The server as `make run HOST=0.0.0.0` starts it, asked over loopback."""

import http.client

import pytest

from config import network
from tests.browser.site import Site, furnish


@pytest.fixture(scope="module")
def open_site(tmp_path_factory):
    var = tmp_path_factory.mktemp("open") / "var"
    furnish(var)
    site = Site(var, HOST="0.0.0.0").start()
    yield site
    site.stop()


def ask(site, host, address="/about/"):
    connection = http.client.HTTPConnection("127.0.0.1", site.port, timeout=10)
    connection.request("GET", address, headers={"Host": host})
    answer = connection.getresponse()
    answer.read()
    connection.close()
    return answer


def test_phones_find_the_machine_under_its_own_numbers_and_names(open_site):
    for name in network.own_names():
        assert ask(open_site, f"{name}:{open_site.port}").status == 200


def test_a_name_that_is_not_this_machines_is_refused(open_site):
    assert ask(open_site, "tallyroom.example").status == 400


def test_the_start_prints_the_addresses_a_qr_code_and_what_http_cannot_do(open_site):
    printed = open_site.log.read_text()
    assert f"http://{network.own_names()[0]}:{open_site.port}/" in printed
    assert "█" in printed
    assert "cannot keep its screen awake" in printed


def test_hashed_files_may_be_kept_for_ever_and_come_compressed(open_site):
    connection = http.client.HTTPConnection("127.0.0.1", open_site.port, timeout=10)
    connection.request("GET", "/")
    page = connection.getresponse().read().decode()
    sheet = page.split('rel="stylesheet" href="')[1].split('"')[0]
    connection.request("GET", sheet, headers={"Accept-Encoding": "gzip"})
    answer = connection.getresponse()
    assert "immutable" in answer.headers["Cache-Control"]
    assert answer.headers["Content-Encoding"] == "gzip"
    connection.close()


def test_a_second_start_has_nothing_left_to_prepare(open_site):
    open_site.stop()
    open_site.log.write_text("")
    open_site.start()
    assert "ready in" not in open_site.log.read_text()
    assert ask(open_site, f"127.0.0.1:{open_site.port}").status == 200

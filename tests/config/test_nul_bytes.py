"""A zero byte anywhere is refused with a sentence, on either database, and is never a fault of ours."""

import pytest

pytestmark = pytest.mark.django_db

ADDRESSES = [
    "/books/x%00y/",
    "/books/victory-rummy-1942/passages/a%00/",
    "/search/?q=%00red",
    "/search/?q=red&book=%00",
    "/pads/a%00b/",
    "/pads/new/?game=%00&variant=%00",
    "/iiif/image/3/%00/info.json",
    "/iiif/image/3/a%00/full/max/0/default.jpg",
    "/iiif/search/1/victory-rummy-1942?q=%00",
    "/variants/%00/",
    "/people/invitation/%00abc",
]
FORMS = [
    ("/people/sign-in/", {"name": "a\0", "password": "b\0"}),
    ("/join/", {"code": "\0\0"}),
    ("/pads/new/", {"game": "victory-rummy", "player": "A\0"}),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_in_an_address_it_is_refused(client, address):
    answer = client.get(address)
    assert answer.status_code == 400
    assert "Write it again" in answer.content.decode()
    assert answer.headers["Content-Security-Policy"]


@pytest.mark.parametrize(("address", "form"), FORMS)
def test_in_a_form_it_is_no_fault_of_ours(client, address, form):
    assert client.post(address, form).status_code < 500


def test_in_a_cookie_or_a_token_it_is_nobodys(client):
    client.cookies["sessionid"] = client.cookies["pad-x"] = "a\0b"
    assert client.get("/people/me/").status_code < 500
    assert client.get("/pads/x/result.json", headers={"Authorization": "Bearer a\0b"}).status_code == 404

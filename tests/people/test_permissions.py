"""Roles × addresses: who gets in, who is told to sign in, who is told that he may not."""

import pytest

from people.roles import may

pytestmark = pytest.mark.django_db
ROLES = ("reader", "contributor", "curator", "keeper")
OPEN = {
    "GET /people/": {"keeper"},
    "POST /people/": {"keeper"},
    "POST /people/{id}/": {"keeper"},
    "POST /people/invitations/1/": {"keeper"},
    "GET /people/me/": {"contributor", "curator", "keeper"},
    "POST /people/me/password/": {"contributor", "curator", "keeper"},
    "POST /people/me/code/": {"contributor", "curator", "keeper"},
    "POST /people/me/recovery-codes/": {"contributor", "curator", "keeper"},
    "POST /people/me/passkeys/": {"contributor", "curator", "keeper"},
    "POST /people/me/passkeys/question/": {"contributor", "curator", "keeper"},
    "POST /people/me/sessions/": {"contributor", "curator", "keeper"},
}


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("address", OPEN)
def test_each_role_gets_exactly_where_it_may(as_, cast, role, address):
    method, path = address.split()
    answer = getattr(as_(role), method.lower())(path.format(id=cast["contributor"].pk))
    if role in OPEN[address]:
        assert answer.status_code in (200, 302, 422)
        assert not answer.headers.get("Location", "").startswith("/people/sign-in/")
    elif role == "reader" and method == "GET":
        assert answer["Location"].startswith("/people/sign-in/?next=")
    else:
        assert answer.status_code == 403


def test_every_role_may_do_what_the_one_before_it_may():
    assert [[may(role, act) for act in ("propose", "publish", "keep")] for role in ROLES] == [
        [False, False, False],
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]


def test_pages_of_accounts_are_never_cached(as_):
    for path in ("/people/", "/people/me/", "/people/sign-in/?next=/x"):
        assert "no-store" in as_("keeper").get(path).headers.get("Cache-Control", "")

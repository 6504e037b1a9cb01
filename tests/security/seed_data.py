"""Fills an empty site with pads, a book and people, and prints how each of them comes in.

It goes through the application itself, so that tests over sockets begin with the very house of the others.
"""

import json
import sys

import django

django.setup()

from django.conf import settings  # noqa: E402
from django.test.utils import setup_test_environment  # noqa: E402

from tests.security.conftest import ACCOUNTS, CLUB_ROLES, ROLES, furnished, furnished_hall, with_club  # noqa: E402


def ways_in(hall):
    """What each role shows at a pad: in a header, and as cookies."""
    return {
        role: {
            "headers": hall.phone(role).headers,
            "cookies": {name: cookie.value for name, cookie in hall.browser(role).cookies.items()},
        }
        for role in ROLES
    }


def ways_into_the_club(hall):
    """The same at a club."""
    return {
        role: {"headers": hall.club_headers(role), "cookies": hall.club_cookies(role)} for role in CLUB_ROLES
    }


def main(count):
    setup_test_environment()
    settings.MEDIA_ROOT.mkdir()
    house = furnished(with_club(furnished_hall()))
    halls = [furnished_hall() for _ in range(count)]
    clubs = [with_club(furnished_hall()) for _ in range(2)]
    accounts = {role: house.account(role).cookies for role in ACCOUNTS}
    told = {
        "places": house.places,
        "accounts": {
            role: {name: cookie.value for name, cookie in cookies.items()}
            for role, cookies in accounts.items()
        },
        "halls": [{"places": house.places | hall.places, "roles": ways_in(hall)} for hall in halls],
        "clubs": [{"places": hall.places, "roles": ways_into_the_club(hall)} for hall in clubs],
    }
    print(json.dumps(told))


if __name__ == "__main__":
    main(int(sys.argv[1]))

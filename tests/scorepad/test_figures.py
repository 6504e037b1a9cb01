"""Numbers and addresses as people read them."""

import pytest

from scorepad.templatetags.figures import figure
from scorepad.views.table import is_loopback


def test_a_number_below_nothing_has_a_true_minus():
    assert [figure(-40), figure(0), figure(15)] == ["−40", "0", "15"]


def test_words_keep_their_hyphens():
    assert figure("tie-break") == "tie-break"


@pytest.mark.parametrize("host", ["127.0.0.1:8000", "localhost:8000", "[::1]:8000", "pads.localhost"])
def test_a_machines_name_for_itself_reaches_no_other_phone(host):
    assert is_loopback(host)


@pytest.mark.parametrize("host", ["192.168.1.20:8000", "tally.example.org", "kitchen.local:8000"])
def test_a_name_in_the_network_reaches_other_phones(host):
    assert not is_loopback(host)

from tests.security.addresses import EVERY
from tests.security.script_strings import KINDS, strings
from tests.security.text_fields import EXCUSED, TAKES, unsent


def test_there_are_three_hundred_different_ones_and_always_the_same():
    assert len(set(strings(300))) == 300 and strings(300) == strings(300)
    assert all(any(told in seeds for told in strings(30)) for seeds in KINDS.values())


def test_short_ones_fit_where_only_forty_letters_do():
    assert len(set(strings(30, 40))) == 30 and max(map(len, strings(30, 40))) <= 40


def test_every_address_that_is_posted_to_takes_strings_or_is_excused_with_a_reason():
    """tests/browser/test_script_strings.py then wants a string sent to each that is not excused."""
    assert set(EXCUSED) <= {route for route, row in EVERY.items() if row.post}
    assert all(len(reason.split()) > 4 for reason in EXCUSED.values())
    assert len(TAKES) > 40 and not TAKES & set(EXCUSED)


def test_an_address_that_was_sent_none_is_missed():
    assert unsent(set(TAKES)) == []
    assert unsent(TAKES - {"curation/books/new/"}) == ["curation/books/new/"]

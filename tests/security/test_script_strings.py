from tests.security.script_strings import KINDS, strings


def test_there_are_three_hundred_different_ones_and_always_the_same():
    assert len(set(strings(300))) == 300 and strings(300) == strings(300)
    assert all(any(told in seeds for told in strings(30)) for seeds in KINDS.values())


def test_short_ones_fit_where_only_forty_letters_do():
    assert len(set(strings(30, 40))) == 30 and max(map(len, strings(30, 40))) <= 40

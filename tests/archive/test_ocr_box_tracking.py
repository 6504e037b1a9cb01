"""When a text is mended its words keep their ink."""

from archive.ocr.box_tracking import merge_places, track_boxes
from archive.ocr.similarity import match_words, similarity


def words(*lines, at=100):
    """Lines of words with boxes one after the other; without `at`, as a text that has no places yet."""
    found = []
    for number, line in enumerate(lines, 1):
        offset = 0
        for place, text in enumerate(line.split()):
            x = at + 100 * place if at else 0
            word = {"text": text, "line": number, "offset": offset, "row": number, "passage": "p"}
            found.append(word | {"x": x, "y": 50 * number, "w": 90, "h": 40})
            offset += len(text) + 1
    return found


def boxes(found):
    return {(w["line"], w["text"]): (w["x"], w["y"], w["w"]) for w in found}


def test_unchanged_words_keep_their_boxes_though_their_lines_move():
    old = words("deal eight cards", "to each player")
    new = words("A heading", "deal eight cards", "to each player", at=0)
    followed = track_boxes(old, new)
    assert [w["text"] for w in followed.missing] == ["A", "heading"]
    assert boxes(followed.words)[2, "eight"] == (200, 50, 90)
    assert boxes(followed.words)[3, "player"] == (300, 100, 90)


def test_a_word_spelt_otherwise_has_the_same_ink():
    followed = track_boxes(words("three dots a cash and a V"), words("three dots a dash and a V", at=0))
    assert not followed.missing and boxes(followed.words)[1, "dash"] == (400, 50, 90)


def test_a_word_read_as_quite_another_is_replaced_in_its_place():
    followed = track_boxes(words("score 1O points"), words("score ten points", at=0))
    assert not followed.missing and boxes(followed.words)[1, "ten"] == (200, 50, 90)


def test_words_that_ran_together_are_divided_where_they_stand():
    followed = track_boxes(words("all ofthe cards"), words("all of the cards", at=0))
    assert not followed.missing
    of, the = boxes(followed.words)[1, "of"], boxes(followed.words)[1, "the"]
    assert of[0] == 200 and of[0] + of[2] < the[0] and the[0] + the[2] == 290


def test_a_word_that_fell_apart_is_made_whole():
    followed = track_boxes(words("the dis card pile is there"), words("the discard pile is there", at=0))
    assert not followed.missing and boxes(followed.words)[1, "discard"] == (200, 50, 190)


def test_new_words_in_the_middle_are_missing_and_nothing_is_claimed_for_them():
    old, new = words("deal eight cards to each"), words("deal eight or nine cards to each", at=0)
    followed = track_boxes(old, new)
    assert [w["text"] for w in followed.missing] == ["or", "nine"]
    looked = [{**followed.missing[0], "x": 7}]
    both = merge_places(followed.words, looked, new)
    assert [w["text"] for w in both.words] == ["deal", "eight", "or", "cards", "to", "each"]
    assert [w["text"] for w in both.missing] == ["nine"] and both.words[2]["x"] == 7


def test_another_text_keeps_nothing():
    old = words("the play is always in the same order", "a player may take the card")
    new = words("For sale by all dealers or by parcel post from the makers of the game", at=0)
    assert track_boxes(old, new).words == []


def test_a_text_that_goes_leaves_nothing():
    assert track_boxes(words("a b c"), []).words == [] and track_boxes([], words("a b", at=0)).words == []


def test_likeness_is_the_share_of_letters_that_stay():
    assert similarity("discard", "discard") == 1 and similarity("cash", "dash") == 0.75
    assert similarity("a", "wonderful") == 0 and similarity("", "") == 1


def test_the_same_words_are_found_in_order():
    pairs = match_words(["the", "cat", "sat", "on", "the", "mat"], ["thc", "cat", "zzz", "on", "the", "mats"])
    assert [(one, other) for one, other, _ in pairs] == [(0, 0), (1, 1), (3, 3), (4, 4), (5, 5)]

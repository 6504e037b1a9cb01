"""The text as HTML: both layers at once, signs held to their words, nothing unescaped."""

import pytest

from archive.edition.note_positions import TextPosition, letters_of
from archive.edition.transcript import read_text
from archive.reader.html import HtmlRenderer, NoteSign


def render(source, signs=None, mends=None, hits=None):
    text = read_text("=== leaf 1 ===\n\n" + source + "\n")
    names = {passage.anchor: [*passage.anchors, *passage.aliases] for passage in text.passages}
    rendering = HtmlRenderer("a-book", names, signs or {}, mends or {}, hits or {})
    lines = text.blocks[0].lines
    rendering.expect(lines)
    return "".join(block.html for block in rendering.blocks(lines))


def sign(slug="a-note", number=1, mends=False):
    return NoteSign(slug, number, "Gloss: why", mends)


def test_a_mend_keeps_both_words():
    html = render("{#one} three {cash → dash | misread} and", mends={"misread": sign("misread", 7, True)})
    assert "<del>cash</del><ins>dash</ins>" in html
    assert 'href="#note-misread"' in html and ">7</a>" in html


def test_supplied_words_carry_their_brackets_so_that_a_copy_has_them():
    html = render("{#one} either red, ⟨or white | lost⟩", mends={"lost": sign("lost", 2, True)})
    assert "⟨</span>or white<span" in html


def test_what_the_print_has_too_much_is_in_one_layer_only():
    html = render("{#one} the the {the → | doubled} card", mends={"doubled": sign("doubled")})
    assert "<del>the</del></span>" in html and "<ins>" not in html


def test_a_passage_has_its_names_and_one_link_at_its_end():
    html = render("{#one other =old} First sentence.\nIt goes on. {#two} Second.")
    assert html.count('id="one"') == 1
    assert 'id="other"' in html and 'id="old"' in html
    assert html.count('href="/books/a-book/passages/one/"') == 1
    assert (
        html.index("It goes on.") < html.index('href="/books/a-book/passages/one/"') < html.index("Second.")
    )


def test_a_sign_stands_behind_its_word_and_the_stop_after_it():
    html = render("{#one} in that order, he wins", signs={(1, 1, 0): [(13, sign())]})
    assert '<span class="hold">order,<a class="ref" id="ref-a-note"' in html


def test_two_signs_at_one_place_do_not_double_the_stop():
    both = {(1, 1, 0): [(5, sign("a", 1)), (5, sign("b", 2))]}
    html = render("{#one} order. Next", signs=both)
    assert html.count("order.") == 1
    assert html.index(">1</a>") < html.index(">2</a>")


def test_only_the_first_sign_of_a_note_is_where_it_leads_back_to():
    html = render("{#one} {a → b | m} and {c → d | m}", mends={"m": sign("m", 1, True)})
    assert html.count('id="ref-m"') == 1
    assert html.count('href="#note-m"') == 2


def test_words_that_were_looked_for_are_marked_in_text_and_mends():
    html = render("{#one} red {cash → dash | m} blue", hits={(1, 1, 0): [(0, 3)], (1, 1, 1): [(0, 4)]})
    assert "<mark>red</mark>" in html
    assert "<ins><mark>dash</mark></ins>" in html


def test_text_is_escaped():
    html = render("{#one} <script>alert(1)</script> & so on")
    assert "<script>" not in html
    assert "&lt;script&gt;" in html and "&amp; so on" in html


def test_a_divided_word_is_whole_in_the_reading_text():
    html = render("{#one} a for¬\neign card")
    assert 'for<span class="hy">-<br></span></span><span class="p"' in html


@pytest.mark.parametrize("sign", ["-", "*-*", "—"])
def test_a_word_divided_at_a_hyphen_of_its_own_keeps_it_once(sign):
    html = render(f"{{#one}} a score{sign}¬\ncard of it")
    assert '<span class="hy"><br></span></span><span class="p"' in html
    assert html.count(sign.strip("*") + "<") == 1


def test_rows_become_one_table_whose_heads_span_their_columns():
    html = render("[rowhead] {#t} A || B\n[row] 1 || 2 || 3 || 4\n[tally] 5 || 6 || 7 || 8")
    assert html.count("<table") == 1
    assert html.count('<th colspan="2">') == 2
    assert html.count("<td>") == 8


def test_every_letter_of_a_passage_has_its_place():
    lines = read_text("=== leaf 1 ===\n\n{#one} a {b → c | m} d\n").blocks[0].lines
    found = list(letters_of(lines, "one", "reading"))
    assert [letter for letter, _ in found] == ["a", "c", "d"]
    assert found[1][1] == TextPosition(1, 1, 1, 1)

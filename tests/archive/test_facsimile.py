"""The typeset pages: the reading text, each word in its place, the same every time, saying what they are."""

from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from archive.edition import Leaf, Line, Run, read_book
from archive.edition.transcript import read_text
from archive.facsimile import COLOPHON, FontSet, typeset_page
from archive.facsimile.book_styles import BOOK_STYLES, HEIGHT, PLAIN_STYLE, style_of_book
from archive.facsimile.galley import TypeSpec, glyph_runs
from archive.facsimile.words import words_of
from archive.images.boxes import bounding_box
from archive.images.derivatives import png

ROOT = Path(__file__).parents[2]
FONTS = ROOT / "node_modules" / "@fontsource"
SLUGS = ("rap-rummy-1926", "rummy-1916", "thumbs-up-1941", "victory-rummy-1942")
EDITIONS = {slug: read_book(ROOT / "fixtures" / "books" / slug) for slug in SLUGS}
LEAVES = [(slug, leaf.number) for slug in SLUGS for leaf in EDITIONS[slug].leaves]
FACES = FontSet(FONTS)


def leaf_of(slug, number):
    return next((leaf for leaf in EDITIONS[slug].leaves if leaf.number == number), None)


@cache
def page(slug, number):
    return typeset_page(slug, leaf_of(slug, number), leaf_of(slug, number + 1), FACES)


def a_line(text, number=1, style="body", **more):
    return Line(1, number, style, number, (Run("text", text, text),), **more)


def a_leaf(*lines):
    return Leaf(1, "", "", "certain", "", lines)


def passage_words(slug, number, anchor):
    return [word for word in page(slug, number).words if word.passage == anchor]


@pytest.mark.parametrize(("slug", "number"), [("victory-rummy-1942", 2), ("rap-rummy-1926", 6)])
def test_a_page_set_twice_is_the_same_to_the_byte(slug, number):
    again = typeset_page(slug, leaf_of(slug, number), leaf_of(slug, number + 1), FontSet(FONTS))
    assert png(again.image) == png(page(slug, number).image)
    assert again.words == page(slug, number).words


@pytest.mark.parametrize(("slug", "number"), LEAVES)
def test_every_word_of_the_reading_text_and_of_the_source_text_has_one_box(slug, number):
    texts = {"reading": [], "printed": []}
    for line in leaf_of(slug, number).lines:
        for layer, found in texts.items():
            text = "".join(run.printed for run in line.runs) if line.ours else line.text(layer)
            if layer == "reading" and line.runs and line.runs[-1].kind == "hyphen":
                text += "-"
            if layer == "printed" or line.style not in ("stamp", "slip"):
                found += [(line.number, index, word) for index, word in enumerate(text.split())]
    sheet = page(slug, number)
    assert [(word.line, word.index, word.text) for word in sheet.words] == texts["reading"]
    assert [(word.line, word.index, word.text) for word in sheet.printed] == texts["printed"]


@pytest.mark.parametrize(("slug", "number"), LEAVES)
def test_words_stand_inside_the_page_and_clear_of_each_other(slug, number):
    sheet = page(slug, number)
    boxes = [word.box for word in sheet.words]
    assert all(box.w > 0 and box.h > 0 for box in boxes)
    assert all(box.x > 0 and box.right < sheet.width for box in boxes)
    assert all(box.y > 0 and box.foot < sheet.colophon.y for box in boxes)
    for one, other in combinations(sorted(boxes, key=lambda box: box.y), 2):
        clear = one.foot <= other.y or one.right <= other.x or other.right <= one.x
        assert clear, (one, other)


@pytest.mark.parametrize(("slug", "number"), LEAVES)
def test_every_page_says_what_it_is_and_has_no_invented_age(slug, number):
    assert COLOPHON == "Typeset by Tallyroom from the transcription; not a scan"
    sheet = page(slug, number)
    assert sheet.image.getpixel((3, HEIGHT // 2)) == (255, 255, 255)
    edges = sheet.image.crop((0, 0, 40, HEIGHT)), sheet.image.crop((sheet.width - 40, 0, sheet.width, HEIGHT))
    assert [edge.getextrema() for edge in edges] == [((255, 255),) * 3] * 2
    box = sheet.colophon
    assert box.y > HEIGHT * 0.94 and box.foot < HEIGHT
    box = replace(box, h=34)
    struck = sheet.image.convert("L").crop((box.x - 4, box.y - 6, box.right + 4, box.foot + 6))
    struck = struck.point([255 if level < 170 else 0 for level in range(256)])
    wanted = Image.new("L", struck.size, 0)
    at = (4 + FACES.font("italic", 34).getbbox("T", anchor="ls")[0], 6 + 0.77 * 34)
    ImageDraw.Draw(wanted).text(at, COLOPHON, font=FACES.font("italic", 34), fill=255, anchor="ls")
    # The words were struck one by one, so a pixel here and there differs; their number does not.
    assert struck.histogram()[255] == pytest.approx(
        wanted.point(lambda v: 255 * (v > 120)).histogram()[255], rel=0.15
    )


@pytest.mark.parametrize(("slug", "number"), LEAVES)
def test_every_box_has_ink_in_it(slug, number):
    grey = page(slug, number).image.convert("L")
    for word in page(slug, number).words:
        box = word.box
        darkest, _ = grey.crop((box.x, box.y, box.right, box.foot)).getextrema()
        assert darkest < 140, word


@pytest.mark.parametrize(
    ("slug", "number"), [("rummy-1916", 6), ("rap-rummy-1926", 4), ("thumbs-up-1941", 3)]
)
def test_no_ink_lies_outside_the_boxes_of_a_plain_page(slug, number):
    sheet = page(slug, number)
    grey = sheet.image.convert("L")
    for box in (sheet.colophon, *(word.box for word in sheet.words)):
        grey.paste(255, (box.x - 3, box.y - 1, box.right + 3, box.foot + 1))
    darkest, _ = grey.getextrema()
    assert darkest > 140


def test_supplied_words_stand_on_the_page_in_their_brackets():
    words = passage_words("victory-rummy-1942", 5, "begin-again")
    assert [word.text for word in words[-2:]] == ["⟨previously", "scored.⟩"]
    # The bracket is drawn: there is ink at the left edge of the word, where no letter is.
    box = words[-2].box
    grey = page("victory-rummy-1942", 5).image.convert("L")
    darkest, _ = grey.crop((box.x, box.y, box.x + 14, box.foot)).getextrema()
    assert darkest < 140


def test_in_the_source_text_the_place_of_supplied_words_stays_blank():
    sheet = page("victory-rummy-1942", 4)
    dots = [word for word in sheet.printed if word.passage == "a-victory"]
    dot, dash = (next(i for i, word in enumerate(dots) if word.text == text) for text in ("•", "—"))
    assert dash == dot + 1
    assert dots[dash].box.x - dots[dot].box.right > 1.5 * (dots[dash + 1].box.x - dots[dash].box.right)


def test_lines_of_the_other_layer_and_stamps_are_not_set():
    sheet = page("victory-rummy-1942", 2)
    alone = {
        layer: {line.number for line in leaf_of("victory-rummy-1942", 2).lines if line.layer == layer}
        for layer in ("reading", "printed")
    }
    assert alone["printed"] and not {word.line for word in sheet.words} & alone["printed"]
    assert alone["reading"] and not {word.line for word in sheet.printed} & alone["reading"]
    assert "ARCHIVES" not in {word.text for word in page("victory-rummy-1942", 1).words}


def regions(words):
    """One box for each row that was set."""
    rows = {}
    for word in words:
        rows.setdefault(word.row, []).append(word.box)
    return [bounding_box(row) for row in rows.values()]


def test_a_passage_over_several_rows_has_a_region_for_each():
    words = passage_words("victory-rummy-1942", 5, "score-bonus")
    rows = regions(words)
    around = bounding_box(rows)
    assert len(rows) >= 4
    assert all(around.y <= row.y and row.foot <= around.foot for row in rows)
    assert len(regions(passage_words("victory-rummy-1942", 5, "score-capture"))) == 1


def test_rows_of_a_paragraph_end_at_the_same_edge():
    words = passage_words("victory-rummy-1942", 5, "score-bonus")
    ends = [row.right for row in regions(words)][:-1]
    assert max(ends) - min(ends) <= 2


def test_a_paragraph_that_goes_on_overleaf_ends_in_a_full_row():
    sheet = page("rummy-1916", 4)
    assert sheet.words[-1].text == "ex-"
    assert sheet.words[-1].box.right == pytest.approx(sheet.width - style_of_book("rummy-1916").margin, abs=2)


def test_the_figures_of_the_pad_stand_under_their_heads():
    words = page("victory-rummy-1942", 2).words
    heads = [word.box for word in words if word.text == "SCORE" and word.box.h < 60]
    figures = [word.box for word in words if word.text in ("10", "⟨10⟩", "20", "30", "25", "50", "195")]
    assert len(heads) == 4 and len(figures) > 12
    for figure in figures:
        middle = figure.x + figure.w / 2
        assert any(abs(middle - (head.x + head.w / 2)) < 6 and figure.y > head.foot for head in heads)


def test_a_title_page_is_centred():
    sheet = page("rummy-1916", 1)
    title = next(word.box for word in sheet.words if word.text == "RUMMY")
    assert title.x + title.w / 2 == pytest.approx(sheet.width / 2, abs=3)
    assert title.h == max(word.box.h for word in sheet.words)


def test_an_overfull_leaf_is_set_smaller_and_does_not_overflow():
    text = "The player having the fewest points against him WINS THE GAME. "
    short, long = a_leaf(a_line(text * 10)), a_leaf(a_line(text * 70))
    few, many = (typeset_page("some-book", leaf, None, FACES) for leaf in (short, long))
    assert few.body_size == PLAIN_STYLE.body_size > many.body_size
    assert max(word.box.foot for word in many.words) < many.colophon.y


def test_a_word_wider_than_the_page_is_still_on_it():
    leaf = a_leaf(a_line("V" * 60, style="title"))
    sheet = typeset_page("some-book", leaf, None, FACES)
    assert sheet.words[0].box.x > 0 and sheet.words[0].box.right < sheet.width


def test_an_empty_leaf_is_a_blank_page_with_its_colophon():
    sheet = typeset_page("some-book", a_leaf(), None, FACES)
    assert sheet.words == () and sheet.colophon.w > 0


def test_a_book_without_a_dress_wears_the_plain_one():
    assert style_of_book("a-seventh-game") == PLAIN_STYLE
    assert set(BOOK_STYLES) == set(SLUGS)


def test_a_word_in_two_faces_is_one_word():
    line = Line(1, 1, "body", 1, (Run("text", "RAP", "RAP", "bold"), Run("text", ", he said", ", he said")))
    words = words_of(line)
    assert [word.text for word in words] == ["RAP,", "he", "said"]
    assert [segment.face for segment in words[0].segments] == ["bold", None]


def test_offsets_lead_back_into_the_printed_line():
    for line in leaf_of("victory-rummy-1942", 4).lines:
        for word in words_of(line):
            assert line.printed[word.offset :].startswith(word.text)
        for word in words_of(line, "reading"):
            assert line.reading[word.offset :].startswith(word.text)


def test_every_kind_of_line_can_be_set_alone():
    from archive.edition import STYLES

    for style in STYLES.keys() - {"rule"}:
        line = a_line("ten cards", style=style)
        sheet = typeset_page("some-book", a_leaf(line, replace(line, number=2, gap=True)), None, FACES)
        assert len(sheet.printed) == 4, style
        assert len(sheet.words) == (0 if style in ("stamp", "slip") else 4), style


def test_the_fingerprints_of_stored_pages_stay_valid():
    """They contain how a style and a line are written: another word would typeset every page again."""
    assert repr(style_of_book("rummy-1916")).startswith("BookStyle(width=1480, ink=(42, 34, 26), accent=")
    line = repr(leaf_of("rummy-1916", 6).lines[0])
    assert line.startswith(
        "Line(leaf=6, number=1, style='body', paragraph=22, runs=(Run(kind='text', printed="
    )


def drawn(fonts, text, face="roman"):
    image = Image.new("L", (400, 160), 0)
    fonts.draw(ImageDraw.Draw(image), (20, 110), text, face, 60)
    return image


@pytest.mark.parametrize("face", ["roman", "bold", "display"])
@pytest.mark.parametrize(
    "text", ["o\u0364", "q\u0303", "m\u0304", "e\u0328", "x\u0323", "u\u0308\u0304", "\u017f"]
)
def test_letters_of_old_print_are_drawn_and_are_no_boxes(text, face):
    fonts = FontSet(FONTS)
    shown, base = drawn(fonts, text, face), drawn(fonts, text[0], face)
    # The control: what the font by itself draws for a letter that it does not have.
    box = fonts.font(face, 60).getmask("\uffff").size
    assert shown.getbbox() and fonts.width(text, face, 60) == fonts.width(text[0], face, 60)
    assert shown.getbbox()[2] < 20 + fonts.width(text[0], face, 60) + box[0] / 2, "no box follows it"
    if len(text) > 1:
        assert shown.tobytes() != base.tobytes(), "the sign is seen"


def test_superior_letters_are_set_small_and_above_the_line():
    text = "=== leaf 1 ===\n\n{#a} N{^o} 5\n"
    word = words_of(read_text(text).blocks[0].lines[0])[0]
    assert word.text == "No" and [one.superior for one in word.segments] == [False, True]
    plain, raised = glyph_runs(word, TypeSpec("roman", 40), FACES)[0]
    assert raised.size < 0.7 * plain.size and raised.raised > 0.2 * plain.size and plain.raised == 0

"""Pages read by Tesseract and files read elsewhere: the same words and boxes, and no harm from either."""

import contextlib
import os
import subprocess
import time

import pytest
from PIL import Image, ImageDraw, ImageFont

from archive.curation.forms import leaf_text
from archive.edition.transcript import read_text
from archive.ocr import ocr_files, tesseract
from archive.ocr.ocr_files import OcrFileError, read_ocr_file
from archive.ocr.tesseract import OcrWord, parse_tsv
from archive.ocr.transcription import (
    OcrLine,
    Transcription,
    group_lines,
    read_page,
    transcript_lines,
    word_records,
)
from tests.archive.worn_pages import FONTS, OTHER_FACES

needs_tesseract = pytest.mark.skipif(not tesseract.is_installed(), reason="Tesseract is not installed")
LINES = [
    "RULES FOR RUMMY",
    "Shuffle the pack thoroughly. When two",
    "players play, deal eight cards to each.",
]
SIZE = (1000, 500)


@pytest.fixture(scope="module")
def page():
    image = Image.new("RGB", SIZE, (244, 236, 214))
    font = ImageFont.truetype(FONTS / OTHER_FACES[0], 44)
    pen = ImageDraw.Draw(image)
    for number, line in enumerate(LINES):
        pen.text((80, 80 + 70 * number + 60 * (number > 0)), line, font=font, fill=(40, 30, 24))
    return image


def a_line(text, y=0, begins=False):
    words = [OcrWord(word, 50.0 * place, y, 45, 20, 1, 1.0) for place, word in enumerate(text.split())]
    return OcrLine(tuple(words), begins)


def a_reading(*lines):
    return Transcription(tuple(lines), "hand")


def inside(text):
    return read_text("=== leaf 1 ===\n\n" + "\n".join(text) + "\n").blocks[0].lines


@needs_tesseract
def test_a_page_is_read_line_by_line_with_boxes(page):
    reading = read_page(page)
    assert [" ".join(w.text for w in line.words) for line in reading.lines] == LINES
    assert reading.lines[1].begins and not reading.lines[2].begins
    first = reading.words[0]
    assert abs(first.x - 80) < 8 and 80 <= first.y < 110 and 20 < first.h < 60


@needs_tesseract
@pytest.mark.parametrize("kind", ["hocr", "alto"])
def test_files_that_tesseract_writes_say_what_it_reads_itself(page, kind, tmp_path):
    page.save(tmp_path / "page.png")
    environment = {**os.environ, "OMP_THREAD_LIMIT": "1"}
    asked = ["tesseract", tmp_path / "page.png", tmp_path / "read", "--dpi", "300", kind]
    subprocess.run(asked, check=True, capture_output=True, env=environment)
    content = (tmp_path / ("read.hocr" if kind == "hocr" else "read.xml")).read_bytes()
    reading = read_ocr_file(content, *SIZE)
    assert [" ".join(w.text for w in line.words) for line in reading.lines] == LINES
    assert reading.by == {"hocr": "hOCR", "alto": "ALTO"}[kind]
    own = read_page(page)
    for one, other in zip(reading.words, own.words, strict=True):
        assert abs(one.x - other.x) < 6 and abs(one.y - other.y) < 6, (one, other)
    # On an image of twice the size the boxes are twice as large.
    assert read_ocr_file(content, 2000, 1000).words[4].x == pytest.approx(2 * reading.words[4].x)


def test_lines_are_written_as_the_edition_writes_them():
    reading = a_reading(
        a_line("3 * 5 | {five} ex-"),
        a_line("cepting this"),
        a_line("[sic] = A well-", begins=True),
        a_line("Known"),
    )
    text = transcript_lines(reading, "leaf-3")
    assert text == ["{#leaf-3} 3 \\* 5 \\| \\{five\\} ex¬", "cepting this", "", "\\[sic] = A well-", "Known"]
    lines = inside(text)
    assert lines[0].printed == "3 * 5 | {five} ex-" and lines[2].printed == "[sic] = A well-"
    assert lines[0].paragraph == lines[1].paragraph != lines[2].paragraph
    assert leaf_text.rows_from([row or leaf_text.GAP for row in text])[-1].number == 4


def words_at(*lines):
    """Words of lines, each given by its text, its height on the page and its paragraph."""
    return [
        OcrWord(word, 50.0 * place, y, 45, 20, number, 1.0, paragraph)
        for number, (text, y, paragraph) in enumerate(lines, 1)
        for place, word in enumerate(text.split())
    ]


def test_loose_lines_are_one_paragraph_and_a_wider_gap_begins_another():
    ys = [0, 40, 80, 120, 190, 230]
    lines = group_lines(words_at(*(("some words", y, 1) for y in ys)))
    assert [line.begins for line in lines] == [False, False, False, False, True, False]
    assert transcript_lines(Transcription(lines, "hand"), "a").count("") == 1


def test_a_paragraph_that_the_reader_saw_begins_without_a_gap_but_never_within_a_sentence():
    lines = group_lines(words_at(("One.", 0, 1), ("Two fif-", 30, 2), ("teen", 60, 3), ("more", 90, 3)))
    assert [line.begins for line in lines] == [False, True, False, False]
    assert transcript_lines(Transcription(lines, "hand"), "a") == [
        "{#a} One.",
        "",
        "Two fif¬",
        "teen",
        "more",
    ]


@needs_tesseract
def test_a_loosely_leaded_page_is_read_as_one_paragraph():
    image = Image.new("RGB", (1000, 700), (244, 236, 214))
    font = ImageFont.truetype(FONTS / OTHER_FACES[0], 40)
    pen = ImageDraw.Draw(image)
    printed = ["Rummy is played with a pack of fifty-", "two cards and by two or more persons,"]
    printed += ["each of whom is dealt seven cards by", "the dealer, who then turns up the next", "card."]
    for number, line in enumerate(printed):
        pen.text((80, 80 + 68 * number), line, font=font, fill=(40, 30, 24))
    text = transcript_lines(read_page(image), "leaf-1")
    assert "" not in text and text[0].endswith("fifty¬") and len(text) == 5


def test_words_are_numbered_as_the_lines_of_the_text_are():
    reading = a_reading(a_line("one two"), a_line("three", 40, begins=True))
    found = word_records(reading, "leaf-3")
    printed = {line.number: line.printed for line in inside(transcript_lines(reading, "leaf-3"))}
    for word in found:
        assert printed[word["line"]][word["offset"] :].startswith(word["text"])
    assert [word["line"] for word in found] == [1, 1, 2] and found[0]["passage"] == "leaf-3"


def test_the_table_of_tesseract_is_read_with_any_sign_in_it():
    head = "level\tpage_num\tblock_num\tpar_num\tline_num\tword_num\tleft\ttop\twidth\theight\tconf\ttext\n"
    rows = ['5\t1\t1\t1\t1\t1\t5\t6\t7\t8\t91.5\t"SETS"', "4\t1\t1\t1\t2\t0\t5\t6\t7\t8\t-1\t"]
    rows += ["5\t1\t1\t1\t2\t1\t5\t26\t7\t8\t-1\tof"]
    first, second = parse_tsv(head + "\n".join(rows))
    assert (first.text, first.x, first.line, first.sure) == ('"SETS"', 5, 1, 0.915)
    assert (second.line, second.sure) == (2, 0)


def alto(inner, version=4, page='WIDTH="1000" HEIGHT="500"', before=""):
    space = {
        2: "http://www.loc.gov/standards/alto/ns-v2#",
        3: "http://www.loc.gov/standards/alto/ns-v3#",
    }.get(version, "http://www.loc.gov/standards/alto/ns-v4#")
    return (
        f'<?xml version="1.0" encoding="UTF-8"?>{before}<alto xmlns="{space}"><Layout><Page ID="p" {page}>'
        f"<PrintSpace><TextBlock>{inner}</TextBlock></PrintSpace></Page></Layout></alto>"
    ).encode()


def string(text, x=10, y=20, w=30, h=12):
    return f'<String CONTENT="{text}" HPOS="{x}" VPOS="{y}" WIDTH="{w}" HEIGHT="{h}"/>'


@pytest.mark.parametrize("version", [2, 3, 4])
def test_alto_of_any_version_is_read_with_its_hyphens(version):
    inner = f"<TextLine>{string('must')}<SP/>{string('ex', 60)}<HYP CONTENT='-'/></TextLine>"
    inner += f"<TextLine>{string('cepting', 10, 50)}</TextLine>"
    reading = read_ocr_file(alto(inner, version), *SIZE)
    assert [[w.text for w in line.words] for line in reading.lines] == [["must", "ex-"], ["cepting"]]
    assert transcript_lines(reading, "a")[0] == "{#a} must ex¬"


def test_alto_in_tenths_of_a_millimetre_comes_to_pixels_by_its_page():
    inner = f"<TextLine>{string('word', 85, 42.5, 17, 8.5)}</TextLine>"
    word = read_ocr_file(alto(inner, page='WIDTH="850" HEIGHT="425"'), *SIZE).words[0]
    assert (word.x, word.y, round(word.w)) == (100, 50, 20)


HOCR = """<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "http://www.w3.org/TR/xhtml1/DTD/x.dtd">
<html><head><meta name="ocr-system" content="by hand"><title></title></head><body>
<div class='ocr_page' title='image "x.png"; bbox 0 0 1000 500; ppageno 0'>%s</div></body></html>"""


def test_hocr_that_is_no_proper_xml_is_read():
    inner = """<p class=x><br><span class="ocr_line" title="bbox 10 20 200 40"><span class='ocrx_word'
    title='bbox 10 20 90 40; x_wconf 93'><strong>Fish</strong>&nbsp;</span>
    <span class='ocrx_word' title='bbox 110 20 200 40'>&amp; chips</span></span>
    <span class="ocr_line" title="bbox 10 60 210 80">A line alone</span>"""
    reading = read_ocr_file((HOCR % inner).encode(), *SIZE)
    assert [[w.text for w in line.words] for line in reading.lines] == [
        ["Fish", "&", "chips"], ["A", "line", "alone"],
    ]  # fmt: skip
    assert reading.words[0].sure == 0.93 and reading.words[3].x == 10 and reading.words[5].x > 100


def test_signs_that_nobody_sees_are_left_out_and_soft_hyphens_at_line_ends_are_hyphens():
    inner = """<span class="ocr_line" title="bbox 10 20 200 40">
    <span class='ocrx_word' title='bbox 10 20 90 40'>a\0b\u200b\x1b</span>
    <span class='ocrx_word' title='bbox 100 20 190 40'>\0\u200b</span>
    <span class='ocrx_word' title='bbox 100 20 190 40'>ex\u00ad</span></span>"""
    reading = read_ocr_file((HOCR % inner).encode(), *SIZE)
    assert [word.text for word in reading.words] == ["ab", "ex-"]


LAUGHS = '<!DOCTYPE a [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
OUTSIDE = '<!DOCTYPE a [<!ENTITY a SYSTEM "file:///etc/passwd">]>'
A_LINE = f"<TextLine>{string('word')}</TextLine>"


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (alto(f"<TextLine>{string('&b;')}</TextLine>", before=LAUGHS), "declares entities"),
        (alto(f"<TextLine>{string('&a;')}</TextLine>", before=OUTSIDE), "declares entities"),
        (alto(A_LINE, before=LAUGHS).replace(b"UTF-8", b"UTF-16").decode().encode("utf-16"), "neither"),
        (alto(A_LINE).replace(b"UTF-8", b"UTF-7"), "Save it as UTF-8"),
        (alto(A_LINE).replace(b"UTF-8", b"none"), "Save it as UTF-8"),
        (alto("<a>" * 300 + A_LINE + "</a>" * 300), "deeper"),
        ((HOCR % ("<div>" * 300)).encode(), "deeper"),
        (alto(A_LINE)[:-20], "broken in line 1"),
        (alto(A_LINE + "<TextLine><String CONTENT='x' HPOS='1' VPOS='1'/></TextLine>"), "no box"),
        (alto("<TextLine>" + string("x", "NaN") + "</TextLine>"), "must be a number"),
        (alto("<TextLine>" + string("x", 5000) + "</TextLine>"), "does not lie on the image"),
        (alto(""), "no words"),
        (alto(A_LINE, page='WIDTH="500" HEIGHT="900"'), "another shape"),
        (alto(f"{A_LINE}</TextBlock></PrintSpace></Page><Page><PrintSpace><TextBlock>"), "2 pages"),
        ((HOCR % "<span class='ocrx_word'>x</span>").encode(), "no box|no words"),
        (b"<html>" + b"<" + b"a" * 9000 + b">", "longer than any"),
        (b"%PDF-1.7", "neither hOCR nor ALTO"),
        (b"", "neither hOCR nor ALTO"),
        (b" " * (ocr_files.MAX_BYTES + 1), "larger than"),
    ],
)  # fmt: skip
def test_what_cannot_be_a_reading_of_a_page_is_refused_with_a_sentence(content, sentence):
    with pytest.raises(OcrFileError, match=sentence):
        read_ocr_file(content, *SIZE)


@pytest.mark.parametrize(
    "piece", ["<", "<a", "<span class='ocrx_word' title='bbox ", "&#", "<!--", '<a title="', "</p>"]
)
def test_long_nonsense_takes_no_long_time(piece):
    content = (HOCR % (piece * (600_000 // len(piece)))).encode()
    begin = time.process_time()
    with contextlib.suppress(OcrFileError):
        read_ocr_file(content, *SIZE)
    assert time.process_time() - begin < 5


def test_too_many_words_are_refused():
    word = string("a")
    with pytest.raises(OcrFileError, match="more than 20000 words"):
        read_ocr_file(alto("<TextLine>" + word * 20_001 + "</TextLine>"), *SIZE)
    with pytest.raises(OcrFileError, match="more than 2 words"):
        read_ocr_file(alto(f"<TextLine>{string('three in one')}</TextLine>"), *SIZE, words_max=2)

"""The text format: docs/format.md says what the parser does, and every fault names its file and line."""

import json
import re
import shutil
import tomllib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from archive.curation.forms import leaf_text
from archive.edition import STYLES, EditionError, Line, Passage, Run, read_book, toml
from archive.edition.folder import pairs_in
from archive.edition.line_json import pack_lines, unpack_lines
from archive.edition.marks import MARKS
from archive.edition.toml import read_table, write_table
from archive.edition.transcript import TextBlock, Transcript, read_text, write_text
from archive.reader.html import HtmlRenderer

ROOT = Path(__file__).parents[2]
BOOKS = ROOT / "fixtures" / "books"
FORMAT = (ROOT / "docs" / "format.md").read_text()
DOCUMENTED = re.findall(r"### `([^\n]+)`\n\n.+?```text\n(.+?)\n```\n(?:\n((?:> [^\n]+\n)+))?", FORMAT, re.S)


def parse(source: str) -> Transcript:
    return read_text(source if source.startswith("===") else f"=== leaf 1 ===\n\n{source}")


def test_the_docs_name_every_mark_the_parser_knows_and_no_other() -> None:
    assert re.findall(r"(?m)^### `(.+)`$", FORMAT) == list(MARKS)
    assert [mark for mark, _, _ in DOCUMENTED] == list(MARKS)


@pytest.mark.parametrize(("mark", "example", "layers"), DOCUMENTED)
def test_each_mark_does_what_the_docs_say(mark: str, example: str, layers: str) -> None:
    text = parse(example)
    source = example if example.startswith("===") else f"=== leaf 1 ===\n\n{example}"
    assert write_text(text.blocks, text.passages) == source + "\n"
    for layer, words in re.findall(r"> (as printed|reading): (.+)", layers):
        passage = text.passages[0]
        assert " ".join(passage.text("printed" if layer == "as printed" else "reading").split()) == words


def test_an_example_without_its_mark_would_be_noticed() -> None:
    for mark, example, _ in DOCUMENTED:
        sign = re.sub(r"N|style|note|anchor other =alias|anchor|printed|reading|words|bold|italic", "", mark)
        assert all(character in example for character in re.findall(r"[^\s\w]", sign)), mark


def test_the_docs_list_every_style_as_it_is() -> None:
    rows = re.findall(r"(?m)^\| `([a-z-]+)` \| (\w+) \| (\w+) \| (yes|no) \| (yes|no) \| (.+) \|$", FORMAT)
    yes_no = {True: "yes", False: "no"}
    assert rows == [
        (style.name, style.align, style.size, yes_no[style.flow], yes_no[style.furniture], style.meaning)
        for style in STYLES.values()
    ]


def test_the_docs_name_every_key_of_every_file() -> None:
    def keys(value: object) -> set[str]:
        if isinstance(value, dict):
            return set(value).union(*map(keys, value.values()))
        return set().union(*map(keys, value)) if isinstance(value, list) else set()

    used = set().union(*(keys(tomllib.loads(path.read_text())) for path in BOOKS.glob("*/*.toml")))
    chosen = [
        variant.get("options", {}) for path in BOOKS.glob("*/variants.toml") for variant in variants(path)
    ]
    options = {key for options in chosen for key in options}
    heads = set(re.findall(r"\[\[?(?:\w+\.)?(\w+)\]\]?", FORMAT))
    assert used - options <= set(re.findall(r"`(\w+)`", FORMAT)) | heads


def variants(path: Path) -> list[dict[str, dict[str, object]]]:
    return tomllib.loads(path.read_text()).get("variant", [])


BROKEN_TEXTS = (
    ("text before any leaf", 1, "Some text", "begin with === leaf 1 ==="),
    ("a leaf that is left out", 5, "=== leaf 1 ===\n\n{#a} One\n\n=== leaf 3 ===", "leaf 3 follows leaf 1"),
    ("a block of no known kind", 1, "=== page 1 ===", "=== leaf 1 ==="),
    ("loose lines after a leaf", 5, "=== leaf 1 ===\n\n{#a} One\n\n=== loose ===", "only leaves"),
    ("text among loose furniture", 3, "=== loose ===\n\n{#a} One", "belongs on a leaf"),
    ("text outside any passage", 3, "=== leaf 1 ===\n\nOne", "{#anchor}"),
    ("an unknown style", 3, "=== leaf 1 ===\n\n[poster] {#a} One", "no such style"),
    (
        "an anchor used twice",
        5,
        "=== leaf 1 ===\n\n{#a} One\n\n{#b a} Two",
        "stands already in line 3",
    ),
    (
        "an alias used twice",
        4,
        "=== leaf 1 ===\n\n{#a =c} One\n{#b =c} Two",
        "stands already in line 3",
    ),
    ("an anchor with capitals", 3, "=== leaf 1 ===\n\n{#Score} One", "{#anchor"),
    ("a mend without its note", 3, "=== leaf 1 ===\n\n{#a} a {cash → dash}", "{printed → reading | note}"),
    ("a mend without a name", 3, "=== leaf 1 ===\n\n{#a} {cash → dash | No Name}", "which you make up"),
    ("a mend of nothing", 3, "=== leaf 1 ===\n\n{#a} a { → dash | x}", "{printed → reading | note}"),
    ("supplied words without their note", 3, "=== leaf 1 ===\n\n{#a} a ⟨dash⟩", "⟨words | note⟩"),
    ("a bracket that is not closed", 3, "=== leaf 1 ===\n\n{#a} a ⟨dash", "write \\ before it"),
    ("bold that is not closed", 3, "=== leaf 1 ===\n\n{#a} a **dash", "not closed"),
    ("bold inside italic", 3, "=== leaf 1 ===\n\n{#a} a *very **bold** one*", "do not nest"),
    ("cells outside a table", 3, "=== leaf 1 ===\n\n{#a} one || two", "not a row"),
    ("a hyphen in mid-line", 3, "=== leaf 1 ===\n\n{#a} ex¬ cepting", "write \\ before it"),
    ("nothing to continue", 3, "=== leaf 1 ===\n\n+ {#a} One", "none to continue"),
    ("a style without text", 3, "=== leaf 1 ===\n\n[heading]", "needs text"),
    ("spaces at the end", 3, "=== leaf 1 ===\n\n{#a} One ", "ends in spaces"),
)


@pytest.mark.parametrize(
    ("line", "source", "advice"), [pytest.param(*case[1:], id=case[0]) for case in BROKEN_TEXTS]
)
def test_a_broken_text_is_refused_with_its_line_and_advice(line: int, source: str, advice: str) -> None:
    with pytest.raises(EditionError) as fault:
        read_text(source + "\n")
    assert (fault.value.file, fault.value.line) == ("text.txt", line)
    assert advice in fault.value.message


BROKEN_FILES = (
    ("notes.toml", 'kind = "gloss"', 'kind = "rumour"', "it must be one of mend, lacuna"),
    ("notes.toml", 'quote = "Scan as b/w"', 'quote = "Scan as colour"', "stand 0 times"),
    ("notes.toml", 'anchor = "slip"', 'anchor = "slop"', "no passage of text.txt has the anchor slop"),
    ("notes.toml", 'id = "mah-jongg"', 'id = "two-versions"', "used twice"),
    ("notes.toml", 'default = "joint"', 'default = "several"', "the value of one of the readings"),
    ("notes.toml", 'kind = "history"', 'kind = "ambiguity"', "at least two readings"),
    ("notes.toml", "dated = 2026-11-16", "dated = 2026-13-16", "this is not TOML"),
    ("notes.toml", 'title = "Honors"', "title = 7", "title must be a string"),
    ("notes.toml", 'title = "Honors"', 'title = "Hon\\nors"', "title must be one line"),
    ("notes.toml", 'title = "Honors"', 'subtitle = "x"\ntitle = "Honors"', "subtitle is not a key"),
    ("notes.toml", 'value = "credit"', 'weight = "credit"', "weight is not a key"),
    ("text.txt", "| after-drawing}", "| nobody}", "with the id nobody"),
    ("text.txt", "{if → after |", "{if  →  after |", "{printed → reading | note}"),
    ("book.toml", 'maker = "Parker Brothers Inc."\n', "", "maker is missing"),
    ("book.toml", "year = 1926", 'year = "1926"', "year must be a whole number"),
    ("book.toml", 'anchor = "rap-heading"', 'anchor = "rapping"', "has the anchor rapping"),
    ("book.toml", "number = 7", "number = 8", "leaf 7 of text.txt has no [[leaf]]"),
    ("book.toml", 'break = "low"', 'break = "perhaps"', "it must be one of certain, high"),
    ("book.toml", "http://rightsstatements.org", "https://rightsstatements.org", "with http"),
    ("book.toml", 'language = "en-US"', "language = 'en-US'", 'language = "en-US"'),
    (
        "variants.toml",
        '"rap-rummy-1926/tie-break"',
        '"rap-rummy-1926/tiebreak"',
        "is not a passage of this rulebook",
    ),
    ("variants.toml", 'slug = "losers-pay"', 'slug = "lowest-takes"', "used twice"),
    ("variants.toml", 'game = "rap-rummy"', 'game = "bridge"', "not among the games"),
    ("variants.toml", "rounds = 3", "rounds = true", "a string or a whole number"),
    ("brief.toml", '"rap-rummy-1926/rap"', '"rap-rummy/rap"', "is not a passage of this rulebook"),
)


@pytest.mark.parametrize(("name", "right", "wrong", "advice"), BROKEN_FILES)
def test_a_fault_in_a_book_names_file_and_line(
    tmp_path: Path, name: str, right: str, wrong: str, advice: str
) -> None:
    folder = tmp_path / "rap-rummy-1926"
    shutil.copytree(BOOKS / "rap-rummy-1926", folder)
    source = (folder / name).read_text()
    before = source[: source.index(right)].count("\n") + 1
    (folder / name).write_text(source.replace(right, wrong, 1))
    with pytest.raises(EditionError) as fault:
        read_book(folder)
    assert fault.value.file == str(folder / name)
    assert advice in str(fault.value)
    assert fault.value.line == BROKEN_LINES.get((name, wrong), before)


# Where the fault is seen somewhere else than in the line that was broken.
BROKEN_LINES = {
    ("book.toml", ""): 1,
    ("book.toml", "number = 8"): 1,
    ("variants.toml", 'slug = "lowest-takes"'): 40,
}


@given(st.text(st.characters(exclude_categories=("C", "Zl", "Zp", "Zs"), include_characters=" "), min_size=1))
def test_any_characters_survive_writing_and_reading(words: str) -> None:
    """A curator may type any sign; what would be a mark is guarded by the writer."""
    words = " ".join(words.split(" ")).strip() or "x"
    run = Run("text", words, words, passage="a")
    lines = (Line(1, 1, "body", 1, (run,)), Line(1, 2, "body", 1, (run,)))
    text = read_text(write_text([TextBlock("leaf", 1, lines)], [Passage(("a",), (), "text", "", lines)]))
    assert text.blocks[0].lines == lines


@given(st.text(st.characters(exclude_categories=("Cs",))))
def test_any_prose_survives_writing_and_reading(words: str) -> None:
    assert read_table("notes.toml", write_table({"body": words})).prose("body") == words


def test_a_missing_file_and_a_wrong_encoding_are_named(tmp_path: Path) -> None:
    folder = tmp_path / "rummy-1916"
    shutil.copytree(BOOKS / "rummy-1916", folder)
    (folder / "text.txt").write_bytes(b"=== leaf 1 ===\n\n{#a} caf\xe9\n")
    with pytest.raises(EditionError, match=r"text\.txt, line 3: this is not UTF-8"):
        read_book(folder)
    (folder / "book.toml").unlink()
    with pytest.raises(EditionError, match=r"book\.toml, line 1: this file is missing"):
        read_book(folder)


def test_superior_letters_and_doubtful_words_are_words_with_a_mark():
    text = "=== leaf 1 ===\n\n[row] {#a} N{^o} 5 || **{?fif\\}ty}** the 2{^nd}\n"
    read = read_text(text)
    [line] = read.blocks[0].lines
    assert line.printed == line.reading == "No 5\tfif}ty the 2nd"
    marked = [(run.kind, run.printed, run.emphasis) for run in line.runs if run.kind not in ("text", "cell")]
    assert marked == [("superior", "o", ""), ("doubt", "fif}ty", "bold"), ("superior", "nd", "")]
    assert write_text(read.blocks, read.passages) == text
    assert unpack_lines(json.loads(json.dumps(pack_lines([line])))) == (line,)
    html = HtmlRenderer("b", {"a": ["a"]}).blocks([line])[0].html
    assert "N<sup>o</sup> 5" in html and '<b><span class="doubt"' in html


@pytest.mark.parametrize("wrong", ["{^}", "{?}", "{^ a}", "{?a }", "{?a  b}", "{?{^a}}", "{!a}", "{?a"])
def test_marks_that_hold_nothing_or_another_mark_are_refused(wrong):
    with pytest.raises(EditionError):
        read_text(f"=== leaf 1 ===\n\n{{#a}} x {wrong} y\n")


@pytest.mark.parametrize("mark", ["{?o → to | a-note}", "{^nd → 2nd | a-note}", "{?? → | a-note}"])
def test_a_correction_may_begin_with_the_sign_of_another_mark(mark):
    text = f"=== leaf 1 ===\n\n{{#a}} Turn {mark} the left.\n"
    read = read_text(text)
    assert [run.note for run in read.blocks[0].lines[0].runs] == ["", "a-note", ""]
    assert write_text(read.blocks, read.passages) == text


def test_doubts_are_found_over_the_whole_text_and_the_next_one_is_named():
    pages = ("{#a} One {?two}", "{#b} No.", "{#c} x\n\n{?y} z")
    text = "\n".join(f"=== leaf {n} ===\n\n{page}\n" for n, page in enumerate(pages, 1))
    assert leaf_text.doubts_in(text) == [(1, 1), (3, 2)]
    assert leaf_text.next_doubt(text, 1) == (3, 2)
    assert leaf_text.next_doubt(text, 2) == (3, 2) and leaf_text.next_doubt(text, 3) == (1, 1)
    assert leaf_text.next_doubt(text.replace("{?two}", "two"), 3) is None


def test_each_line_of_a_file_is_read_a_few_times_however_many_tables_it_has(monkeypatch):
    pair = """
[[pair]]
id = "rap-rummy-1926-deal-{n}"
with = "rap-rummy-1926"
signed = "Ada"
dated = 2026-11-19

[[pair.here]]
anchor = "deal"
text = "Deal {n}."

[[pair.there]]
anchor = "deal"
text = "Deal {n} cards."
"""
    source = "".join(pair.format(n=n) for n in range(400))
    read = []
    monkeypatch.setattr(toml, "HEADER", CountedPattern(toml.HEADER, read))
    pairs = pairs_in({"parallel.toml": source})
    assert [(pair.here[0].text, pair.there[0].text) for pair in pairs[::399]] == [
        ("Deal 0.", "Deal 0 cards."),
        ("Deal 399.", "Deal 399 cards."),
    ]
    assert 0 < len(read) <= 2 * source.count("\n") + 2


class CountedPattern:
    """A pattern that remembers what it was tried on."""

    def __init__(self, pattern, tried):
        self.pattern, self.tried = pattern, tried

    def match(self, line):
        self.tried.append(line)
        return self.pattern.match(line)

"""The five books as they lie in fixtures/books: whole, consistent, and true to their witnesses."""

import doctest
import re
from pathlib import Path

import pytest

import archive.edition
import engine
from archive.edition import CERTAINTIES, Edition, Passage, read_book, write_book
from archive.edition.validation import count_quote

BOOKS = Path(__file__).parents[2] / "fixtures" / "books"
SLUGS = ("rap-rummy-1926", "rummy-1916", "thumbs-up-1941", "victor-or-victim", "victory-rummy-1942")
EDITIONS = {slug: read_book(BOOKS / slug) for slug in SLUGS}

# The passages that the engine cites. Others may link to them, so none may go.
ANCHORS = {
    "victory-rummy-1942": """
        score-victory score-grand-victory score-bonus begin-again tally score-capture score-axis
        win-500 pack seats deal-ten a-victory a-capture until-out ten-or-five axis-on-going-out
        any-order same-color-again enter-score credit-victory credit-capture list-grand-victory
        list-bonus objective""",
    "thumbs-up-1941": """
        block-values pay-other-colors liberty-against drawing-color winning-hand last-to-notice
        five-hands open-length most-chips equipment seats chip-values equal-chips liberty-fills
        pay-example idea""",
    "rummy-1916": "points-against one-deal-each fewest-wins deal first-out hold-back",
    "rap-rummy-1926": """
        points-against one-deal-each fewest-wins count-the-rest lowest-wins tie-break difference
        failed-rap no-rap most-points the-cards dragons deal rap-deal first-out a-sequence a-set rap
        rap-example score-sheet""",
    "victor-or-victim": """
        victor-wins victim-out last-standing pass-two acquisition change-direction letters seats
        setup turn lose-a-turn both-words""",
}

# Of these, the passages that award a line or decide who has won.
SCORING = {
    "victory-rummy-1942": """
        score-victory score-grand-victory score-bonus begin-again tally score-capture score-axis win-500""",
    "thumbs-up-1941": """
        block-values pay-other-colors liberty-against drawing-color winning-hand last-to-notice five-hands
        open-length most-chips""",
    "rummy-1916": "points-against one-deal-each fewest-wins",
    "rap-rummy-1926": """
        points-against one-deal-each fewest-wins count-the-rest lowest-wins tie-break difference failed-rap
        no-rap most-points""",
    "victor-or-victim": "victor-wins victim-out last-standing pass-two acquisition change-direction",
}

# Words by which a reader recognises the sentence that an anchor must lead to.
SENTENCES = {
    "victory-rummy-1942/score-victory": "A VICTORY counts 10 points.",
    "victory-rummy-1942/score-capture": "A CAPTURE counts 50 points.",
    "victory-rummy-1942/score-bonus": "he receives a bonus of 50 points in his score",
    "victory-rummy-1942/score-axis": "in the hands of all the other players",
    "victory-rummy-1942/axis-on-going-out": "in the hands of the ⟨other players.⟩",
    "victory-rummy-1942/ten-or-five": "either ⟨ten or five cards.)⟩",
    "thumbs-up-1941/winning-hand": "(3 Dots, 1 Dash, 1 V of the same color)",
    "thumbs-up-1941/most-chips": "the most chips when the game is over",
    "rummy-1916/points-against": "10, 3 and 4 has 17",
    "rummy-1916/hold-back": '"caught"',
    "rap-rummy-1926/rap-deal": "deal six to each player",
    "rap-rummy-1926/deal": "three to six people",
    "rap-rummy-1926/count-the-rest": "These remaining cards score according to their individual value.",
    "rap-rummy-1926/no-rap": "are turned down and a count of the remaining card or cards",
    "rap-rummy-1926/most-points": "making a total of 13",
}


@pytest.fixture(params=SLUGS)
def book(request: pytest.FixtureRequest) -> Edition:
    return EDITIONS[request.param]


def names(passage: Passage) -> tuple[str, ...]:
    return passage.anchors + passage.aliases


def test_the_example_of_the_package_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(BOOKS.parents[1])
    outcome = doctest.testmod(archive.edition)
    assert (outcome.attempted, outcome.failed) == (3, 0)


def test_the_shelf_holds_these_five_books() -> None:
    assert tuple(sorted(folder.name for folder in BOOKS.iterdir() if folder.is_dir())) == SLUGS


def test_a_book_is_written_back_byte_for_byte(book: Edition, tmp_path: Path) -> None:
    write_book(book, tmp_path)
    there = {path.name: path.read_bytes() for path in (BOOKS / book.slug).iterdir()}
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == there


def test_a_book_that_was_written_reads_as_the_same_book(book: Edition, tmp_path: Path) -> None:
    folder = tmp_path / book.slug
    write_book(book, folder)
    assert read_book(folder) == book


def test_every_known_anchor_leads_to_exactly_one_passage(book: Edition) -> None:
    found = [name for passage in book.passages for name in names(passage)]
    for anchor in ANCHORS[book.slug].split():
        assert found.count(anchor) == 1, anchor


@pytest.mark.parametrize("cite", SENTENCES)
def test_an_anchor_leads_to_the_sentence_that_it_names(cite: str) -> None:
    slug, anchor = cite.split("/")
    passage = EDITIONS[slug].passage(anchor)
    assert passage is not None
    assert SENTENCES[cite] in passage.reading


def test_every_quote_is_found_once_in_its_passage(book: Edition) -> None:
    for note in book.notes:
        passage = book.passage(note.anchor)
        assert passage is not None, note.id
        assert not note.quote or count_quote(passage.text(note.layer), note) == 1, note.id


def test_the_reading_text_holds_no_furniture(book: Edition) -> None:
    furniture = [line for line in book.lines if line.furniture]
    assert all(line.reading == "" for line in furniture)
    for words in ("AGCA", "Societ", "Scan as b/w", "A blank leaf of the score pad"):
        assert words not in book.reading
    if book.slug == "rummy-1916":
        assert "varied, excepting when" in book.reading
        assert "varied, ex-\nRUMMY" in book.printed


def test_supplied_words_stand_in_angle_brackets_and_only_they(book: Edition) -> None:
    for line in book.lines:
        for run in line.runs:
            given = run.kind in ("supplied", "lacuna")
            assert (run.reading[:1] + run.reading[-1:] == "⟨⟩") == given, run
            assert not (given and run.printed)
            assert given or not set("⟨⟩") & set(run.printed + run.reading)


def test_every_difference_between_the_layers_has_its_note(book: Edition) -> None:
    kinds = {note.id: note.kind for note in book.notes}
    for line in book.lines:
        if line.layer != "both":
            assert kinds[line.note] in ("mend", "lacuna", "example")
        for run in line.runs:
            differs = run.printed != run.reading and run.kind != "hyphen"
            assert (kinds.get(run.note) in ("mend", "lacuna")) == differs, run


def test_every_mend_says_how_sure_we_are_and_why(book: Edition) -> None:
    for note in book.notes:
        if note.kind in ("mend", "lacuna"):
            assert note.certainty in CERTAINTIES
            assert note.body


def witness_of(source: str) -> str:
    """What the machine read, without its own markup for headings, lists, emphasis and formulas."""
    source = re.sub(r"\$\\, \\bullet .*V\$", "• • — V", source)
    source = re.sub(r"(?m)^(#+ |- |---$|== | ==$)", "", re.sub(r" ==$", "", source, flags=re.M))
    return " ".join(source.replace("*", "").split())


def test_the_printed_layer_is_what_the_witness_has(book: Edition) -> None:
    lines = book.witness.split("\n")
    for leaf in book.leaves:
        if leaf.title == "Score pad, not transcribed":
            assert leaf.printed == lines[125]
            continue
        first, last = map(int, leaf.source_lines.split("-"))
        assert " ".join(leaf.printed.split()) == witness_of("\n".join(lines[first - 1 : last])), leaf.number


def test_no_line_of_a_witness_is_left_out(book: Edition) -> None:
    spans = [tuple(map(int, leaf.source_lines.split("-"))) for leaf in book.leaves]
    for number, line in enumerate(book.witness.split("\n"), 1):
        inside = any(first <= number <= last for first, last in spans)
        assert inside or not line.strip() or line in ("Scan as b/w,", "not color"), (number, line)


def test_leaves_stand_in_their_true_order_and_say_where_that_is_doubtful() -> None:
    breaks = {slug: [leaf.break_certainty for leaf in edition.leaves] for slug, edition in EDITIONS.items()}
    assert breaks == {
        "victory-rummy-1942": ["certain", "certain", "high", "high", "low", "high"],
        "thumbs-up-1941": ["certain", "low", "low", "low"],
        "rummy-1916": ["certain", "high", "low", "high", "certain", "high", "certain"],
        "rap-rummy-1926": ["certain", "high", "high", "high", "low", "high", "certain"],
        "victor-or-victim": [],
    }


def test_a_book_in_copyright_has_no_leaf_and_no_witness() -> None:
    modern = EDITIONS["victor-or-victim"]
    assert modern.catalogue.rights.address.endswith("/InC/1.0/")
    assert not modern.leaves and not modern.witness and not modern.printed
    assert {passage.kind for passage in modern.passages} == {"ours"}


def test_player_b_of_the_sample_pad_has_195() -> None:
    sample = EDITIONS["victory-rummy-1942"].passage("sample-score")
    assert sample is not None
    rows = [line.cells for line in sample.lines if line.layer == "reading"]
    styles = [line.style for line in sample.lines if line.layer == "reading"]
    tally = styles.index("tally")
    scores = ["".join(run.words for run in row[2]) for row in rows]
    assert sum(int(score) for score in scores[:tally]) == int(scores[tally]) == 195
    assert all(len(row) == 8 for row in rows)


def test_an_ambiguity_lists_its_readings_ours_first(book: Edition) -> None:
    for note in book.notes:
        if note.kind == "ambiguity" or note.option:
            assert len(note.readings) >= 2, note.id
        if note.readings:
            assert note.readings[0].value == note.default != "", note.id
            assert note.authority, note.id


def test_notes_stand_in_the_order_of_the_text(book: Edition) -> None:
    order = {name: place for place, passage in enumerate(book.passages) for name in names(passage)}
    places = [order[note.anchor] for note in book.notes]
    assert places == sorted(places)


def test_every_scoring_passage_says_by_what_authority_it_stands() -> None:
    for edition in EDITIONS.values():
        for anchor in SCORING[edition.slug].split():
            passage = edition.passage(anchor)
            assert passage is not None
            grades = {note.authority for note in edition.notes if note.anchor in names(passage)}
            assert grades - {""}, anchor


def test_there_are_notes_enough_of_every_kind() -> None:
    kinds = [note.kind for edition in EDITIONS.values() for note in edition.notes]
    assert len(kinds) >= 60
    assert set(kinds) == {"mend", "lacuna", "gloss", "ambiguity", "history", "example", "silence"}


def test_every_option_of_a_game_has_a_note_with_a_reading_for_each_value() -> None:
    notes = {note.option: note for edition in EDITIONS.values() for note in edition.notes if note.option}
    games = engine.GAMES.values()
    options = {f"{game.key}/{option.key}": option for game in games for option in game.options}
    assert set(notes) == set(options)
    for name, option in options.items():
        note = notes[name]
        assert note.kind in ("ambiguity", "silence")
        assert note.authority == option.authority, name
        assert note.default == str(option.default)
        values = {reading.value for reading in note.readings if reading.value}
        assert values >= {str(value) for value in option.values or (option.default,)}, name
        assert option.values is None or len(values) == len(option.values), name


def test_every_note_on_an_option_stands_on_a_passage_that_the_option_cites() -> None:
    for game in engine.GAMES.values():
        book = EDITIONS[game.book]
        for option in game.options:
            (note,) = (note for note in book.notes if note.option == f"{game.key}/{option.key}")
            passage = book.passage(note.anchor)
            assert passage is not None
            assert {f"{book.slug}/{name}" for name in names(passage)} & set(option.cites), note.id


def test_every_game_has_its_brief_and_its_variant_as_printed() -> None:
    for game in engine.GAMES.values():
        book = EDITIONS[game.book]
        assert game.key in book.catalogue.games
        (brief,) = (brief for brief in book.briefs if brief.game == game.key)
        assert 8 <= len(brief.lines) <= 12
        assert all(len(line.text) <= 110 for line in brief.lines)
        first = next(variant for variant in book.variants if variant.game == game.key)
        assert (first.title, first.options, first.pad) == ("As printed", {}, {})


def test_the_slugs_of_variants_are_unique_over_all_books() -> None:
    slugs = [variant.slug for edition in EDITIONS.values() for variant in edition.variants]
    assert len(slugs) == len(set(slugs))


def test_the_engine_accepts_the_options_of_every_variant() -> None:
    for edition in EDITIONS.values():
        for variant in edition.variants:
            players = list("ABCD")
            sheet = {"tally": 1, "game": variant.game, "players": players, "entries": []}
            sheet["options"] = dict(variant.options)
            options = engine.score(sheet).as_dict()["options"]
            assert options.items() >= variant.options.items(), variant.slug


def test_a_variant_changes_something_or_is_as_printed() -> None:
    for edition in EDITIONS.values():
        for variant in edition.variants:
            defaults = {option.key: option.default for option in engine.GAMES[variant.game].options}
            assert all(defaults[key] != value for key, value in variant.options.items()), variant.slug
            assert variant.options or variant.pad or variant.title == "As printed", variant.slug


def test_anchors_are_plain_slugs(book: Edition) -> None:
    for passage in book.passages:
        assert all(re.fullmatch(r"[a-z0-9-]+", name) for name in names(passage))


def test_sections_follow_the_order_of_the_text(book: Edition) -> None:
    anchors = [section.anchor for section in book.catalogue.sections]
    order = [passage.anchor for passage in book.passages]
    assert [order.index(anchor) for anchor in anchors] == sorted(order.index(anchor) for anchor in anchors)


def test_rights_are_given_with_reasons(book: Edition) -> None:
    assert re.fullmatch(r"http://rightsstatements\.org/vocab/[A-Za-z-]+/1\.0/", book.catalogue.rights.address)
    assert len(book.catalogue.rights.reasons) > 40
    assert book.catalogue.unknown and book.catalogue.provenance and book.catalogue.holding

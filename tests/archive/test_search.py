"""Finding. The first half is the contract of every index; whoever adds one runs it against theirs."""

import doctest
import itertools

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from archive import search
from archive.edition.folder import read_files
from archive.facsimile.words import words_of
from archive.models import Book
from archive.publication import publish
from archive.reader.search_hits import find_hits
from archive.search import documents, snippet, stems, stretches, suggestions, tokenizer, vocabulary
from archive.search.spellings import terms
from ops import postgres_migration
from tests.html import holds

pytestmark = pytest.mark.django_db


@pytest.fixture
def find(loaded):
    return search.index().find


def anchors(found):
    return [hit.anchor for hit in found.hits if hit.kind == "passage"]


def marked(hit):
    return [text for text, is_marked in hit.text if is_marked]


# ---- the contract ----


def test_a_word_is_found_and_marked(find):
    found = find("consecutive")
    assert {"score-bonus", "list-bonus"} <= set(anchors(found))
    assert all(
        "consecutive" in " ".join(marked(hit)).casefold() for hit in found.hits if hit.kind == "passage"
    )


def test_texts_notes_variants_and_rules_in_brief_are_searched(find):
    assert {hit.kind for hit in find("red", limit=200).hits} == {
        *("passage", "note", "variant", "brief", "book"),
    }


def test_a_kind_can_be_asked_for_alone(find):
    assert {hit.kind for hit in find("red", kind="note").hits} == {"note"}


def test_a_book_can_be_searched_alone(find):
    book = Book.objects.get(slug="thumbs-up-1941")
    hits = find("color", book=book).hits
    assert hits and {hit.book for hit in hits} == {"thumbs-up-1941"}


def test_a_phrase_must_stand_together(find):
    assert "score-bonus" in anchors(find('"consecutive order"'))
    assert anchors(find('"order consecutive"')) == []


def test_a_phrase_is_found_across_line_ends_and_divided_words(find):
    for book in Book.objects.all():
        for line, following in divided_words(book):
            phrase = f'"{line} {following}"'
            assert find(phrase, book=book, kind="passage").hits, phrase


@pytest.mark.parametrize("typed", ["score-card", "score card", '"on a score-card"'])
def test_a_word_divided_at_its_own_hyphen_is_found_whole_and_lit_on_both_lines(shelf, typed):
    book = shelf["rummy-1916"]
    old = "must never be varied, ex¬"
    files = book.files | {"text.txt": book.files["text.txt"].replace(old, "on a score-¬\n+ card, ex¬")}
    assert files != book.files
    publish.publish(read_files(book.slug, files), files)
    found = search.index().find(typed, book=book, kind="passage")
    (anchor,) = anchors(found)
    lines = [line for leaf in book.leaves.all() for line in leaf.text_lines if anchor in line.passages]
    assert len(find_hits(typed, book, lines).by_line) == 2
    # On a page image the two halves are words as they are printed.
    printed = [word.text for line in lines for word in words_of(line)]
    assert printed[printed.index("card,") - 1] == "score-"


def divided_words(book):
    """The word before and the word after each line end within a paragraph, read from the reading text."""
    for leaf in book.leaves.all():
        lines = leaf.text_lines
        for first, second in itertools.pairwise(lines):
            same = first.paragraph == second.paragraph and first.layer == second.layer == "both"
            if same and not first.furniture and first.runs[-1].passage == second.runs[0].passage:
                before, after = first.reading.split(), second.reading.split()
                plain = before and after and before[-1].isalpha() and after[0].isalpha()
                if plain and first.runs[-1].kind != "hyphen":
                    yield before[-1], after[0]


@pytest.mark.parametrize("query", ["the", "player"])
def test_whoever_asks_for_more_gets_the_same_first_and_then_others(find, query):
    some, more, most = ([*find(query, limit=limit).hits] for limit in (30, 60, 300))
    assert len(some) == 30 and len(more) == 60 < len(most)
    assert more[:30] == some and most[:60] == more
    assert len({(hit.kind, hit.book, hit.key, hit.title, hit.text) for hit in most}) == len(most)


def pages(client, **asked):
    """Every page of a search, from the first on to the last."""
    page = client.get("/search/", asked)
    yield page
    while page.context["next"]:
        page = client.get(f"/search/{page.context['next']}")
        yield page


def test_results_are_paged_to_the_end_and_none_comes_twice(client, loaded):
    seen = list(pages(client, q="the"))
    numbers = [(page.context["first"], page.context["last"]) for page in seen]
    assert len(seen) > 5 and all(after[0] == before[1] + 1 for before, after in itertools.pairwise(numbers))
    hits = [
        (shown.kind, shown.hit.book, shown.hit.key, shown.hit.text)
        for page in seen
        for shown in page.context["hits"]
    ]
    assert len(set(hits)) == len(hits) == numbers[-1][1] > 300
    assert "Next results" in seen[0].content.decode() and "Next results" not in seen[-1].content.decode()


def test_a_page_far_behind_reads_no_more_rows_than_the_first(client, loaded, django_assert_max_num_queries):
    *_, last = pages(client, q="the")
    with django_assert_max_num_queries(12):
        assert client.get(f"/search/{last.context['start']}&after=2.0.60.60").status_code == 200


@pytest.mark.parametrize(
    "after", ["", "0", "9.9.9.9", "4.1.1", "²", f"2.{'9' * 19}.0.0", f"2.{'9' * 18}.0.0", "x" * 500]
)
def test_any_place_may_be_asked_for(client, loaded, after):
    assert client.get("/search/", {"q": "the", "after": after}).status_code == 200


def test_filters_narrow_down_and_stay_with_the_next_pages(client, loaded):
    asked = {"q": "the", "book": "thumbs-up-1941", "kind": "passage"}
    hits = [shown.hit for page in pages(client, **asked) for shown in page.context["hits"]]
    assert len(hits) > 30 and {(hit.book, hit.kind) for hit in hits} == {("thumbs-up-1941", "passage")}
    found = {
        shown.hit.book
        for page in pages(client, q="cards", **{"from": "1910", "to": "1930"})
        for shown in page.context["hits"]
    }
    assert found == {"rummy-1916", "rap-rummy-1926"}
    assert client.get("/search/", {"q": "cards", "from": "1930", "to": "1910"}).context["hits"] == []
    assert {"Rummy, 1916"} == {shown.book for shown in client.get("/search/?q=cards&to=1920").context["hits"]}


def test_the_source_text_is_found_by_its_own_words_and_not_listed_beside_its_reading(client, loaded):
    (found,) = client.get("/search/?q=WHITEW").context["hits"]
    assert (found.kind, found.address) == (
        "Source text",
        "/books/victory-rummy-1942/?q=WHITEW&view=printed#sign-white",
    )
    page = client.get(found.address).content.decode()
    assert "<del><mark>WHITEW</mark></del><ins>WHITE</ins>" in page and page.count("<mark>") == 1
    assert holds(page, "“WHITEW” is only in the source text, in 1 passage:")
    # A word of both layers is marked once, a word of one layer in that layer; on the page alone as well.
    both = client.get("/books/victory-rummy-1942/?q=discount").content.decode()
    assert "<mark>discount</mark> rile" in both and "does not occur" not in both
    assert "<mark>WHITEW</mark>" in client.get("/books/victory-rummy-1942/1/?q=WHITEW").content.decode()
    none = client.get("/books/victory-rummy-1942/?q=zebra").content.decode()
    assert "<mark>" not in none and holds(none, "“zebra” does not occur in the text of this rulebook.")
    kinds = [
        (hit.kind, hit.key) for hit in search.index().find("discard pile").hits if hit.key == "discard-pile"
    ]
    assert kinds == [("passage", "discard-pile")]
    # Where both layers say the same, the one document stands for both.
    assert search.index().find("A CAPTURE counts 50 points", kind="printed").hits


def test_a_misspelt_word_is_answered(client, loaded):
    page = client.get("/search/?q=discrad&kind=passage")
    assert page.context["meant"] == "?q=discard&kind=passage"
    assert 'Did you mean <a href="?q=discard&amp;kind=passage">discard</a>?' in " ".join(
        page.content.decode().split()
    )


def test_words_of_a_book_that_was_taken_away_are_not_suggested(shelf):
    index = search.index()
    assert index.page("moosehaed").suggestion == "moosehead"
    index.remove(shelf["rummy-1916"])
    assert index.page("moosehaed").suggestion == ""
    index.add(shelf["rummy-1916"])
    index.add(shelf["rummy-1916"])
    assert index.page("moosehaed").suggestion == "moosehead"


def test_an_index_of_another_form_is_made_anew(shelf):
    index = search.index()
    index.rebuild()
    assert not index.refresh()
    vocabulary.remember_form(1)
    index.remove(shelf["rummy-1916"])
    assert index.refresh() and index.find("moosehead").hits


@pytest.mark.parametrize(
    ("typed", "printed"),
    [
        ("colour", "color"),
        ("conquian", "COONCAN"),
        ("conquián", "COONCAN"),
        ("conquia\u0301n", "COONCAN"),
        ("coon can", "COONCAN"),
        ("rum", "RUMMY"),
        ("fifty", "50"),
    ],
)
def test_period_spellings_find_each_other(find, typed, printed):
    hits = find(typed, kind="passage", limit=200).hits
    found = {word.casefold() for hit in hits for word in marked(hit)}
    assert any(printed.casefold() in word for word in found)


def test_an_accent_changes_nothing_about_what_is_found(find):
    plain, accented = (find(typed).hits for typed in ("conquian", "conquián"))
    assert len(plain) > 1 and [hit.key for hit in accented] == [hit.key for hit in plain]


def test_words_that_stand_nowhere_together_are_found_loosely_and_it_is_said(find):
    found = find("cooncan liberty")
    assert found.loosely
    assert {"rummy-1916", "thumbs-up-1941"} <= {hit.book for hit in found.hits}


@pytest.mark.parametrize("query", ["", "   ", '""', "***", "- - -", "()", "\x00", "§§"])
def test_a_query_without_a_word_finds_nothing(find, query):
    assert find(query).hits == ()


@pytest.mark.parametrize(
    "query",
    [
        'color" OR "',
        "text : red",
        "NEAR(red blue, 3)",
        "red AND NOT blue",
        "scope:b1",
        '"',
        "red*",
        "^red",
        "a" * 5000,
        "'; DROP TABLE archive_search; --",
        "{title} : red",
        '"red ' * 400,
        "\ud800 red",
        "ﬁve 👍 ‮",
    ],
)
def test_hostile_queries_are_harmless(find, query):
    find(query)
    assert anchors(find("consecutive"))


@given(query=st.text(max_size=80))
@settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
def test_any_text_may_be_asked_for(find, query):
    for hit in find(query).hits:
        assert hit.kind in search.KINDS


def test_adding_a_book_again_replaces_what_was_known_of_it(find, shelf):
    book = shelf["rummy-1916"]
    before = find("cooncan", book=book).hits
    search.index().add(book)
    assert find("cooncan", book=book).hits == before
    book.passages.filter(reading__icontains="cooncan").update(reading="nothing of the kind")
    search.index().add(book)
    assert "passage" not in {hit.kind for hit in find("cooncan", book=book).hits}


def test_rebuilding_finds_the_same(find, shelf):
    before = {(hit.book, hit.kind, hit.key) for hit in find("joker OR dragon", limit=200).hits}
    search.index().rebuild()
    assert {(hit.book, hit.kind, hit.key) for hit in find("joker OR dragon", limit=200).hits} == before


# ---- the pieces ----


def test_typed_words_become_terms():
    assert terms('red "white blue" grand-victory') == [
        [("red",)],
        [("white", "blue")],
        [("grand", "victory")],
    ]
    assert terms("coon can")[0][:2] == [("coon", "can"), ("cooncan",)]
    assert len(terms("word " * 500)) <= 12


def test_a_snippet_keeps_its_mark_and_says_where_it_was_cut():
    text = "before " * 60 + "\x02here\x03" + " after" * 60
    pieces = snippet(stretches(text))
    assert ("here", True) in pieces
    assert pieces[0][0].startswith("…") and pieces[-1][0].endswith("…")
    assert sum(len(piece) for piece, _ in pieces) < 320


def test_a_short_text_is_its_own_snippet():
    assert snippet(stretches("a \x02red\x03 card")) == (("a ", False), ("red", True), (" card", False))


def test_a_spelling_of_today_ranks_the_printed_one_as_high(find):
    """The notes write colour, the leaflets color: whoever types either gets both."""
    assert len(anchors(find("colour"))) == len(anchors(find("color"))) > 5


def test_the_tokenizer_does_what_its_examples_say():
    examples = (tokenizer, stems, vocabulary, suggestions, documents)
    assert sum(doctest.testmod(module).failed for module in examples) == 0


def test_a_site_that_moves_to_another_database_finds_no_draft_there(shelf, tmp_path, monkeypatch):
    monkeypatch.setattr(postgres_migration, "call_command", lambda *words, **options: None)
    monkeypatch.setattr(postgres_migration, "copied_models", lambda: ())
    Book.objects.filter(slug="thumbs-up-1941").update(state=Book.DRAFT)
    postgres_migration.copy_from_sqlite(tmp_path / "snapshot.sqlite3")
    found = {hit.book for hit in search.index().find("color", limit=1_000).hits}
    assert found and "thumbs-up-1941" not in found

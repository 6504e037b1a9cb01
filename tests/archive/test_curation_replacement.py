"""Search and replace over a text: every place shown before, one revision, nothing but plain words touched."""

import pytest

from archive.curation import edits, page_list, replacement
from archive.curation.replacement import Replacement
from archive.models import Book, Leaf
from archive.models.history import Proposal, Revision
from archive.models.scans import Scan
from archive.publication.errors import EditError
from archive.publication.revisions import Signature
from tests.archive.curators import BOOK, signed_in, source
from tests.archive.scan_files import a_scan

PAGE = f"/books/{BOOK}/leaves/replace/"
TEXT = """=== leaf 1 ===

[heading] {#card} The card
{#cards} A card, {cord → card | card-note} and ⟨a card | card-lost⟩ of CARDS \\* 5.

=== leaf 2 ===

{#card-game} **Card** games at card¬
tables.
"""


def all_of(text, asked):
    return [place.key for place in replacement.preview(text, asked).places]


def test_plain_words_are_replaced_and_marks_stay():
    asked = Replacement("card", "leaf")
    found = replacement.preview(TEXT, asked)
    assert (found.count, found.inside_marks) == (5, 7)
    assert [(place.leaf, place.line) for place in found.places] == [(1, 1), (1, 2), (1, 2), (2, 1), (2, 1)]
    assert found.places[0].pieces == (("same", "The "), ("out", "card"), ("in", "leaf"))
    assert ("out", "CARD") in found.places[2].pieces and ("in", "leaf") in found.places[2].pieces
    assert replacement.replaced(TEXT, asked, all_of(TEXT, asked)) == TEXT.replace(
        "The card", "The leaf"
    ).replace("A card,", "A leaf,").replace("CARDS", "leafS").replace("**Card**", "**leaf**").replace(
        "at card", "at leaf"
    )


def test_capitals_whole_words_and_single_places_are_chosen():
    keys = all_of(TEXT, Replacement("card", "x", match_case=True, whole_words=True))
    assert len(keys) == 3
    one = replacement.replaced(TEXT, Replacement("card", "x"), keys[1:2])
    assert one == TEXT.replace("A card,", "A x,")


def test_what_is_put_in_is_words_and_never_a_mark():
    asked = Replacement("games", "{#new} **ga|mes** ⟨x | y⟩")
    written = replacement.replaced(TEXT, asked, all_of(TEXT, asked))
    assert r"\{#new\} \*\*ga\|mes\*\* \⟨x \| y\⟩" in written
    assert all_of(TEXT, Replacement("* 5", "x")) and not all_of(TEXT, Replacement(r"\*", "x"))


@pytest.mark.parametrize("find", ["(a+)+$", "[", ".*", "\\"])
def test_signs_are_looked_for_as_they_are(find):
    assert replacement.preview(TEXT, Replacement(find, "x")).count == 0


def test_a_line_that_would_be_empty_is_refused_with_a_sentence():
    text = TEXT.replace("tables.", "tables.\n\n{#end} Games")
    with pytest.raises(EditError, match="could not be read"):
        replacement.replaced(text, Replacement("Games", ""), all_of(text, Replacement("Games", "")))


@pytest.mark.parametrize(
    ("line", "put", "becomes"),
    [
        ("gone now", "+ then", r"\+ then now"),
        ("gone now", "[lead]", r"\[lead] now"),
        ("gone now", "=== leaf 2 ===", r"\=== leaf 2 === now"),
        ("[heading] gone", "+ then", r"[heading] \+ then"),
        (r"\+ is gone", "here", r"\+ is here"),
        ("gone now", "", "now"),
        ("gone", "", ""),
        ("+ gone", "", ""),
    ],
)
def test_no_words_become_a_mark_of_their_line_and_an_empty_line_goes(line, put, becomes):
    text = f"=== leaf 1 ===\n\n{{#first}} One\n{line}\ntwo.\n"
    asked = Replacement("gone", put)
    wanted = text.replace(f"{line}\n", f"{becomes}\n" if becomes else "")
    assert replacement.replaced(text, asked, all_of(text, asked)) == wanted


def test_nothing_chosen_too_much_or_nothing_looked_for_is_refused(curated, monkeypatch):
    client = signed_in(curated["curator"])
    for form, says in (
        ({"find": "", "put": "x"}, "Write what is to be found"),
        ({"find": "a" * 101, "put": "x"}, "too long"),
        ({"find": "deal", "put": "deal"}, "already says this"),
        ({"find": "deal", "put": "x"}, "Choose at least one place"),
        ({"find": "deal", "put": "x", "place": ["no", "1:1:1"]}, "Choose at least one place"),
    ):
        answer = client.post(PAGE, form)
        assert answer.status_code == 422 and says in answer.content.decode(), form
    monkeypatch.setattr(replacement, "MAX_PLACES", 3)
    page = client.get(PAGE, {"find": "e", "put": "x"}).content.decode()
    assert page.count('name="place"') == 3 and "The first 3 are shown" in page


def sent(client, **more):
    """What the page sends: all places that it shows."""
    form = {"find": "points", "put": "marks", "match_case": "1"}
    page = client.get(PAGE, form)
    keys = [place.key for place in page.context["preview"].places]
    assert page.content.decode().count('name="place"') == len(keys) > 1
    return form | {"place": keys, "parent": page.context["parent"], "reason": "One word."} | more


def text_now():
    return Book.objects.get(slug=BOOK).files["text.txt"]


def test_all_places_become_one_revision(curated):
    client = signed_in(curated["curator"])
    form = sent(client)
    answer = client.post(PAGE, form)
    assert answer["Location"] == f"{PAGE}?saved=2"
    assert text_now().count("marks") == source().count("marks") + len(form["place"])
    assert Revision.objects.get(book__slug=BOOK, number=2).reason == "One word."


def test_it_is_merged_with_what_others_did_and_shown_anew_where_both_changed_a_line(curated):
    client = signed_in(curated["curator"])
    form = sent(client)
    lines = source().split("\n")
    other = next(n for n, line in enumerate(lines) if line.endswith(".") and "points" not in line)
    lines[other] = lines[other][:-1] + ", always."
    edits.save(BOOK, {"text.txt": "\n".join(lines)}, 1, Signature("Another line.", curated["curator"]))
    assert client.post(PAGE, form).status_code == 302
    assert ", always." in text_now() and "marks" in text_now()
    edits.restore(BOOK, 1, Signature("Back.", curated["curator"]))
    form = sent(client)
    changed = text_now().replace("points", "scores", 1)
    edits.save(BOOK, {"text.txt": changed}, form["parent"], Signature("The same line.", curated["curator"]))
    answer = client.post(PAGE, form)
    assert answer.status_code == 412 and "choose again" in answer.content.decode()
    assert answer.context["parent"] == form["parent"] + 1 and "marks" not in text_now()


def test_a_contributor_proposes_it(curated):
    client = signed_in(curated["contributor"])
    assert client.post(PAGE, sent(client)).status_code == 302
    assert Proposal.objects.get().place == "“points” in the whole text" and text_now() == source()


def test_the_list_of_pages_says_how_far_each_and_all_are(curated):
    book, client = Book.objects.get(slug=BOOK), signed_in(curated["curator"])
    scan = a_scan(book, curated["curator"])
    leaf = Leaf.objects.get(book=book, number=2)
    scan.image = leaf.images.create(kind="scan", identifier="s", width=9, height=9, checksum="0" * 64)
    scan.missing = [{"line": 1, "text": "points"}, {"line": 2, "text": "deal"}]
    scan.save()
    client.post(f"/books/{BOOK}/3/mend/", {"state": "proofread", "line": [], "parent": 1})
    pages = page_list.pages_of(book, text_now(), {})
    assert [page.missing for page in pages[:3]] == [None, 2, None] and pages[1].picture
    told = page_list.progress_of(pages)
    assert (told.with_scan, told.missing, told.pages) == (1, 2, len(pages))
    page = client.get(f"/books/{BOOK}/leaves/").content.decode()
    assert "1 of" in page and "2 words not placed yet" in page and "No scan yet" in page
    Scan.objects.update(missing=[])
    assert "not placed yet" not in client.get(f"/books/{BOOK}/leaves/").content.decode()

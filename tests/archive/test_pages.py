"""Every kind of archive page: it works, it refuses, it stays small, and machines can read it."""

import gzip
import json
import re
import xml.etree.ElementTree as ElementTree

import pytest
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

import engine
from archive.images.boxes import Box
from archive.images.cards import card_box
from archive.models import Book, Leaf, Note, PageImage, Passage, PassageName, Variant
from archive.reader import book_page
from tests.html import holds

VICTORY = "victory-rummy-1942"
BOOKS = [VICTORY, "thumbs-up-1941", "rummy-1916", "rap-rummy-1926", "victor-or-victim"]
BONUS = f"/books/{VICTORY}/passages/score-bonus/"
pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("loaded")]


def kinds_of_page():
    yield from (f"/books/{slug}/" for slug in BOOKS)
    yield from (f"/books/{VICTORY}/?view=printed", f"/books/{VICTORY}/?q=consecutive", f"/books/{VICTORY}/5/")
    yield from (BONUS, f"{BONUS}?fragment", "/books/victor-or-victim/passages/victor-wins/")
    yield from ("/variants/", "/variants/strict-red-white-blue/", "/brief/")
    yield from ("/questions/rap-rummy/simulated/", "/questions/thumbs-up/chip_value/25/1/")
    for game in engine.GAMES:
        yield from (f"/brief/{game}/", f"/questions/{game}/", f"/variants/compare/{game}/")
    yield from ("/search/", "/search/?q=color", "/search/?q=xyzzyq", "/search/?q=red&book=thumbs-up-1941")


@pytest.mark.parametrize("address", list(kinds_of_page()))
def test_the_page_is_there_and_runs_and_styles_nothing_inline(client, address):
    response = client.get(address)
    assert response.status_code == 200
    html = response.content.decode()
    assert not re.search(r"<[^>]* style=", html)
    assert not re.search(r"<[^>]* on[a-z]+=", html)
    for script in re.findall(r"<script([^>]*)>", html):
        assert "src=" in script or "application/ld+json" in script
    ids = re.findall(r' id="([^"]+)"', html)
    assert len(ids) == len(set(ids))


@pytest.mark.parametrize("address", list(kinds_of_page()))
def test_every_link_within_a_page_leads_somewhere(client, address):
    html = client.get(address).content.decode()
    ids = set(re.findall(r' id="([^"]+)"', html))
    for target in re.findall(r'href="#([^"]+)"', html):
        assert target in ids, target


@pytest.mark.parametrize(
    "address",
    [
        "/books/no-such-book/",
        f"/books/{VICTORY}/0/",
        f"/books/{VICTORY}/7/",
        f"/books/{VICTORY}/passages/no-such-anchor/",
        f"/books/{VICTORY}/cite.docx",
        f"{BONUS}cite.docx",
        "/variants/no-such-variant/",
        "/variants/compare/whist/",
        "/questions/whist/",
        "/brief/whist/",
    ],
)
def test_what_is_not_there_is_not_found(client, address):
    assert client.get(address).status_code == 404


@pytest.mark.parametrize("address", [f"/books/{VICTORY}/", BONUS, "/search/", "/sitemap.xml"])
def test_nothing_can_be_posted_to_a_book(client, address):
    assert client.post(address).status_code == 405


@pytest.mark.parametrize("slug", BOOKS)
def test_a_book_page_takes_few_queries_and_is_small(client, slug, django_assert_max_num_queries):
    book_page._bodies.clear()
    with django_assert_max_num_queries(16):
        response = client.get(f"/books/{slug}/?q=player")
    with django_assert_max_num_queries(11):
        response = client.get(f"/books/{slug}/")
    assert len(gzip.compress(response.content)) < 60_000


def test_more_notes_do_not_take_more_queries(client, shelf, django_db_blocker):
    from django.db import connection

    book_page._bodies.clear()
    with CaptureQueriesContext(connection) as before:
        client.get(f"/books/{VICTORY}/")
    note = Note.objects.get(slug="bonus-order")
    for number in range(100, 160):
        Note.objects.create(
            book=note.book, passage=note.passage, number=number, slug=f"more-{number}", kind="gloss",
            title="More", body="more", html="<p>more</p>", signed="x", dated=timezone.localdate(),
            layer="reading", place=note.place,
        )  # fmt: skip
    book_page._bodies.clear()
    with CaptureQueriesContext(connection) as after:
        html = client.get(f"/books/{VICTORY}/").content.decode()
    assert html.count('class="note note--gloss') > 60
    assert len(after) == len(before)


def test_a_body_is_rendered_once_until_its_text_or_images_change(client, shelf, monkeypatch):
    book_page._bodies.clear()
    made = []
    render = book_page._render
    monkeypatch.setattr(book_page, "_render", lambda *args: made.append(args) or render(*args))
    client.get(f"/books/{VICTORY}/")
    client.get(f"/books/{VICTORY}/?view=printed")
    assert len(made) == 1
    add_image(Leaf.objects.get(book__slug=VICTORY, number=5))
    assert 'class="places"' in client.get(f"/books/{VICTORY}/").content.decode()
    assert len(made) == 2
    book_page._bodies.clear()


def add_image(leaf, kind="facsimile", **more):
    words = [
        {"text": "consecutive", "line": line.number, "row": row, "offset": 0, "passage": line.runs[0].passage,
         "x": 100, "y": 100 + 50 * row, "w": 400, "h": 40}
        for row, line in enumerate(leaf.text_lines)
    ]  # fmt: skip
    return PageImage.objects.create(
        leaf=leaf, kind=kind, identifier=f"{kind}-{leaf.pk}", width=1500, height=2400,
        checksum=f"{leaf.pk:064d}", words=words, **more,
    )  # fmt: skip


def test_the_page_image_has_its_size_and_says_what_it_is(client, shelf):
    image = add_image(Leaf.objects.get(book__slug=VICTORY, number=5))
    html = client.get(f"/books/{VICTORY}/5/").content.decode()
    assert holds(html, 'width="1500" height="2400"')
    assert "Typeset by Tallyroom from the transcription; not a scan." in html
    assert f'data-zoom="/iiif/image/3/{image.identifier}/info.json"' in html
    assert 'viewBox="0 0 1500 2400"' in html


def test_a_scan_shows_instead_of_the_facsimile_and_the_notes_stay(client, shelf):
    leaf = Leaf.objects.get(book__slug=VICTORY, number=5)
    add_image(leaf)
    add_image(leaf, "scan")
    html = client.get(f"/books/{VICTORY}/5/").content.decode()
    assert f"scan-{leaf.pk}" in html and f"facsimile-{leaf.pk}" not in html
    assert "Scan of the page." in html
    assert 'id="note-bonus-order"' in html


def test_a_hit_is_marked_in_the_text_and_on_the_page(client, shelf):
    add_image(Leaf.objects.get(book__slug=VICTORY, number=5))
    html = client.get(f"/books/{VICTORY}/?q=consecutive").content.decode()
    assert "<mark>consecutive</mark>" in html
    assert 'class="places__hit"' in html
    assert 'href="#score-bonus"' in html


@pytest.mark.parametrize("view", ["printed", "reading", "marked"])
def test_the_address_remembers_the_view(client, view):
    html = client.get(f"/books/{VICTORY}/?view={view}").content.decode()
    assert holds(html, f'class="text" data-view="{view}"')
    assert holds(html, f'data-view="{view}" aria-current="true"')


def test_an_unknown_view_shows_the_differences(client):
    html = client.get(f"/books/{VICTORY}/?view=xx").content.decode()
    assert holds(html, 'class="text" data-view="marked"')


def test_a_book_without_a_text_says_why_and_offers_none(client):
    html = client.get("/books/victor-or-victim/").content.decode()
    assert "Why there is no text here" in html and "in our own words" in html
    assert "manifest.json" not in html and "?layer=printed" not in html and "Our words (txt)" in html
    assert client.get("/books/victor-or-victim/1/").status_code == 404


def test_an_alias_leads_to_the_passage_for_good(client, shelf):
    passage = Passage.objects.named(VICTORY, "score-bonus").get()
    passage.aliases = ["the-bonus"]
    passage.save()
    PassageName.objects.create(book=passage.book, passage=passage, name="the-bonus")
    response = client.get(f"/books/{VICTORY}/passages/the-bonus/")
    assert (response.status_code, response["Location"]) == (301, BONUS)


def test_the_passage_page_shows_what_scores_by_it_and_how_to_cite_it(client):
    html = client.get(BONUS).content.decode()
    assert "RWB" in html and "Options about it" in html
    assert "/variants/strict-red-white-blue/" in html
    assert "Play it this way" in html and "/pads/new/?game=victory-rummy&amp;bonus_order=exact" in html
    assert f"http://testserver{BONUS}" in html


def test_the_fragment_for_pads_is_one_small_element(client):
    for response in (client.get(f"{BONUS}?fragment"), client.get(BONUS, headers={"HX-Request": "true"})):
        html = response.content.decode().strip()
        assert html.startswith("<figure") and html.endswith("</figure>")
        assert "in consecutive order" in html and "reading" in html
        assert f'href="/books/{VICTORY}/#score-bonus"' in html
        assert len(html) < 2000
        assert "HX-Request" in response["Vary"]


def test_an_editors_choice_never_looks_like_the_printed_rule(client):
    html = client.get("/questions/rap-rummy/").content.decode()
    assert "Our choice: not covered by the rulebook" in html
    html = client.get("/books/victor-or-victim/passages/victor-wins/?fragment").content.decode()
    assert "in our own words, not the printed rule" in html


@pytest.mark.parametrize("game", engine.GAMES)
def test_every_option_is_on_the_page_of_open_questions_with_a_way_to_play_it(client, game):
    html = client.get(f"/questions/{game}/").content.decode()
    for option in engine.GAMES[game].options:
        assert f'id="{option.key}"' in html
        assert f"{option.key}=" in html or f'name="{option.key}"' in html


def test_every_variant_can_be_played_and_compared(client):
    for variant in Variant.objects.all():
        html = client.get(variant.get_absolute_url()).content.decode()
        assert f"/pads/new/?game={variant.game}&amp;variant={variant.slug}" in html
        assert variant.title in client.get(reverse("compare", args=[variant.game])).content.decode()


def test_each_line_of_the_rules_in_brief_leads_to_its_sentence(client):
    for game in engine.GAMES:
        html = client.get(f"/brief/{game}/").content.decode()
        lines = re.findall(r"<li>.*?</li>", html.split('class="brief"')[1], re.S)
        assert 5 <= len(lines) <= 14
        assert all("/passages/" in line for line in lines)


def test_citations_download_in_their_formats(client):
    text = client.get(f"{BONUS}cite.txt").content.decode()
    assert "Victory Game Co., 1942" in text and f"http://testserver{BONUS} Revision: " in text
    bibtex = client.get(f"{BONUS}cite.bib").content.decode()
    assert bibtex.startswith("@booklet{victory-rummy-1942-score-bonus,") and "year = {1942}" in bibtex
    ris = client.get(f"{BONUS}cite.ris").content.decode()
    assert ris.startswith("TY  - PAMP\r\n") and ris.endswith("ER  - \r\n")
    csl = json.loads(client.get(f"{BONUS}cite.json").content)[0]
    assert csl["issued"] == {"date-parts": [[1942]]} and csl["URL"].endswith(BONUS)
    assert client.get(f"{BONUS}cite.bib")["Content-Disposition"].startswith("attachment")


def test_a_book_without_a_year_is_cited_without_one(client, shelf):
    Book.objects.filter(slug=VICTORY).update(year=None)
    csl = json.loads(client.get(f"/books/{VICTORY}/cite.json").content)[0]
    assert "issued" not in csl
    assert "n.d." in client.get(f"/books/{VICTORY}/cite.txt").content.decode()


def test_machines_read_who_made_it_and_when(client):
    html = client.get(f"/books/{VICTORY}/").content.decode()
    linked = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', html, re.S)[1])
    assert (linked["@type"], linked["datePublished"]) == ("CreativeWork", "1942")
    assert linked["publisher"]["name"] == "Victory Game Co." and "Leaflet" in linked["genre"]
    assert linked["archivedAt"] == f"http://testserver/books/{VICTORY}/revisions/1/"
    assert "citation_author" not in html and 'name="citation_publisher" content="Victory Game Co."' in html
    assert '<meta name="citation_title" content="Rules for playing the game of Victory Rummy">' in html
    assert '<meta name="citation_publication_date" content="1942">' in html
    quotation = client.get(BONUS).content.decode()
    linked = json.loads(re.search(r'<script type="application/ld\+json">(.*?)</script>', quotation, re.S)[1])
    assert linked["@type"] == "Quotation" and linked["isPartOf"]["@type"] == "CreativeWork"


def test_the_card_of_a_shared_passage_shows_its_clip(client, shelf):
    add_image(Leaf.objects.get(book__slug=VICTORY, number=5))
    assert f'og:image" content="http://testserver{BONUS}card.jpg"' in client.get(BONUS).content.decode()
    image = add_image(Leaf.objects.get(book__slug=VICTORY, number=5), "scan")
    html = client.get(BONUS).content.decode()
    card = re.search(r'<meta property="og:image" content="([^"]+)">', html)[1]
    assert card.startswith(f"http://testserver/iiif/image/3/{image.identifier}/")
    assert card.endswith("1200,630/0/default.jpg")
    assert '<meta property="og:image:width" content="1200">' in html
    assert '<meta property="og:image:height" content="630">' in html


@pytest.mark.parametrize(
    ("page", "clip"),
    [
        ((1540, 2400), Box(100, 2350, 1300, 40)),
        ((1540, 2400), Box(0, 0, 30, 30)),
        ((1540, 2400), Box(200, 100, 900, 2000)),
        ((800, 600), Box(10, 10, 700, 50)),
    ],
)
def test_the_clip_of_a_card_is_in_the_page_has_its_shape_and_shows_the_passage(page, clip):
    box = card_box(*page, clip)
    assert box.x >= 0 and box.y >= 0 and box.x + box.w <= page[0] and box.y + box.h <= page[1]
    assert abs(box.w / box.h - 1200 / 630) < 0.01
    assert box.x <= clip.x and box.y <= clip.y and clip.x + clip.w <= box.x + box.w
    assert clip.y + clip.h <= box.y + box.h or box.y == clip.y


def test_the_plain_text_has_the_layer_that_was_asked_for(client):
    reading = client.get(f"/books/{VICTORY}/text.txt").content.decode()
    printed = client.get(f"/books/{VICTORY}/text.txt?layer=printed").content.decode()
    assert "three dots, a dash" in reading and "⟨previously scored.⟩" in reading
    assert "a cash" in printed and "⟨" not in printed


def test_variants_name_their_readings_and_show_no_keys(client):
    for address in ("/variants/compare/victory-rummy/", "/variants/strict-red-white-blue/"):
        html = client.get(address).content.decode()
        assert "Exactly three</b>" in html
        assert not re.search(r"<b[^>]*>[a-z]+(-[a-z]+)+</b>", html)


def test_a_layer_that_is_none_gets_a_sentence_that_names_them(client):
    answer = client.get(f"/books/{VICTORY}/text.txt?layer=xx")
    assert answer.status_code == 404
    assert "reading" in answer.content.decode() and "printed" in answer.content.decode()


def test_a_text_in_our_own_words_says_so(client):
    head = client.get("/books/victor-or-victim/text.txt").content.decode().split("\n\n")[0]
    assert "Facts in our own words" in head and "Reading text" not in head
    assert "Reading text" in client.get(f"/books/{VICTORY}/text.txt").content.decode().split("\n\n")[0]


def test_the_book_as_json_has_both_layers_of_every_passage(client):
    response = client.get(f"/books/{VICTORY}/book.json")
    book = json.loads(response.content)
    assert response["Access-Control-Allow-Origin"] == "*"
    assert len(book["passages"]) == Passage.objects.filter(book__slug=VICTORY).count()
    bonus = next(passage for passage in book["passages"] if passage["anchor"] == "score-bonus")
    assert bonus["reading"].startswith("However, if a player scores")
    assert response["Cache-Control"] == "public, max-age=300"
    known = {"If-None-Match": response["ETag"]}
    assert client.get(f"/books/{VICTORY}/book.json", headers=known).status_code == 304
    Book.objects.filter(slug=VICTORY).update(blurb="Mended.")
    assert client.get(f"/books/{VICTORY}/book.json", headers=known).status_code == 200


def test_the_sitemap_lists_pages_that_are_there(client):
    tree = ElementTree.fromstring(client.get("/sitemap.xml").content)
    addresses = [loc.text.removeprefix("http://testserver") for loc in tree.iter() if loc.tag.endswith("loc")]
    assert len(addresses) == len(set(addresses)) > 200
    for address in addresses[:: len(addresses) // 25]:
        assert client.get(address).status_code == 200, address


def test_the_sitemap_of_a_large_archive_is_a_list_of_parts(client, monkeypatch):
    monkeypatch.setattr("archive.views.sitemaps.BOOKS_PER_PART", 2)
    tree = ElementTree.fromstring(client.get("/sitemap.xml").content)
    parts = [loc.text.removeprefix("http://testserver") for loc in tree.iter() if loc.tag.endswith("loc")]
    assert parts == ["/sitemap-1.xml", "/sitemap-2.xml", "/sitemap-3.xml"]
    whole = [client.get(part).content.decode() for part in parts]
    assert sum(part.count("<loc>") for part in whole) > 200
    assert client.get("/sitemap-4.xml").status_code == 404


def test_robots_are_kept_out_of_pads(client):
    lines = client.get("/robots.txt").content.decode().splitlines()
    assert "Disallow: /pads/" in lines
    assert "Sitemap: http://testserver/sitemap.xml" in lines


def test_search_hits_lead_to_the_passage_marked(client):
    html = client.get("/search/", {"q": '"consecutive order"'}).content.decode()
    assert f'href="/books/{VICTORY}/?q=%22consecutive+order%22#score-bonus"' in html
    assert "<mark>consecutive order</mark>" in html


def test_a_search_that_finds_nothing_says_what_to_try(client):
    html = client.get("/search/?q=xyzzyq").content.decode()
    assert "No results for “xyzzyq”" in html and "Try fewer" in html


def test_a_query_is_shown_as_text_not_as_markup(client):
    for address in ("/search/", f"/books/{VICTORY}/", f"/books/{VICTORY}/5/"):
        html = client.get(address, {"q": '"><script>alert(1)</script>'}).content.decode()
        assert "<script>alert" not in html


@pytest.mark.parametrize(
    "address",
    [
        "/sitemap-99999999999999999999999999.xml",
        f"/books/victory-rummy-1942/revisions/?old={'9' * 5000}&new=1",
    ],
)
def test_a_number_too_large_for_anything_is_no_accident(client, address):
    assert client.get(address).status_code in (200, 404)

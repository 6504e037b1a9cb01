"""A curator's day in Chromium: from a drawer to the table. A crooked photograph becomes a book that is read,
mended, annotated and played, and every state it was ever in still answers."""

import re
import subprocess
import sys
import threading

import pytest
from PIL import Image, ImageChops, ImageDraw, ImageFont
from playwright.sync_api import expect

from tests.archive.hostile import saved
from tests.archive.test_iiif_source import Library, certificate, manifest_3, put
from tests.browser.conftest import PHONE
from tests.browser.pads import key, opened, shows_totals
from tests.browser.site import ROOT, Site, furnish, surroundings

__all__ = ["certificate"]

PASSWORD = "four plain words here"
SLUG = "club-rummy-1934"
BOOK = f"/books/{SLUG}"
LEFT = ("CLUB RUMMY", "", "Rules of the", "Thursday Club", "", "1934")
RIGHT = ("Each victory counts ten points.", "A capture counts fifty points.", "Three hundred wins the game.")
MENDED = ("Each VICTORY counts ten points.", "A CAPTURE counts fifty points.")


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own: this day changes its books."""
    var = tmp_path_factory.mktemp("day") / "var"
    furnish(var)
    site = Site(var).start()
    yield site
    site.stop()


@pytest.fixture
def photograph(tmp_path):
    """Two pages side by side on a dark table, taken by hand and not straight."""
    face = ROOT / "node_modules/@fontsource/libre-caslon-text/files"
    font = ImageFont.truetype(str(next(face.glob("*latin-400-normal.woff2"))), 46)
    spread = Image.new("RGB", (1800, 1200), "#f1ead8")
    draw = ImageDraw.Draw(spread)
    draw.line((900, 0, 900, 1200), "#b9ae95", 6)
    for x, lines in ((150, LEFT), (985, RIGHT)):
        for row, line in enumerate(lines):
            draw.text((x, 240 + 120 * row), line, "#221c14", font)
    table = Image.new("RGB", (2100, 1500), "#3a322b")
    table.paste(spread, (150, 150))
    path = tmp_path / "IMG_0042.jpg"
    table.rotate(-2.2, Image.Resampling.BICUBIC, fillcolor="#3a322b").save(path, quality=90)
    return path


def first_keeper(site):
    run = subprocess.run(
        [sys.executable, "manage.py", "invite", "--site", site.url],
        cwd=ROOT, env=surroundings(site.var), capture_output=True, text=True, check=True,
    )  # fmt: skip
    return run.stdout.strip()


def comes_in(page, link, name):
    page.goto(link)
    page.get_by_label("Your name").fill(name)
    page.get_by_label("A password").fill(PASSWORD)
    page.get_by_role("button", name="Join").click()
    page.wait_for_url("**/people/me/")
    return page


def invites(keeper, guest, role):
    keeper.goto("/people/")
    keeper.get_by_label("For", exact=True).fill(guest)
    keeper.locator(f"form [name=role][value={role}]").first.check()
    keeper.get_by_role("button", name="Make a link").click()
    return keeper.get_by_label("The link").input_value()


def publishes(page, reason, button="Publish"):
    page.get_by_label("Why this change").fill(reason)
    page.get_by_role("button", name=button, exact=True).click()


def line(page, number):
    return page.locator(f"textarea[name=line][data-line='{number}']")


def asked(page, address):
    """The answer to this person. A connection that the site has closed is opened again, as browsers do."""
    return page.request.get(address, max_retries=1)


def fits(page):
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_curators_day(site, device, photograph, axe):
    # The first keeper comes from the machine itself, and lets the others in.
    keeper = comes_in(device(), first_keeper(site), "Kim")
    curator = comes_in(device(), invites(keeper, "Ada", "curator"), "Ada")
    contributor = comes_in(device(phone=True), invites(keeper, "Ben", "contributor"), "Ben")

    # A leaflet that is not on the shelf.
    curator.goto("/curation/books/new/")
    curator.get_by_label("What is its full title?").fill("Club Rummy")
    curator.get_by_label("How many pages does it have?").fill("2")
    curator.get_by_label("In which year?").fill("1934")
    curator.get_by_label("in two or three sentences").fill("How one club played, in a leaflet from a drawer.")
    curator.get_by_label("Victory Rummy").check()
    assert axe(curator) == []
    curator.get_by_role("button", name="Begin the draft").click()
    curator.wait_for_url(f"**{BOOK}/leaves/order/?saved=1")
    assert axe(curator) == []
    reader = device(phone=True)
    assert reader.goto(f"{BOOK}/").status == 404
    curator.goto("/curation/")
    curator.get_by_role("button", name="Publish Club Rummy").click()
    expect(curator.get_by_text("Everybody can read it")).to_be_visible()
    assert axe(curator) == []
    reader.goto(f"{BOOK}/")
    expect(reader.get_by_text("this page has not been transcribed").first).to_be_visible()
    assert axe(reader) == [] and fits(reader)

    # The photograph: sent, divided at the fold, each half straightened, cut and put on its leaf.
    curator.goto(f"{BOOK}/scans/")
    curator.locator("#files").set_input_files(photograph)
    curator.get_by_role("link", name="Open IMG_0042.jpg").click()
    curator.get_by_role("button", name="Split into two pages").click()
    expect(curator.get_by_text("Two pages now")).to_be_visible()
    for leaf, other in (("1", "right half"), ("2", "")):
        angle = float(curator.get_by_label("Straightened by, in degrees clockwise").input_value())
        assert abs(angle + 2.2) < 0.8, angle
        curator.get_by_label("Page of the rulebook").select_option(leaf)
        publishes(curator, "Photographed at the club.")
        expect(curator.get_by_text("Published. The rulebook shows it now.")).to_be_visible()
        if other:
            curator.get_by_role("link", name=f"The {other}").click()
    read_it = curator.get_by_role("button", name="Read it with Tesseract")

    # A first text: read by machine where that is installed, else written by hand.
    if read_it.count():
        read_it.click()
        curator.wait_for_url("**/2/mend/?proposal=*")
    else:
        curator.goto(f"{BOOK}/2/mend/")
        written = ["{#scores} Each victory counts tea points.", *RIGHT[1:]]
        curator.locator("#line-new").fill("\n".join(written))
    publishes(curator, "A first text.")
    expect(curator.get_by_text("Published as")).to_be_visible()

    # Two lines mended beside the page.
    marks = {}
    for number in (1, 2):
        was = line(curator, number).input_value()
        marks[number] = "".join(re.findall(r"\[[a-z-]+\] |\{#[^}]*\} ", was))
        line(curator, number).fill(marks[number] + MENDED[number - 1])
    publishes(curator, "In capitals, as in the photograph.")
    expect(curator.get_by_text("Published as")).to_be_visible()
    passage = re.search(r"\{#([a-z0-9-]+)", marks[1])[1]
    kept = {}

    def remember():
        """What the newest revision says, to be asked again at the end of the day."""
        log = asked(curator, f"{BOOK}/revisions/").text()
        newest = max(int(n) for n in re.findall(rf'{BOOK}/revisions/(\d+)/"', log))
        kept[newest] = asked(curator, f"{BOOK}/revisions/{newest}/text.txt").text()

    remember()

    # A note that holds to its words.
    curator.goto(f"{BOOK}/notes/new/?anchor={passage}")
    curator.get_by_label("Title", exact=True).first.fill("Ten")
    curator.get_by_label("Kind").select_option("gloss")
    curator.get_by_label("Words it is about").fill("ten points")
    curator.get_by_label("The note (Markdown)").fill("As the leaflet of 1942 has it.")
    publishes(curator, "Asked at the table.")
    curator.wait_for_url("**/notes/?saved=*")
    remember()

    # Somebody else proposes a mend; it is amended where it was made, and accepted under its author's name.
    contributor.goto(f"{BOOK}/2/mend/")
    line(contributor, 2).fill(line(contributor, 2).input_value().replace("fifty", "50"))
    publishes(contributor, "In figures?", "Propose")
    expect(contributor.get_by_text("It waits for a curator")).to_be_visible()
    curator.goto("/curation/")
    waiting = curator.get_by_role("region", name="Waiting for you")
    waiting.get_by_role("link", name="Club Rummy: Page 2").click()
    curator.get_by_role("link", name="Amend and accept").click()
    line(curator, 2).fill(line(curator, 2).input_value().replace("50", "FIFTY"))
    publishes(curator, "In letters, as printed.")
    expect(curator.get_by_text("Published as")).to_be_visible()
    remember()
    assert "counts FIFTY points" in kept[max(kept)] and "counts fifty points" in kept[max(kept) - 2]

    # Catalogue and contents, now that there is a text.
    curator.goto(f"{BOOK}/catalogue/")
    curator.get_by_label("Who made it?").fill("The Thursday Club")
    curator.get_by_label("Title of a further section, 1").fill("Scores")
    curator.get_by_label("Passage that begins further section 1").fill(passage)
    assert axe(curator) == []
    publishes(curator, "From the cover.")
    expect(curator.get_by_text("Published as")).to_be_visible()
    remember()

    # How the club plays, published; and a pad is started with it at once.
    curator.goto(f"{BOOK}/variants/new/")
    curator.get_by_label("Name", exact=True).fill("Thursday evenings")
    curator.locator("#option-target").fill("300")
    curator.get_by_label("Reasons (Markdown)").fill("The last tram leaves at eleven.")
    curator.get_by_label("Passages it is based on").fill(passage)
    publishes(curator, "From the club.")
    curator.wait_for_url("**/variants/?saved=*")
    remember()
    reader.goto("/variants/thursday-evenings/")
    reader.get_by_role("link", name="Play this").click()
    for seat, name in enumerate(("Cora", "Dan"), start=1):
        reader.fill(f"#name-{seat}", name)
    reader.click(".starting__go")
    opened(reader)
    key(reader, "Cora: red victory, 10")
    key(reader, "Dan: capture, 50")
    shows_totals(reader, 10, 50)

    # At night: the book is read with its scan, and every state of the day is where it was.
    reader.goto(f"{BOOK}/")
    expect(reader.get_by_text("Scan of the page.").first).to_be_visible()
    expect(reader.get_by_text("A CAPTURE counts FIFTY points.").first).to_be_visible()
    assert axe(reader) == [] and fits(reader)
    assert len(kept) == 5
    for number, text in kept.items():
        assert asked(reader, f"{BOOK}/revisions/{number}/text.txt").text() == text
        assert asked(reader, f"{BOOK}/revisions/{number}/").ok


PAGES = 12
FACE = next((ROOT / "node_modules/@fontsource/libre-caslon-text/files").glob("*latin-400-normal.woff2"))
BESIDE_A_LAMP = 50
"""Of 255: so dark is the side of the table that the lamp does not reach."""


@pytest.fixture(scope="module")
def columns():
    """Twelve pages in two columns, each with sentences of its own from the rulebooks here."""
    texts = sorted((ROOT / "fixtures/books").glob("*/text.txt"))
    words = " ".join(
        re.sub(r"===.*===|\[.*?\]|[{(⟨].*?[})⟩]", " ", text.read_text()) for text in texts
    ).split()
    words = [word for word in words if word.isascii() and word.strip(".,").isalpha()]
    assert len(words) > PAGES * 210
    return [set_in_columns(words[210 * number : 210 * (number + 1)]) for number in range(PAGES)]


def set_in_columns(words):
    page = Image.new("L", (1240, 1754), 245)
    pen, font = ImageDraw.Draw(page), ImageFont.truetype(str(FACE), 34)
    words = list(words)
    for x in (130, 660):
        for row in range(26):
            line = words.pop(0) if words else ""
            while words and pen.textlength(f"{line} {words[0]}", font) < 440:
                line += f" {words.pop(0)}"
            pen.text((x, 170 + 56 * row), line, 25, font)
    return page


@pytest.fixture
def document(tmp_path, columns):
    """Those pages as a scanner sends them: one PDF."""
    path = tmp_path / "Column Rummy.pdf"
    columns[0].save(path, save_all=True, append_images=columns[1:], resolution=150)
    return path


@pytest.fixture
def half_in_the_dark(tmp_path, columns):
    """The first page on a dark table, with a lamp at one side: its edge cannot be told from the table's."""
    table = Image.new("L", (1540, 2054), 60)
    table.paste(columns[0], (150, 150))
    light = Image.linear_gradient("L").rotate(90).resize(table.size)
    light = light.point(lambda grey: BESIDE_A_LAMP + (255 - BESIDE_A_LAMP) * grey // 255)
    path = tmp_path / "half in the dark.jpg"
    ImageChops.multiply(table, light).convert("RGB").save(path, quality=90)
    return path


def goes_on_after_a_restart(site, page, button, done):
    """Press a button that begins a job; the site is stopped and started while it is at work."""
    page.get_by_role("button", name=button).click()
    page.wait_for_url("**/jobs/*/")
    address = page.url
    expect(page.get_by_role("heading", level=1)).not_to_contain_text(": 0 of", timeout=120_000)
    site.stop()
    site.start()
    page.goto(address)
    expect(page.get_by_text("It goes on in the background")).to_be_visible()
    expect(page.get_by_text(f"Finished. {done} done.")).to_be_visible(timeout=600_000)


@pytest.mark.thorough
def test_a_pdf_in_columns_becomes_a_published_rulebook_and_is_withdrawn(
    site, device, document, half_in_the_dark, axe
):
    curator = comes_in(device(), first_keeper(site), "Cleo")
    book, reader = "/books/column-rummy", device(phone=True)
    curator.goto("/curation/books/new/")
    curator.get_by_label("What is its full title?").fill("Column Rummy")
    curator.get_by_label("How many pages does it have?").fill(str(PAGES))
    curator.get_by_label("in two or three sentences").fill("From a PDF in two columns.")
    curator.get_by_role("button", name="Begin the draft").click()
    curator.wait_for_url(f"**{book}/leaves/order/?saved=1")

    # A photograph whose page cannot be told from the table: no frame is proposed, and why.
    curator.goto(f"{book}/scans/")
    curator.locator("#files").set_input_files(half_in_the_dark)
    curator.get_by_role("link", name="Open half in the dark.jpg").click()
    expect(curator.get_by_text("the whole picture is proposed. Draw the edges yourself.")).to_be_visible()
    edges = [float(curator.get_by_label(side, exact=True).input_value()) for side in ("Left", "Right")]
    assert edges == [0, 100]
    assert axe(curator) == []
    removal = curator.locator("button[name=act][value=remove]")
    curator.locator("details", has=removal).locator("summary").click()
    removal.click()
    curator.wait_for_url(f"**{book}/scans/")

    # The document: its pages come in the background, also while the site is stopped and started again.
    curator.locator("#files").set_input_files(document)
    curator.get_by_role("link", name="Open Column Rummy.pdf").wait_for()
    site.stop()
    site.start()
    curator.get_by_role("link", name="Open Column Rummy.pdf").click()
    expect(curator.get_by_text(f"Finished. {PAGES - 1} done.")).to_be_visible(timeout=300_000)
    assert axe(curator) == []
    curator.get_by_role("link", name="Scans of").click()
    expect(curator.locator(".scanrow")).to_have_count(PAGES)

    # All pages at once, still seen by nobody.
    curator.get_by_label("All scans of this rulebook").check()
    curator.get_by_label("The first one chosen is page").fill("1")
    curator.get_by_label("Why this change").fill("From the PDF.")
    curator.get_by_role("button", name="Publish all chosen").click()
    expect(curator.get_by_text(f"Finished. {PAGES} done.")).to_be_visible(timeout=600_000)
    curator.goto(f"{book}/leaves/")
    expect(curator.get_by_text(f"{PAGES} of {PAGES} pages have a scan")).to_be_visible()
    assert axe(curator) == [] and reader.goto(f"{book}/").status == 404

    # All are read, a restart in between; each reading waits, and the first one is published column by column.
    curator.goto(f"{book}/scans/")
    curator.get_by_label("All scans of this rulebook").check()
    goes_on_after_a_restart(site, curator, "Read all chosen", PAGES)
    curator.goto(f"{book}/leaves/")
    expect(curator.get_by_text("A first text waits for this page")).to_have_count(PAGES)
    curator.get_by_role("link", name=re.compile(r"open it\s*, page 1$")).click()
    read = "\n".join(box.input_value() for box in curator.locator("textarea[name=line]").all())
    assert len(read.split()) > 190
    publishes(curator, "Read by Tesseract.")
    expect(curator.get_by_text("Published as")).to_be_visible()

    # The next page is not that text: it is noticed before it is shown, and nothing is changed.
    curator.goto(f"{book}/scans/")
    first, second = (
        curator.locator(".scanrow__words > a").nth(place).get_attribute("href") for place in (0, 1)
    )
    # They are looked for as soon as the text has been typeset.
    curator.goto(first)
    for _ in range(90):
        if curator.get_by_text("their place on this scan").count():
            break
        curator.wait_for_timeout(2_000)
        curator.reload()
    expect(curator.get_by_text("their place on this scan")).to_be_visible()
    curator.goto(second)
    curator.get_by_label("Page of the rulebook").select_option("1")
    publishes(curator, "A slip of the hand.", "Publish anew")
    expect(curator.get_by_text("hardly fits this picture")).to_be_visible(timeout=60_000)
    assert axe(curator) == []
    curator.goto(f"{book}/leaves/")
    expect(curator.get_by_text(f"{PAGES} of {PAGES} pages have a scan")).to_be_visible()

    # A change over all of it with a preview, and everybody can read it.
    word = max(set(re.findall(r"\b[a-z]{5,}\b", read)), key=read.count)
    curator.goto(f"{book}/leaves/replace/?find={word}&put={word.upper()}")
    expect(curator.get_by_role("checkbox", checked=True).first).to_be_visible()
    assert axe(curator) == []
    publishes(curator, "In capitals.", "Replace and publish")
    expect(curator.get_by_text("Published as")).to_be_visible()
    curator.goto("/curation/")
    curator.get_by_role("button", name="Publish Column Rummy").click()
    expect(curator.get_by_text("Everybody can read it")).to_be_visible()
    assert reader.goto(f"{book}/").status == 200 and fits(reader)
    expect(reader.get_by_text(word.upper()).first).to_be_visible()

    # And taken back: the reason stays at its address.
    curator.get_by_text("Withdraw it…").click()
    publishes(curator, "The owner asked for it.", "Withdraw it")
    expect(curator.get_by_text("Withdrawn").first).to_be_visible()
    assert reader.goto(f"{book}/").status == 410
    expect(reader.get_by_text("The owner asked for it.")).to_be_visible()


PUBLIC_HERE = """import ipaddress

ipaddress.IPv4Address.is_global = ipaddress.IPv6Address.is_global = True
"""
"""Read by every Python that the site starts: addresses of this machine are the open network to it."""


@pytest.fixture
def institution(certificate, columns):
    """A library of ours with two pages, at https://localhost."""
    library = Library(certificate)
    threading.Thread(target=library.serve_forever, daemon=True).start()
    put(library, "/manifest.json", manifest_3(library, count=2))
    for number in (1, 2):
        size = {"width": 1240, "height": 1754}
        service = {"id": f"{library.root}/image/{number}", "type": "ImageService3", "profile": "level2"}
        put(library, f"/image/{number}/info.json", service | size)
        for wanted in ("max", "full"):
            put(library, f"/image/{number}/full/{wanted}/0/default.jpg", saved(columns[number], "JPEG"))
    yield library
    library.ended.set()
    library.shutdown()
    library.server_close()


@pytest.mark.thorough
def test_pages_of_another_institution_come_with_their_rights(
    tmp_path, chromium, certificate, institution, axe
):
    (tmp_path / "sitecustomize.py").write_text(PUBLIC_HERE)
    furnish(tmp_path / "var")
    trusted = {"PYTHONPATH": str(tmp_path), "SSL_CERT_FILE": str(certificate / "cert.pem")}
    site = Site(tmp_path / "var", IIIF_HOSTS=institution.host, **trusted).start()
    try:
        page = chromium.new_context(base_url=site.url, **PHONE).new_page()
        curator = comes_in(page, first_keeper(site), "Iris")
        curator.goto("/books/victory-rummy-1942/scans/")
        curator.get_by_role("link", name="Import pages from another institution").click()
        curator.get_by_label("Address of a IIIF manifest").fill("https://elsewhere.example/manifest.json")
        curator.get_by_role("button", name="Look at it").click()
        expect(curator.get_by_text("not among the institutions")).to_be_visible()
        curator.get_by_label("Address of a IIIF manifest").fill(f"{institution.root}/manifest.json")
        curator.get_by_role("button", name="Look at it").click()
        expect(curator.get_by_text("The Library of Ys").first).to_be_visible()
        assert axe(curator) == [] and fits(curator)
        curator.get_by_role("button", name="Import them").click()
        expect(curator.get_by_text("Finished. 2 done.")).to_be_visible(timeout=120_000)
        assert axe(curator) == [] and fits(curator)
        curator.locator("main .rowlist a").first.click()
        expect(curator.get_by_label("Who holds the copy?")).to_have_value("Library of Ys")
        assert "Library of Ys" in curator.get_by_label("Who made the image?").input_value()
    finally:
        site.stop()


@pytest.mark.thorough
def test_on_a_phone_at_night_every_page_of_the_catalogue_fits_and_is_accessible(site, device, axe):
    page = comes_in(device(phone=True, color_scheme="dark"), first_keeper(site), "Nora")
    old = "/books/rap-rummy-1926"
    for address in ("/curation/books/new/", f"{old}/catalogue/", f"{old}/leaves/order/", f"{old}/brief/"):
        page.goto(address)
        assert axe(page) == [], address
        assert fits(page), address
    # Rows move under the finger, and the key that moved one keeps the focus.
    first = page.locator("[data-row] textarea").first.input_value()
    page.get_by_role("button", name="Line 1 down").tap()
    assert page.locator("[data-row] textarea").nth(1).input_value() == first
    assert page.evaluate("document.activeElement.dataset.move") == "down"
    # A wrong turn loses nothing: the rows are offered again as they were left.
    page.goto("/")
    page.goto(f"{old}/brief/")
    page.get_by_role("button", name="Restore it").tap()
    assert page.locator("[data-row] textarea").nth(1).input_value() == first

"""A curator's path in Chromium, from the invitation to a published variant; and what bad moments leave."""

import json
import re
import subprocess
import sys
import time

import pytest
from playwright.sync_api import expect

from tests.browser.pads import key, shows_totals
from tests.browser.site import ROOT, Site, furnish, surroundings

BOOK = "/books/victory-rummy-1942"
PASSWORD = "four plain words here"
SENTENCE = "A CAPTURE counts 50 points."


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    """A site of its own: these tests change its books."""
    var = tmp_path_factory.mktemp("curation") / "var"
    furnish(var)
    site = Site(var).start()
    yield site
    site.stop()


def invitation(site, role):
    command = [sys.executable, "manage.py", "invite", "--role", role, "--site", site.url]
    run = subprocess.run(
        command, cwd=ROOT, env=surroundings(site.var), capture_output=True, text=True, check=True
    )
    return run.stdout.strip()


@pytest.fixture(scope="module")
def signed_in(site):
    """The cookies of those who have joined, by role."""
    return {}


@pytest.fixture
def join(site, device, signed_in):
    """join(role) gives a page of the person with this role; join(role, new=True) that of one more person.

    The first of a role accepts an invitation; later tests go on with his session."""
    count = iter(range(1_000))

    def come(role="curator", new=False, **options):
        if role in signed_in and not new:
            page = device(storage_state={"cookies": signed_in[role]}, **options)
            page.goto("/people/me/")
            return page
        page = device(**options)
        page.goto(invitation(site, role))
        page.get_by_label("Your name").fill(f"{role.title()} {time.time_ns() % 10**9} {next(count)}")
        page.get_by_label("A password").fill(PASSWORD)
        page.get_by_role("button", name="Join").click()
        page.wait_for_url("**/people/me/")
        signed_in.setdefault(role, page.context.cookies())
        return page

    return come


def line_with(page, words):
    return next(line for line in page.locator("textarea[name=line]").all() if words in line.input_value())


def test_a_curators_path(join, axe):
    page = join("keeper")
    assert axe(page) == []
    # An invitation for somebody else, shown once.
    page.get_by_role("link", name="People and invitations").click()
    page.get_by_label("For", exact=True).fill("Ada")
    page.get_by_role("button", name="Make a link").click()
    assert "/people/invitation/" in page.get_by_label("The link").input_value()
    assert axe(page) == []

    # Mending, by keys alone: the line is lit on the page, Ctrl+S publishes.
    page.goto(f"{BOOK}/5/mend/")
    line = line_with(page, SENTENCE)
    line.focus()
    number = line.get_attribute("data-line")
    assert "is-lit" in page.locator(f".mend__lit [data-line='{number}']").get_attribute("class")
    page.keyboard.press("Enter")
    assert page.evaluate("document.activeElement.dataset.line") == str(int(number) + 1)
    page.keyboard.press("ArrowUp")
    assert page.evaluate("document.activeElement.dataset.line") == number
    line.fill(line.input_value().replace("50 points", "fifty points"))
    page.locator("#layers td", has_text="fifty points").first.wait_for()
    assert axe(page) == []
    page.get_by_label("Why this change").fill("In words.")
    page.keyboard.press("Control+s")
    page.wait_for_url("**/mend/?saved=2")
    assert "fifty points" in page.goto(f"{BOOK}/text.txt").text()

    # The difference, and back again.
    page.goto(f"{BOOK}/revisions/1-2/")
    assert page.locator("del").inner_text() == "50" and axe(page) == []
    page.goto(f"{BOOK}/revisions/1/")
    page.get_by_role("link", name="Restore it").click()
    assert axe(page) == []
    page.get_by_role("button", name="Publish revision 1 again").click()
    page.wait_for_url("**/revisions/3/")
    assert axe(page) == []

    # A note by selecting words.
    page.goto(f"{BOOK}/notes/new/?anchor=score-capture")
    page.evaluate("""() => {
        const text = document.querySelector("[data-layer=reading]").firstChild;
        getSelection().setBaseAndExtent(text, text.data.indexOf("50"), text, text.data.indexOf("50") + 9);
    }""")
    expect(page.locator("#quote")).to_have_value("50 points")
    page.get_by_label("Title", exact=True).first.fill("Fifty")
    page.get_by_label("Kind").select_option("gloss")
    page.get_by_label("The note (Markdown)").fill("A *large* number.")
    page.locator("#markdown em", has_text="large").wait_for()
    page.get_by_label("Why this change").fill("Asked at the table.")
    assert axe(page) == []
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/notes/?saved=4**")

    # A club's variant, tried on the examples, published, and a pad can be started with it.
    page.goto(f"{BOOK}/variants/new/")
    page.get_by_label("Name", exact=True).fill("Thursday club")
    page.locator("#option-target").fill("300")
    page.get_by_label("Reasons (Markdown)").fill("The evening is short.")
    page.get_by_label("Passages it is based on").fill("win-500")
    page.get_by_role("button", name="Try these options").click()
    expect(page.get_by_text("examples would score differently")).to_be_visible()
    assert axe(page) == []
    page.get_by_label("Why this change").fill("From the club.")
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/variants/?saved=5**")
    page.goto("/variants/thursday-club/")
    page.get_by_role("link", name="Play this").click()
    expect(page.get_by_text("Thursday club")).to_be_visible()


def test_a_contributor_proposes_and_a_curator_accepts(join, axe):
    contributor = join("contributor")
    contributor.goto(f"{BOOK}/4/mend/")
    line = contributor.locator("textarea[name=line]").nth(1)
    line.fill(line.input_value() + " indeed")
    contributor.get_by_label("Why this change").fill("It says so.")
    contributor.get_by_role("button", name="Propose").click()
    contributor.get_by_role("link", name="It waits for a curator").click()
    assert axe(contributor) == []
    curator = join("curator")
    curator.goto("/curation/")
    curator.get_by_role("link", name="Victory Rummy: Page 4").click()
    expect(curator.locator("ins", has_text="indeed")).to_be_visible()
    assert axe(curator) == []
    curator.get_by_role("button", name="Accept and publish").click()
    curator.wait_for_url(re.compile(r"/revisions/\d+/$"))
    assert curator.get_by_text("Accepted by Curator").first.is_visible()


@pytest.mark.thorough
def test_what_was_not_saved_is_still_there_after_the_browser_went_away(join):
    page = join()
    page.goto(f"{BOOK}/3/mend/")
    line = page.locator("textarea[name=line]").first
    before = line.input_value()
    line.fill(f"{before} unfinished")
    page.goto("/")
    page.goto(f"{BOOK}/3/mend/")
    assert line.input_value() == before
    page.get_by_role("button", name="Restore it").click()
    assert line.input_value() == f"{before} unfinished"
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Say briefly why")).to_be_visible()
    assert line.input_value() == f"{before} unfinished"


def test_two_editors_of_one_line_are_shown_all_three_texts(join, axe):
    one, two = join(), join(phone=True, new=True)
    for page in (one, two):
        page.goto(f"{BOOK}/6/mend/")
    for page, word in ((one, "first"), (two, "second")):
        line = page.locator("textarea[name=line]").nth(1)
        line.fill(f"{line.input_value()} {word}")
        page.get_by_label("Why this change").fill(f"The {word}.")
    # Both have the page of before; the first is answered before the second sends his.
    one.get_by_role("button", name="Publish").click()
    one.get_by_text("Published as").wait_for()
    two.get_by_role("button", name="Publish").click()
    two.get_by_text("changed the same place").wait_for()
    clash = two.locator(".clash").inner_text()
    assert "first" in clash and "second" in clash and axe(two) == []
    assert two.locator("textarea[name=line]").nth(1).input_value().endswith("second")
    two.get_by_role("button", name="Publish").click()
    two.get_by_text("Published as").wait_for()


def test_mending_works_without_java_script(join):
    page = join(java_script_enabled=False)
    page.goto(f"{BOOK}/2/mend/")
    line = page.locator("textarea[name=line]").first
    line.fill(f"{line.input_value()} plainly")
    page.get_by_label("Why this change").fill("Without scripts.")
    page.get_by_role("button", name="Publish").click()
    expect(page.get_by_text("Published as")).to_be_visible()
    assert "plainly" in page.locator("textarea[name=line]").first.input_value()


def test_on_a_phone_marks_are_put_by_thumb_and_what_is_wanting_has_the_focus(join, axe):
    page = join(phone=True)
    page.goto(f"{BOOK}/3/mend/")
    tools = page.locator("[data-tools]")
    tools.wait_for()
    line = page.locator("textarea[name=line]").nth(1)
    was = line.input_value()
    word = re.search(r"\b[a-z]{4,}\b", was[re.match(r"(\[.*?\] )?(\{#.*?\} )?", was).end() :])[0]
    line.tap()
    line.evaluate("(line, at) => line.setSelectionRange(at, at)", was.rindex(word) + 1)
    assert tools.bounding_box()["y"] + tools.bounding_box()["height"] <= page.viewport_size["height"] + 1
    tools.get_by_role("button", name="Correct").tap()
    # The word at the cursor, ready to be written over, under a name that no note has yet.
    assert f"{{{word} → {word} | {word}}}" in line.input_value()
    page.keyboard.type("mended")
    assert f"{{{word} → mended | {word}}}" in line.input_value()
    page.get_by_role("button", name="Publish").tap()
    page.get_by_text("Say why in one line").wait_for()
    assert page.evaluate("document.activeElement.id") == f"title-{word}" and axe(page) == []
    second = page.locator("textarea[name=line]").nth(1)
    second.tap()
    tools.get_by_role("button", name="Doubtful").tap()
    assert "{?" in second.input_value()
    line.tap()
    tools.get_by_role("button", name="Next doubt").tap()
    chosen = second.evaluate("it => it.value.slice(it.selectionStart, it.selectionEnd)")
    assert chosen.startswith("{?")
    # What is to be said of a word is a note.
    with page.context.expect_page() as opened:
        page.locator("textarea[name=line]").nth(1).tap()
        tools.get_by_role("button", name="Note").tap()
    assert opened.value.get_by_label("How sure").input_value() == "low"


def pinched(page, middle, apart):
    """Two fingers on this point, spread from 40 pixels to `apart`."""
    hand = page.context.new_cdp_session(page)
    for kind, wide in (("touchStart", 40), ("touchMove", 60), ("touchMove", apart), ("touchEnd", 0)):
        fingers = [{"x": middle["x"] + side * wide / 2, "y": middle["y"]} for side in (-1, 1)] if wide else []
        hand.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": fingers})


def sharp(page, within):
    """True when every tile of the page has come, none with fewer dots than the screen shows of it."""
    return page.wait_for_function(
        """within => {
            const tiles = [...document.querySelectorAll(`${within} .page-tiles img`)];
            const whole = tile => tile.complete && tile.naturalWidth > 0;
            const full = Number(document.querySelector(`${within} [data-stage] img`).getAttribute("width"));
            const dots = document.querySelector(`${within} [data-stage]`).clientWidth * devicePixelRatio;
            const wanted = 2 ** Math.max(0, Math.floor(Math.log2(full / dots)));
            return tiles.length && tiles.every(tile => whole(tile) && tile.src.includes("/iiif/image/3/"))
                && tiles.some(tile => tile.naturalWidth * wanted === Math.min(full, 512 * wanted));
        }""",
        arg=within,
    )


def test_on_a_phone_the_page_is_zoomed_and_the_row_at_the_cursor_enlarged(join, axe):
    page = join(phone=True)
    page.goto(f"{BOOK}/5/mend/")
    line = line_with(page, "However, if a player scores")
    number = line.get_attribute("data-line")
    words = json.loads(page.locator(f".mend__lit [data-line='{number}']").get_attribute("data-words"))
    places = {text: box for text, *box in words}
    full = int(page.locator(".mend__sheet > img").get_attribute("width"))
    line.tap()
    text, shown = line.input_value(), page.locator("[data-magnifier] rect")
    for word in ("player", "bonus"):
        line.evaluate("(line, at) => line.setSelectionRange(at, at)", text.index(f"{word} ") + 1)
        x, _, _, h = places[word]
        expect(shown).to_have_attribute("x", str(x))
        seen, strip = shown.bounding_box(), page.locator("[data-magnifier]").bounding_box()
        assert strip["x"] <= seen["x"] and seen["x"] + seen["width"] <= strip["x"] + strip["width"], word
        assert strip["y"] <= seen["y"] and seen["y"] + seen["height"] <= strip["y"] + strip["height"], word
        # Much larger than the same row on the page above the lines, with all the dots that there are.
        stage = page.locator(".mend__sheet").bounding_box()
        assert seen["height"] > 2 * h * stage["width"] / full
        sharp(page, "[data-magnifier]")
    assert strip["y"] + strip["height"] <= line.bounding_box()["y"] and axe(page) == []

    # A word that is written over: the place stays with the words beside it.
    at = text.index("bonus ")
    line.evaluate("(line, at) => line.setRangeText('BONUS', at, at + 5)", at)
    line.evaluate("(line, at) => line.setSelectionRange(at, at)", at)
    expect(shown).to_have_attribute("x", str(places["a"][0]))

    # The page: by keys, by two fingers, by buttons; arrow keys and fingers move it.
    view, sheet = page.locator(".mend__view"), page.locator(".mend__sheet")
    wide = sheet.bounding_box()["width"]
    view.focus()
    for _ in range(3):
        page.keyboard.press("+")
    assert sheet.bounding_box()["width"] > 3 * wide
    sharp(page, ".mend__page")
    before = view.evaluate("it => it.scrollLeft")
    page.keyboard.press("ArrowRight")
    page.wait_for_function("before => document.querySelector('.mend__view').scrollLeft > before", arg=before)
    page.keyboard.press("0")
    assert sheet.bounding_box()["height"] <= view.bounding_box()["height"] + 1
    page.get_by_role("button", name="Zoom in").tap()
    small, box = sheet.bounding_box()["width"], view.bounding_box()
    pinched(page, {"x": box["x"] + box["width"] / 2, "y": box["y"] + 60}, 180)
    assert sheet.bounding_box()["width"] > 2 * small
    assert axe(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.thorough
def test_on_a_phone_every_page_fits_and_is_accessible(join, axe):
    page = join("keeper", phone=True, color_scheme="dark")
    for address in (
        "/people/me/",
        "/people/",
        "/curation/",
        f"{BOOK}/leaves/",
        f"{BOOK}/5/mend/",
        f"{BOOK}/notes/",
        f"{BOOK}/notes/new/?anchor=score-capture",
        f"{BOOK}/variants/new/",
        f"{BOOK}/revisions/",
    ):
        page.goto(address)
        assert axe(page) == [], address
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), address


def sides(page):
    return [float(page.input_value(f"#{side}")) for side in ("left", "top", "width", "height")]


def test_a_note_by_a_rectangle_is_drawn_kept_published_and_lit(join, axe):
    page = join()
    form = f"{BOOK}/notes/new/?anchor=score-capture"
    page.goto(form)
    stage = page.locator("[data-stage]")
    page.wait_for_load_state("networkidle")
    stage.scroll_into_view_if_needed()
    box = stage.bounding_box()
    across, down = box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.2
    page.mouse.move(across, down)
    page.mouse.down()
    page.mouse.move(across + box["width"] * 0.5, down + box["height"] * 0.1, steps=3)
    page.mouse.up()
    assert [round(side) for side in sides(page)] == [10, 20, 50, 10]
    # Enlarged it is the same; and so is one that is drawn there.
    wide = stage.bounding_box()["width"]
    stage.focus()
    page.keyboard.press("+")
    assert stage.bounding_box()["width"] > 1.4 * wide
    assert [round(side) for side in sides(page)] == [10, 20, 50, 10]
    sharp(page, "[data-page-frame]")
    seen, box = page.locator("[data-view]").bounding_box(), stage.bounding_box()
    corner = seen["x"] + 100, seen["y"] + 100
    page.mouse.move(*corner)
    page.mouse.down()
    page.mouse.move(corner[0] + 200, corner[1] + 100, steps=3)
    page.mouse.up()
    wanted = [corner[0] - box["x"], corner[1] - box["y"], 200, 100]
    whole = [box["width"], box["height"]] * 2
    assert sides(page) == pytest.approx([100 * a / b for a, b in zip(wanted, whole, strict=True)], abs=0.2)
    # The same by keys: to the right, taller, and up by a tenth.
    left, top, width, height = sides(page)
    stage.focus()
    for keys in ("ArrowRight", "Shift+ArrowDown", "Alt+ArrowUp"):
        page.keyboard.press(keys)
    moved = [round(side, 2) for side in (left + 1, top - 0.1, width, height + 1)]
    assert sides(page) == moved and axe(page) == []

    # Half written, it waits on this device; published, it waits no more.
    page.get_by_label("Title", exact=True).first.fill("The upper part")
    page.goto("/")
    page.goto(form)
    page.get_by_role("button", name="Restore it").click()
    assert sides(page) == moved and page.locator("[data-stage] rect").get_attribute("x") == f"{moved[0]:g}"
    page.get_by_label("Kind").select_option("gloss")
    page.get_by_label("The note (Markdown)").fill("Seen on the page.")
    page.get_by_label("Why this change").fill("Seen.")
    page.get_by_role("button", name="Publish").click()
    page.wait_for_url("**/notes/?saved=**")
    page.goto(form)
    expect(page.locator("[data-offer]")).to_be_hidden()

    # Readers: the note lights its place, and the place leads to the note.
    page.goto(f"{BOOK}/5/")
    place = page.locator(".places__note[data-n=the-upper-part]")
    page.locator(".note", has_text="The upper part").locator("summary").hover()
    expect(place.locator("path")).to_have_class("is-lit")
    place.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#note-the-upper-part .clip img")).to_be_visible()
    assert page.url.endswith("#note-the-upper-part") and axe(page) == []


def test_a_variant_half_written_is_offered_again(join):
    page = join()
    page.goto(f"{BOOK}/variants/new/")
    page.get_by_label("Name", exact=True).fill("Half a variant")
    page.locator("#option-target").fill("250")
    page.goto("/")
    page.goto(f"{BOOK}/variants/new/")
    page.get_by_role("button", name="Restore it").click()
    assert page.get_by_label("Name", exact=True).input_value() == "Half a variant"
    assert page.locator("#option-target").input_value() == "250"
    page.reload()
    page.get_by_role("button", name="Discard it").click()
    page.reload()
    expect(page.locator("[data-offer]")).to_be_hidden()


def test_pairs_of_parallel_texts_are_corrected_by_keys_alone_on_a_small_phone(join, axe):
    page = join(phone=True, viewport={"width": 360, "height": 740})
    page.goto("/parallel/rummy-1916/rap-rummy-1926/")
    assert axe(page) == []
    page.get_by_role("link", name="Correct the pairs").press("Enter")
    page.wait_for_url("**/books/rummy-1916/parallel/rap-rummy-1926/")
    assert axe(page) == [] and page.evaluate("document.documentElement.scrollWidth") == 360
    old, new = (page.locator(f"[name={side}][value^='rows.1.']") for side in ("here", "there"))
    old.press("Space")
    new.press("Space")
    page.get_by_label("What a pair says").select_option("kept")
    page.get_by_role("button", name="One pair").press("Enter")
    # The page comes back where one was, with the decision before it is published.
    expect(page.locator("[name=here]:focus")).to_have_attribute("value", re.compile(r"rows\.1\."))
    row = page.locator("tr", has=old)
    expect(row.locator("td").last).to_have_text(re.compile("kept"))
    expect(page.locator("[name=pairs]")).to_have_value(re.compile("The played cards are laid down"))
    assert axe(page) == []
    page.get_by_role("link", name="Publish").press("Enter")
    page.get_by_label("Why this change").fill("The same rule in other words.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    page.wait_for_url("**/rap-rummy-1926/?saved=2")
    assert page.goto("/parallel/rummy-1916/rap-rummy-1926/#rows-1").ok
    expect(page.locator("#rows-1 td").last).to_have_text(re.compile(r"kept\s+Curator"))


def test_decisions_about_pairs_not_yet_published_are_offered_again(join):
    page = join()
    address = "/books/rummy-1916/parallel/rap-rummy-1926/"
    page.goto(address)
    undecided = page.locator("tr:not(.parallel__decided) input[name=here]").first
    words = undecided.locator("xpath=..").inner_text()
    undecided.check()
    page.get_by_role("button", name="No counterpart").click()
    decided = page.locator("tr.parallel__decided", has_text=words)
    expect(decided).to_be_visible()
    page.goto("/")
    page.goto(address)
    expect(page.locator("tr", has_text=words).first).to_be_visible()
    expect(decided).to_have_count(0)
    page.get_by_role("button", name="Restore it").click()
    expect(decided).to_be_visible()
    page.get_by_label("Why this change").fill("A false friend.")
    page.get_by_role("button", name="Publish", exact=True).click()
    page.wait_for_url("**?saved=*")
    page.goto(address)
    expect(decided).to_be_visible()
    expect(page.locator("[data-offer]")).to_be_hidden()


def declares(page, sentence, way, **answers):
    """Choose a sentence beside the game, say what it says, and answer the small form."""
    page.goto(f"{BOOK}/game/")
    page.locator(".declare__sentences a", has_text=sentence).click()
    page.get_by_role("link", name=way).click()
    for name, words in answers.items():
        page.locator(f"#id_{name}").fill(words)
    page.get_by_role("button", name="Add it").click()


def test_a_game_is_declared_on_a_phone_without_script_and_tried_at_a_table(join, axe):
    plain = join("curator", java_script_enabled=False)
    scores = "It scores points when something happens"
    declares(plain, SENTENCE, scores, question="A CAPTURE is laid", player="captor", always="50")
    plain.get_by_text("The captor gets 50.").wait_for()
    page = join("curator", phone=True)
    # No entry ends a hand, so this end would never be reached: its form says so, and keeps what was written.
    declares(page, "Game is won by player", "It says how the game ends", reaches="100")
    page.get_by_text("No entry ends a hand, so this end is never reached").wait_for()
    assert axe(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_label("When a total is looked at").select_option("once")
    page.get_by_label("When a total reaches").press("Enter")
    page.locator("#end").get_by_text("The highest total wins").wait_for()
    assert axe(page) == [] and page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    page.get_by_role("link", name="Try it on a trial pad").click()
    page.get_by_role("button", name="Start").click()
    with page.expect_popup() as opened:
        page.get_by_role("link", name="Open the trial pad").click()
    pad = opened.value
    for total in (50, 100):
        key(pad, "Bert")
        shows_totals(pad, 0, total)
    for number in (1, 2, 3):
        page.goto(f"{BOOK}/game/trial/")
        assert axe(page) == [] and page.get_by_text("The game is over; Bert won.").is_visible()
        page.get_by_label("What does this log show?").fill(f"Two captures win, {number}")
        page.get_by_role("button", name="keep this log").click()
    page.get_by_label("Why this change").fill("Its own small game.")
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("link", name="Start a pad").click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Victory Rummy")


def test_a_game_written_as_text_is_kept_on_the_device_until_it_is_a_draft(join):
    page = join("curator")
    page.goto(f"{BOOK}/game/text/")
    offer = page.get_by_text("This device has unsaved work of yours here")
    expect(offer).to_be_hidden()
    page.locator("#declaration").fill("# not finished yet")
    page.reload()
    expect(offer).to_be_visible()
    page.get_by_role("button", name="Restore it").click()
    expect(page.locator("#declaration")).to_have_value("# not finished yet")
    page.get_by_role("button", name="Keep it as my draft").click()
    page.wait_for_url(re.compile(rf"{BOOK}/game/(\?|$)"))
    page.goto(f"{BOOK}/game/text/")
    expect(page.locator("#declaration")).to_have_value("# not finished yet\n")
    expect(offer).to_be_hidden()
    # What did not arrive stays on the device, whichever page with an older draft is looked at next.
    page.locator("#declaration").fill("# lost on the way")
    page.route("**/game/text/", lambda route: route.fulfill(status=502, body="Bad gateway"), times=1)
    page.get_by_role("button", name="Keep it as my draft").click()
    page.get_by_text("Bad gateway").wait_for()
    page.goto(f"{BOOK}/game/")
    expect(page.get_by_text("Your draft, last changed on")).to_be_visible()
    page.goto(f"{BOOK}/game/text/")
    page.get_by_role("button", name="Restore it").click()
    expect(page.locator("#declaration")).to_have_value("# lost on the way")
    page.goto(f"{BOOK}/game/?sure=discard")
    page.get_by_role("button", name="Yes, discard it").click()

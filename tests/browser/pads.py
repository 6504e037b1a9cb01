"""People at a table, for browser tests: they start pads, join them and tap keys."""

from playwright.sync_api import expect

FOUR = ("Ann", "Bert", "Cora", "Dan")


def start(page, game, names=FOUR, **options):
    """Start a pad with the form, as anyone would."""
    page.goto(f"/pads/new/?game={game}&" + "&".join(f"{key}={value}" for key, value in options.items()))
    for seat, name in enumerate(names, start=1):
        page.fill(f"#name-{seat}", name)
    page.click(".starting__go")
    return opened(page)


def opened(page):
    """The pad with its script at work: a tap before that is a form sent, and another matter."""
    page.wait_for_selector("#pad")
    page.wait_for_load_state()
    return page


def link(page, role="play"):
    """The link of this role, from the table's page; the pad is open again afterwards."""
    page.goto(pad(page) + "table/")
    address = page.get_attribute(f"#link-{role}", "value")
    page.goto(pad(page))
    return address


def pad(page):
    """The address of the pad this page belongs to."""
    return "/".join(page.url.split("/")[:5]) + "/"


def join(page, other, role="play"):
    page.goto(link(other, role))
    return opened(page)


def key(page, label):
    """Tap a key by what it says to a screen reader. Every call is one tap."""
    found = page.locator("#pad").get_by_role("button", name=label, exact=True)
    # A key that is refused now can still be tapped, and says why; the driver would wait for ever.
    found.tap(force=found.get_attribute("aria-disabled") == "true")


def asks(page, words):
    expect(page.locator("#keys h2, #sheet h2").filter(has_text=words).first).to_be_visible()


def shows_totals(page, *totals):
    """Everyone's total, in seat order, as the seat bar shows it."""
    expect(page.locator(".seat__total, .count output, .stack output")).to_have_text(
        [str(total) for total in totals]
    )


def undo(page):
    page.locator("#last button", has_text="Undo").tap()

import contextlib
import shutil

import pytest
from playwright.sync_api import expect, sync_playwright

from tests.browser import kits
from tests.browser.pace import PACE, slow_down
from tests.browser.site import ROOT, Site, furnish, made_databases
from tests.postgres.private_server import drop_database

# Chromium without the windows that nobody sees here, where Debian has it: a fifth less work.
CHROMIUM = shutil.which("chromium-headless-shell") or shutil.which("chromium") or "/usr/bin/chromium"
PHONE = {
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
    "device_scale_factor": 2,
}
# Each phone is a window of its own. The popup of its address bar, a page that no test sees, costs as much
# as the pad. The others are what Playwright switches off: of two such lists Chromium hears the last alone.
NOT_NEEDED = (
    "WebUIOmniboxPopup", "WebUIOmniboxFullPopup", "WebUIOmniboxAimPopup",
    "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose", "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding",
    "ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "OptimizationHints",
    "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch",
)  # fmt: skip
# A busy machine may be slow, and a slowed phone slower; what never comes fails all the same.
expect.set_options(timeout=60_000 if PACE else 15_000)
COLOURS = ("color-contrast", "link-in-text-block")
"""The rules of axe that look at colours."""
DESK = {"viewport": {"width": 1280, "height": 900}}


@pytest.fixture(scope="session", autouse=True)
def databases():
    """Those that sites had on PostgreSQL go with the last test."""
    yield
    while made_databases:
        drop_database(made_databases.pop())


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    """The site as `make run` serves it, with the real books; one for all browser tests."""
    var = tmp_path_factory.mktemp("site") / "var"
    furnish(var)
    site = Site(var).start()
    yield site
    site.stop()


@pytest.fixture(scope="session")
def kit_site(tmp_path_factory):
    """A site that offers what phones need without network. Its tests stop it and start it."""
    var = tmp_path_factory.mktemp("kit") / "var"
    furnish(var)
    # One machine stands for all the phones that play there.
    many = dict.fromkeys(kits.LIMITS_OF_ONE_ADDRESS, "1000000")
    site = Site(var, PHONE_KIT="1", **many).start()
    kits.wait_for_kit(site)
    yield site
    site.stop()


@pytest.fixture(scope="session")
def chromium():
    with sync_playwright() as playwright:
        # Without a graphics card one that is only imitated costs a fifth of the time.
        arguments = ["--no-sandbox", "--disable-gpu", f"--disable-features={','.join(NOT_NEEDED)}"]
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=arguments)
        yield browser
        browser.close()


@pytest.fixture
def device(chromium, site):
    """Make one more device: device(), device(phone=True), device(java_script_enabled=False); gives its page.

    Whatever a page asks for elsewhere, and every error it throws, fails the test at the end.
    """
    troubles = []
    with contextlib.ExitStack() as opened:

        def make(phone=False, **options):
            context = chromium.new_context(base_url=site.url, **{**(PHONE if phone else DESK), **options})
            opened.callback(context.close)
            context.on("request", lambda request: note_outside(request, site, troubles))
            context.on("weberror", lambda error: troubles.append(f"error: {error.error}"))
            context.on("console", lambda message: note_refused(message, troubles))
            context.on("page", slow_down)
            return context.new_page()

        yield make
    assert troubles == []


@pytest.fixture
def kit_phone(chromium, kit_site):
    """A phone at that site, which has taken nothing along yet."""
    troubles = []
    context = chromium.new_context(base_url=kit_site.url, **PHONE)
    context.set_default_timeout(kits.PATIENCE)
    context.on("weberror", lambda error: troubles.append(str(error.error)))
    context.on("console", lambda message: note_refused(message, troubles))
    yield context.new_page()
    context.close()
    assert troubles == []


@pytest.fixture
def page(device):
    return device()


@pytest.fixture
def phone(device):
    return device(phone=True)


def note_outside(request, site, troubles):
    if not request.url.startswith((site.url, "data:", "blob:", "about:")):
        troubles.append(f"asked outside: {request.url}")


def note_refused(message, troubles):
    if "Content Security Policy" in message.text:
        troubles.append(message.text)


@pytest.fixture(scope="session")
def axe():
    """axe(page) lists what axe-core finds wrong with the page as it stands, one line each.

    axe(page, COLOURS) asks for the colours alone: all that another theme can change.
    """
    source = (ROOT / "node_modules/axe-core/axe.min.js").read_text()

    def run(page, rules=None):
        page.wait_for_load_state()
        # Evaluated through the debugger: the page's own policy rightly lets no script in from outside.
        if not page.evaluate("'axe' in window"):
            page.evaluate(source)
        options = {"resultTypes": ["violations"], **({"runOnly": list(rules)} if rules else {})}
        found = page.evaluate("options => axe.run(options)", options)
        return [
            f"{fault['id']}: {fault['help']}: {node['target']} {node.get('failureSummary', '')}"
            for fault in found["violations"]
            for node in fault["nodes"]
        ]

    return run

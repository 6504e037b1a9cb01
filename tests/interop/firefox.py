"""Firefox without network: it takes along what pads need, and plays a game with the site stopped."""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from tests.browser import kits
from tests.browser.site import Site, furnish
from tests.interop.tools import NODE, NPM, Failed, debian, install_npm

HERE = Path(__file__).parent
TOTALS = ["60", "10", "0"]
"""A red VICTORY and a CAPTURE of the first seat, a white VICTORY of the second."""


def check_firefox(_: str) -> str:
    install_npm()
    firefox = debian("firefox-esr", "firefox-esr")
    shutil.copy(HERE / "firefox.mjs", NPM / "firefox.mjs")
    with tempfile.TemporaryDirectory(prefix="tallyroom-firefox-") as folder:
        furnish(Path(folder) / "var")
        site = Site(Path(folder) / "var", PHONE_KIT="1").start()
        try:
            kits.wait_for_kit(site)
            return _play(firefox, site)
        finally:
            site.stop()


def _play(firefox: str, site: Site) -> str:
    command = [NODE, "firefox.mjs", firefox, site.url]
    with subprocess.Popen(
        command, cwd=NPM, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as playing:
        assert playing.stdout is not None
        if playing.stdout.readline().strip() != "stop":
            raise Failed(f"Firefox did not take it along: {playing.communicate()[1][-2000:]}")
        site.stop()
        told, faults = playing.communicate("gone\n")
    if playing.returncode:
        raise Failed(f"Firefox did not play: {faults[-2000:]}")
    found = json.loads(told)
    if found["totals"] != TOTALS:
        raise Failed(f"Firefox shows {found['totals']}, and it should be {TOTALS}")
    return f"{found['browser']} takes it along, plays with the site stopped, and has it after a reload"

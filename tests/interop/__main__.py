"""`make check-doors`: outside judges look at the running product; with ONLY=tei, one of them.

Each judge lives in an environment of its own under var/doors. What is missing is installed; what cannot be
installed fails, and nothing is skipped.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Callable

from tests.interop.documents import check_manifests, check_tei
from tests.interop.firefox import check_firefox
from tests.interop.offprints import check_offprints
from tests.interop.pages import check_access, check_html
from tests.interop.tools import ROOT, Failed, product
from tests.interop.viewers import check as check_viewers


def check_images(_: str) -> str:
    """The image validator brings its own picture, so it starts a product of its own."""
    judged = subprocess.run(
        [sys.executable, "-m", "tests.interop.image_api"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    if judged.returncode:
        raise Failed(judged.stdout + judged.stderr)
    return judged.stdout.strip().splitlines()[-1]


CHECKS: dict[str, Callable[[str], str]] = {
    "manifests": check_manifests,
    "tei": check_tei,
    "offprints": check_offprints,
    "images": check_images,
    "html": check_html,
    "access": check_access,
    "viewers": check_viewers,
    "firefox": check_firefox,
}


def main() -> int:
    wanted = os.environ.get("ONLY", "")
    checks = {name: check for name, check in CHECKS.items() if wanted in name}
    if not checks:
        print(f"There is no check named like {wanted!r}; there are {', '.join(CHECKS)}.", file=sys.stderr)
        return 2
    failed = []
    with product() as site:
        for name, check in checks.items():
            started = time.monotonic()
            try:
                said = check(site.url)
            except (Failed, subprocess.CalledProcessError, OSError) as fault:
                failed.append(name)
                said = f"FAILED\n{fault}"
            print(f"{name} ({time.monotonic() - started:.0f} s): {said}", flush=True)
    if failed:
        print(f"\nNot passed: {', '.join(failed)}", file=sys.stderr)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
NOTHING = {
    **{name: {} for name in ("static", "games", "variants", "briefs", "passages")},
    "version": "",
    "declared": [],
    "typefaces": {},
}


@pytest.fixture(scope="session")
def on_phone():
    """on_phone("play", …) does it in a process with the phone's settings; gives what came of it."""

    def run(do, content=NOTHING, **asked):
        environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "phone.settings"}
        done = subprocess.run(
            [sys.executable, "-m", "tests.phone.on_phone"],
            input=json.dumps({"do": do, "content": content, **asked}),
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=environment,
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return json.loads(done.stdout)

    return run

"""The site with the static files of a version that a test makes up, under the names that pages know."""

import os
import subprocess
import sys
from pathlib import Path

from config.settings import *  # noqa: F403
from tests.scorepad.live_server import ROOT

STATICFILES_DIRS = [Path(os.environ.get("STATIC_OF_VERSION", ROOT / "static"))]


def take_static_files(process, folder, words):
    """What a new version does while the processes of the one before serve. Every script and sheet has these
    words in it, so all their names are new."""
    from django.contrib.staticfiles import finders

    for finder in finders.get_finders():
        for path, storage in finder.list([]):
            file = folder / (getattr(storage, "prefix", None) or "") / path
            file.parent.mkdir(parents=True, exist_ok=True)
            # No comment: those are not served.
            file.write_text(
                (f'"{words}";\n' if path.endswith("js") else f'p {{ content: "{words}"; }}\n') * 40
            )
    own = {"DJANGO_SETTINGS_MODULE": __name__, "STATIC_OF_VERSION": str(folder)}
    script = "import config.serve; from config.server import prepare; prepare.collect_static()"
    command = [sys.executable, "-c", script]
    subprocess.run(command, cwd=ROOT, env={**process.environment, **own}, check=True)

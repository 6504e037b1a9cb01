"""Templates, sheets and scripts that a person can read."""

from pathlib import Path

from django.conf import settings

MAX_LENGTH = 140
ROOT = Path(settings.BASE_DIR)
FOLDERS = ("templates", "static/css", "static/js")


def test_no_line_of_a_page_is_longer_than_a_screen():
    files = [path for folder in FOLDERS for path in (ROOT / folder).rglob("*.*")]
    long = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in files
        for number, line in enumerate(path.read_text().splitlines(), start=1)
        if len(line) > MAX_LENGTH
    ]
    assert files and not long

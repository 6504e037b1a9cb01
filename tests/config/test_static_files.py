"""One stylesheet for each kind of page: what it rests on is written into it when files are collected."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.core.files.storage import FileSystemStorage

from config.static_files import Stylesheets, as_served

STATIC = Path(settings.BASE_DIR) / "static"
CSS = STATIC / "css"


@pytest.mark.parametrize(
    "name", ["base", "archive", "home", "curation", "pad-victory-rummy", "pad-thumbs-up"]
)
def test_a_collected_sheet_has_each_sheet_it_rests_on_once_and_names_none(name):
    whole = Stylesheets(FileSystemStorage(settings.BASE_DIR / "static")).with_imports(f"css/{name}.css")
    assert "@import" not in whole
    assert whole.count("/* Tallyroom tokens:") == whole.count("/* Tallyroom base:") == 1
    assert whole.index("/* Tallyroom tokens:") < whole.index("/* Tallyroom base:")
    assert whole.endswith((CSS / f"{name}.css").read_text().partition(";\n")[2])


@pytest.mark.parametrize("path", sorted(CSS.glob("*.css")), ids=lambda path: path.name)
def test_a_sheet_names_what_it_rests_on_before_anything_else(path):
    # A browser that follows the names itself reads only those that come first.
    lines = path.read_text().splitlines()
    assert all(
        line.startswith("@import") is (number == 0) for number, line in enumerate(lines) if "@import" in line
    )


@pytest.mark.django_db
@pytest.mark.parametrize("address", ["/", "/about/", "/search/", "/variants/", "/people/sign-in/"])
def test_the_head_of_a_page_waits_for_one_sheet_and_for_no_script(client, address):
    head = client.get(address).content.decode().partition("</head>")[0]
    assert head.count('rel="stylesheet"') == 1
    assert all(
        'type="module" fetchpriority="low"' in tag for tag in re.findall(r"<script[^>]*src[^>]*>", head)
    )


def test_comments_are_not_served_and_all_else_is():
    storage = FileSystemStorage(STATIC)
    sheet = as_served("css/pad.css", storage).open("css/pad.css").read().decode()
    whole = Stylesheets(storage).with_imports("css/pad.css")
    assert "/*" in whole
    assert "/*" not in sheet and "*/" not in sheet
    assert sheet.count("{") == whole.count("{") and sheet.count(";") >= whole.count(";\n")
    script = as_served("js/pad/live.js", storage).open("js/pad/live.js").read().decode()
    lines = (STATIC / "js/pad/live.js").read_text().splitlines()
    assert script.splitlines() == [line for line in lines if not line.lstrip().startswith("//")]


@pytest.mark.parametrize("path", sorted(STATIC.glob("js/**/*.js")), ids=lambda path: path.name)
def test_no_text_of_a_script_runs_over_lines_where_it_could_be_taken_for_a_comment(path):
    assert all(line.count("`") % 2 == 0 for line in path.read_text().splitlines())

"""Our documents before their judges: manifests before @iiif/parser, TEI before jing and tei_all."""

from __future__ import annotations

import json
import shutil
import subprocess
import tempfile
import urllib.request
from pathlib import Path
from typing import Any

from tests.interop.tools import NODE, NPM, Failed, debian, install_npm, tei_schema

HERE = Path(__file__).parent


def fetch(address: str) -> bytes:
    with urllib.request.urlopen(address, timeout=60) as answer:
        content: bytes = answer.read()
        return content


def read(address: str) -> Any:
    return json.loads(fetch(address))


def check_manifests(site: str) -> str:
    install_npm()
    collection = read(f"{site}/iiif/3/collection.json")
    manifests = [read(item["id"]) for item in collection["items"]]
    if not manifests:
        raise Failed("the collection lists no manifest")
    shutil.copy(HERE / "presentation.mjs", NPM / "presentation.mjs")
    judged = subprocess.run(
        [NODE, "presentation.mjs"],
        cwd=NPM,
        input=json.dumps([collection, *manifests]),
        capture_output=True,
        text=True,
        check=False,
    )
    if judged.returncode:
        raise Failed(f"@iiif/parser could not read them: {judged.stderr[-2000:]}")
    if faults := json.loads(judged.stdout):
        raise Failed(*faults)
    pages = [page["id"] for manifest in manifests for page in pages_named(manifest)]
    for page in pages:
        document = read(page)
        if document["id"] != page or document["type"] != "AnnotationPage":
            raise Failed(f"{page} is not the annotation page it is named as")
    return (
        f"@iiif/parser reads the collection, {len(manifests)} manifests; {len(pages)} annotation pages answer"
    )


def pages_named(manifest: dict[str, Any]) -> list[dict[str, Any]]:
    named = list(manifest.get("annotations", []))
    for canvas in manifest["items"]:
        named += canvas["annotations"]
    return named


def check_tei(site: str) -> str:
    jing, schema = debian("jing", "jing"), tei_schema()
    slugs = [item["id"].split("/")[-2] for item in read(f"{site}/iiif/3/collection.json")["items"]]
    # It has no pages and so no manifest, but a text in our own words.
    slugs.append("victor-or-victim")
    with tempfile.TemporaryDirectory() as folder:
        files = []
        for slug in slugs:
            files.append(Path(folder) / f"{slug}.xml")
            files[-1].write_bytes(fetch(f"{site}/books/{slug}/tei.xml"))
        broken = Path(folder) / "broken.xml"
        broken.write_bytes(files[0].read_bytes().replace(b"<body>", b"<body><leaf/>"))
        judged = subprocess.run([jing, schema, *files], capture_output=True, text=True, check=False)
        control = subprocess.run([jing, schema, broken], capture_output=True, text=True, check=False)
    if judged.returncode:
        raise Failed(judged.stdout or judged.stderr)
    if not control.returncode:
        raise Failed("jing found nothing wrong with a broken file, so its word counts for nothing")
    return f"jing finds {len(files)} books valid against tei_all, and a broken one not"

"""`make sbom`: what the product is made of, from the locks, as a CycloneDX document."""

import base64
import json
import subprocess
import sys
from pathlib import Path

from cyclonedx.schema import SchemaVersion
from cyclonedx.validation.json import JsonStrictValidator

ROOT = Path(__file__).resolve().parents[2]
VERSION = SchemaVersion.V1_6


def materials() -> dict:
    """Python packages as cyclonedx-py reads them from the lock, and npm's beside them."""
    command = [sys.executable, "-m", "cyclonedx_py", "requirements", "--pyproject", "pyproject.toml"]
    command += [
        "--output-reproducible",
        "--no-validate",
        "--sv",
        VERSION.to_version(),
        "--of",
        "JSON",
        "requirements.lock",
    ]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    document = json.loads(run.stdout)
    for component in document["components"]:
        # It repeats the line of the lock, all its hashes included, which stand below it anyway.
        component.pop("description", None)
    document["components"] += from_npm(json.loads((ROOT / "package-lock.json").read_text()))
    return document


def from_npm(lock: dict) -> list[dict]:
    """What is served to browsers; what only the tests use is left out."""
    return [
        component(path.removeprefix("node_modules/"), package)
        for path, package in sorted(lock["packages"].items())
        if path and not package.get("dev")
    ]


def component(name: str, package: dict) -> dict:
    algorithm, _, digest = package["integrity"].partition("-")
    assert algorithm == "sha512", name
    purl = f"pkg:npm/{name.replace('@', '%40')}@{package['version']}"
    return {
        "type": "library",
        "bom-ref": purl,
        "name": name,
        "version": package["version"],
        "purl": purl,
        "hashes": [{"alg": "SHA-512", "content": base64.b64decode(digest).hex()}],
        "licenses": [{"license": {"id": package["license"]}}],
    }


def main() -> int:
    target = ROOT / "var" / "sbom.json"
    document = json.dumps(materials(), indent=1) + "\n"
    fault = JsonStrictValidator(VERSION).validate_str(document)
    if fault:
        print(str(fault).split("\n")[0])
        return 1
    target.parent.mkdir(exist_ok=True)
    target.write_text(document)
    print(f"{target.relative_to(ROOT)}: {document.count('purl')} packages.")
    return 0


if __name__ == "__main__":
    sys.exit(main())

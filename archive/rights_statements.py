"""The statements of rightsstatements.org, for books and for scans; and the licences that images come with."""

from __future__ import annotations

import re
from collections.abc import Mapping

RIGHTS_VOCABULARY = "http://rightsstatements.org/vocab/"

# The statements of rightsstatements.org, those that leaflets usually have first.
RIGHTS_STATEMENTS: Mapping[str, str] = {
    f"{RIGHTS_VOCABULARY}{key}/1.0/": label
    for key, label in (
        ("UND", "Copyright Undetermined"),
        ("CNE", "Copyright Not Evaluated"),
        ("NKC", "No Known Copyright"),
        ("NoC-US", "No Copyright – United States"),
        ("InC", "In Copyright"),
        ("InC-RUU", "In Copyright – Rights-holder(s) Unlocatable or Unidentifiable"),
        ("InC-OW-EU", "In Copyright – EU Orphan Work"),
        ("InC-EDU", "In Copyright – Educational Use Permitted"),
        ("InC-NC", "In Copyright – Non-Commercial Use Permitted"),
        ("NoC-CR", "No Copyright – Contractual Restrictions"),
        ("NoC-NC", "No Copyright – Non-Commercial Use Only"),
        ("NoC-OKLR", "No Copyright – Other Known Legal Restrictions"),
    )
}
LICENCES: Mapping[str, str] = {
    f"http://creativecommons.org/{key}/": label
    for key, label in (
        ("publicdomain/mark/1.0", "Public Domain Mark"),
        ("publicdomain/zero/1.0", "CC0: No Rights Reserved"),
        *(
            (f"licenses/{kind}/{version}", f"CC {kind.upper()} {version}")
            for kind in ("by", "by-sa", "by-nc", "by-nd", "by-nc-sa", "by-nc-nd")
            for version in ("4.0", "3.0", "2.0")
        ),
    )
}
IMAGE_RIGHTS: Mapping[str, str] = {**RIGHTS_STATEMENTS, **LICENCES}
"""What an image may stand under: of a scan, or of one that came from another institution."""
TAIL = re.compile(r"(?:deed|legalcode)(?:\.[a-z-]+)?$|\?.*$")


def known_rights(address: str) -> str:
    """The address under which we know these rights, however it was written; empty if we do not."""
    bare = TAIL.sub("", address.strip()).replace("https://", "http://", 1).replace("://www.", "://", 1)
    bare = bare.replace("rightsstatements.org/page/", "rightsstatements.org/vocab/", 1).rstrip("/") + "/"
    return bare if bare in IMAGE_RIGHTS else ""

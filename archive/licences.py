"""Licences under which an archive may give its own words: Creative Commons, and some others that SPDX names.

The settings read this before Django is there, so it imports nothing of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

CREATIVE_COMMONS = re.compile(r"CC-(BY(?:-NC)?(?:-SA|-ND)?)-(1\.0|2\.0|2\.5|3\.0|4\.0)")
CC_ZERO = "CC0-1.0"
OTHERS = {
    "GFDL-1.3-only": "GNU Free Documentation License 1.3",
    "GFDL-1.3-or-later": "GNU Free Documentation License 1.3 or later",
    "LAL-1.3": "Free Art License 1.3",
    "ODC-By-1.0": "Open Data Commons Attribution License 1.0",
    "ODbL-1.0": "Open Data Commons Open Database License 1.0",
    "PDDL-1.0": "Open Data Commons Public Domain Dedication and License 1.0",
}
"""Licences of texts and data by their SPDX identifiers."""


@dataclass(frozen=True)
class Licence:
    identifier: str
    name: str
    address: str


def licence_of(written: str) -> Licence | None:
    """The licence of this identifier, however it is spaced and capitalised; None if there is none."""
    identifier = "-".join(written.split())
    if identifier.upper() == CC_ZERO:
        return Licence(CC_ZERO, "CC0 1.0", "https://creativecommons.org/publicdomain/zero/1.0/")
    if found := CREATIVE_COMMONS.fullmatch(identifier.upper()):
        kind, version = found.groups()
        address = f"https://creativecommons.org/licenses/{kind.lower()}/{version}/"
        return Licence(identifier.upper(), f"CC {kind} {version}", address)
    for known, name in OTHERS.items():
        if known.lower() == identifier.lower():
            return Licence(known, name, f"https://spdx.org/licenses/{known}.html")
    return None

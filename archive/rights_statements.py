"""The statements of rightsstatements.org, for books and for scans."""

from __future__ import annotations

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

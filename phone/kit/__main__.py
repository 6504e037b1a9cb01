"""Command `python -m phone.kit`: prepares the site's kit, and says what it weighs. It is `make kit`.

With --small it is compressed as small as can be, which takes some minutes the first time.
"""

import os
import sys

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

import django

django.setup()

from phone.kit import kit_manifest  # noqa: E402


def main() -> None:
    kit_manifest.prepare(kit_manifest.SMALL if "--small" in sys.argv[1:] else kit_manifest.FAST)
    made = kit_manifest.read()
    if made is None:
        sys.exit(1)
    print(f"kit {made['version']}: {made['program']:,} bytes of program, {made['content']:,} of content")


main()

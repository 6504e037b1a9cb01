"""The garbage collector looks at what is new, and at everything only once much more was put aside."""

import subprocess
import sys

from tests.scorepad.live_server import ROOT

PROGRAM = """
import gc
from config.server import garbage

garbage.GROWTH_MOST = 20_000
garbage.begin()
assert gc.get_freeze_count() > 5_000 and gc.get_count()[2] == 0
kept = [[number] for number in range(15_000)]
gc.collect()
assert gc.get_freeze_count() > 20_000, "what stayed is put aside"
kept += [[number] for number in range(15_000)]
gc.collect()
assert gc.get_freeze_count() == 0, "all are looked at next"
gc.collect()
assert gc.get_freeze_count() > 30_000
print("done")
"""


def test_what_was_looked_at_is_put_aside_until_it_has_grown():
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.stdout == "done\n", done.stderr

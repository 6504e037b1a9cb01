"""`make bench`: every bench_*.py in a process of its own, one after the other, so that none disturbs another.

A bench prints its figures and ends with 0 when its floors hold. `make bench ONLY=melds` runs those named so.
"""

import os
import subprocess
import sys
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent


def main() -> int:
    wanted = os.environ.get("ONLY", "")
    names = [path.stem for path in sorted(HERE.glob("bench_*.py")) if wanted in path.stem]
    if not names:
        print(f"No bench is named like {wanted!r}.", file=sys.stderr)
        return 2
    missed = []
    for name in names:
        print(f"\n{name.removeprefix('bench_')}\n{'-' * len(name)}", flush=True)
        started = time.monotonic()
        run = subprocess.run([sys.executable, "-m", f"tests.bench.{name}"], cwd=HERE.parents[1], check=False)
        print(f"({time.monotonic() - started:.0f} s)", flush=True)
        if run.returncode:
            missed.append(name.removeprefix("bench_"))
    if missed:
        print(f"\nFloors missed in: {', '.join(missed)}", file=sys.stderr)
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())

"""A process of its own over one database: given a name of a page it tells the milliseconds."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

from tests.scorepad.live_server import ROOT


class Asked:
    def __init__(self, module: str, env: Mapping[str, str]) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "--answer"],
            cwd=ROOT,
            env=env,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def time(self, name: str) -> float:
        assert self.process.stdin and self.process.stdout
        self.process.stdin.write(f"{name}\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def close(self) -> None:
        assert self.process.stdin
        self.process.stdin.close()
        self.process.wait(10)

"""The program that sets a PDF, in a child process: it knows no settings, no database and no network.

Its input is one line of JSON: the limits, the template, and the words as inputs of the template. It limits
itself before it reads them. Typst may read files of its root folder alone, which is empty.
"""

from __future__ import annotations

import json
import os
import resource
import sys
from contextlib import suppress

NOWHERE = "http://127.0.0.1:1"
"""Typst would fetch packages that a template asks for; ours asks for none, and would not reach any."""
CLONE_NEWUSER, CLONE_NEWNET = 0x10000000, 0x40000000


def set_limits(memory: int, seconds: int, output: int) -> None:
    for limit, most in (
        (resource.RLIMIT_AS, memory),
        (resource.RLIMIT_CPU, seconds),
        (resource.RLIMIT_FSIZE, output),
        (resource.RLIMIT_CORE, 0),
    ):
        resource.setrlimit(limit, (most, most))


def leave_network() -> None:
    """Go on in a network of its own, which has no way out, where the machine lets a process do so."""
    import ctypes

    with suppress(OSError, AttributeError):
        ctypes.CDLL(None, use_errno=True).unshare(CLONE_NEWUSER | CLONE_NEWNET)


def main() -> None:
    task = json.loads(sys.argv[1])
    set_limits(**task["limits"])
    leave_network()
    for name in ("http_proxy", "https_proxy", "all_proxy"):
        os.environ[name] = os.environ[name.upper()] = NOWHERE
    given = json.loads(sys.stdin.buffer.read())
    import typst

    pdf = typst.compile(
        given["template"].encode(),
        root=os.getcwd(),
        font_paths=[],
        ignore_system_fonts=True,
        sys_inputs=given["inputs"],
        pdf_standards=["ua-1"],
        package_path=os.getcwd(),
        package_cache_path=os.getcwd(),
        timestamp=given["timestamp"],
    )
    sys.stdout.buffer.write(pdf)


if __name__ == "__main__":
    main()

"""Pace of a browser test run: PACE=delay makes the site answer late, PACE=throttle slows the phones down.

`python -m tests.browser.pace` serves like `config.serve`, every answer up to 400 ms late, at random by SEED.
"""

import asyncio
import os
import random
import sys

PACE = os.environ.get("PACE", "")
SEED = int(os.environ.get("SEED", "1"))
MAX_DELAY_SECONDS = 0.4
THROTTLE_RATE = 4

if PACE not in ("", "delay", "throttle"):
    raise SystemExit(f"PACE can be delay or throttle, not {PACE!r}.")

AT_ONCE = {"x-pace": "none"}
"""Headers of a request that no finger waits for: a test compares thousands of such answers."""

SERVE = [sys.executable, "-m", "tests.browser.pace" if PACE == "delay" else "config.serve"]
"""The command that serves the site at this pace."""


def slow_down(page):
    """Give a page a processor four times slower, if this run is throttled."""
    if PACE == "throttle":
        session = page.context.new_cdp_session(page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": THROTTLE_RATE})


def delayed(application, chance):
    """The ASGI application with the beginning of every answer late."""

    async def late(scope, receive, send):
        async def send_late(message):
            if message["type"] == "http.response.start":
                delay = chance.uniform(0, MAX_DELAY_SECONDS)
                await asyncio.sleep(delay)
                message["headers"] = [*message["headers"], (b"x-delay", f"{delay:.3f}".encode())]
            await send(message)

        # The server finds the connection behind `send` by this name.
        send_late.__self__ = send.__self__
        is_late = scope["type"] == "http" and (b"x-pace", b"none") not in scope["headers"]
        await application(scope, receive, send_late if is_late else send)

    return late


def main():
    from config import serve  # sets Django up

    if "--prepare" not in sys.argv[1:]:
        from config import asgi

        asgi.application = delayed(asgi.application, random.Random(SEED))
    serve.main()


if __name__ == "__main__":
    main()

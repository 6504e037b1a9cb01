"""Under which names and numbers this machine can be reached by the phones around it."""

import socket
from collections.abc import Iterator

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
NEAR = ["127.0.0.0/8", "::1/128", "unix"]
"""A proxy on this machine, for TRUSTED_PROXIES."""
EVERYWHERE = {"0.0.0.0", "::"}  # noqa: S104 - compared with, not bound to


def answering_to(host: str) -> list[str]:
    """The Host headers to accept when listening on this address."""
    if host in EVERYWHERE:
        return list(dict.fromkeys([*LOOPBACK, *own()]))
    return list(dict.fromkeys([*LOOPBACK, f"[{host}]" if ":" in host else host]))


def own() -> list[str]:
    """This machine's names and numbers in the local network, the likeliest first."""
    name = socket.gethostname().lower()
    return list(dict.fromkeys([*numbers(name), name, f"{name.split('.')[0]}.local"]))


def numbers(name: str) -> Iterator[str]:
    # Connecting a datagram socket sends nothing; it only asks which of our numbers would be used.
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
            yield probe.getsockname()[0]
        except OSError:
            pass
    try:
        found = socket.getaddrinfo(name, None, socket.AF_INET)
    except OSError:
        return
    for *_, address in found:
        number = str(address[0])
        if not number.startswith("127."):
            yield number

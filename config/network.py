"""Network: names and addresses under which the phones around this machine can reach it."""

import socket
from collections.abc import Iterator

LOOPBACK = ["localhost", "127.0.0.1", "[::1]"]
LOCAL_PROXIES = ["127.0.0.0/8", "::1/128", "unix"]
"""A proxy on this machine, for TRUSTED_PROXIES."""
ALL_INTERFACES = {"0.0.0.0", "::"}  # noqa: S104 - compared with, not bound to


def allowed_hosts(host: str) -> list[str]:
    """The Host headers to accept when listening on this address."""
    if host in ALL_INTERFACES:
        return list(dict.fromkeys([*LOOPBACK, *own_names()]))
    return list(dict.fromkeys([*LOOPBACK, f"[{host}]" if ":" in host else host]))


def own_names() -> list[str]:
    """Names and addresses of this machine in the local network, the likeliest first."""
    name = socket.gethostname().lower()
    return list(dict.fromkeys([*local_addresses(name), name, f"{name.split('.')[0]}.local"]))


def local_addresses(name: str) -> Iterator[str]:
    # Connecting a datagram socket sends nothing; it only asks which of our addresses would be used.
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
        own = str(address[0])
        if not own.startswith("127."):
            yield own

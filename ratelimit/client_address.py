"""From which address somebody asks.

It is the address the connection comes from. Only if that is one of TRUSTED_PROXIES, what the proxy says of
its client is believed, hop by hop from the near end, as far as trusted proxies go: whatever stands before
that was written by whoever wanted to.
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.http import HttpRequest

Address = IPv4Address | IPv6Address
Network = IPv4Network | IPv6Network

UNIX = "unix"
"""In TRUSTED_PROXIES: whoever comes by a socket of this machine that has no address."""
HOPS_MOST = 20
SIXTY_FOUR = 64


def of_request(request: HttpRequest) -> str:
    """The address a request is counted under."""
    return counted_under(
        str(request.META.get("REMOTE_ADDR") or ""), str(request.META.get("HTTP_X_FORWARDED_FOR") or "")
    )


def of_scope(scope: Mapping[str, Any]) -> str:
    """The same for a request that does not pass Django."""
    remote = (scope.get("client") or ("",))[0] or ""
    told = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return counted_under(remote, ",".join(told))


def counted_under(remote: str, forwarded: str) -> str:
    return _group(client(remote, forwarded, tuple(getattr(settings, "TRUSTED_PROXIES", ()))))


def client(remote: str, forwarded: str, trusted: Sequence[str]) -> str:
    """The last address that no trusted proxy stands behind."""
    address = remote
    hops = forwarded.split(",")[-HOPS_MOST:]
    while hops and _is_trusted(address, tuple(trusted)):
        before = _parsed(hops.pop().strip())
        if before is None:
            break
        address = str(before)
    return address


def _is_trusted(address: str, trusted: tuple[str, ...]) -> bool:
    if not address:
        return UNIX in trusted
    parsed = _parsed(address)
    return parsed is not None and any(parsed in network for network in _networks(trusted))


@lru_cache(maxsize=8)
def _networks(trusted: tuple[str, ...]) -> tuple[Network, ...]:
    return tuple(ip_network(words, strict=False) for words in trusted if words != UNIX)


def _parsed(words: str) -> Address | None:
    """An address, also with a port behind it or in brackets; None if it is none."""
    if words.startswith("["):
        words = words[1:].partition("]")[0]
    elif words.count(":") == 1:
        words = words.partition(":")[0]
    try:
        found = ip_address(words)
    except ValueError:
        return None
    if isinstance(found, IPv6Address) and found.ipv4_mapped is not None:
        return found.ipv4_mapped
    return found


def _group(address: str) -> str:
    """One line has a whole /64 of IPv6 to itself, so that is what is counted."""
    parsed = _parsed(address)
    if parsed is None:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((int(parsed) >> SIXTY_FOUR << SIXTY_FOUR, SIXTY_FOUR)))
    return str(parsed)

"""Address of the client of a request, also behind proxies.

It is the address the connection comes from. Only if that is one of TRUSTED_PROXIES, what the proxy says of
its client is believed, hop by hop from the near end, as far as trusted proxies go: anything before that can
be forged.
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
"""In TRUSTED_PROXIES: clients of a socket of this machine, which has no address."""
MAX_HOPS = 20
IPV6_PREFIX = 64


def of_request(request: HttpRequest) -> str:
    """The address a request is counted under."""
    return counted_under(
        str(request.META.get("REMOTE_ADDR") or ""), str(request.META.get("HTTP_X_FORWARDED_FOR") or "")
    )


def of_scope(scope: Mapping[str, Any]) -> str:
    """The same for a request that does not pass Django."""
    remote = (scope.get("client") or ("",))[0] or ""
    forwarded = [value.decode("latin-1") for name, value in scope["headers"] if name == b"x-forwarded-for"]
    return counted_under(remote, ",".join(forwarded))


def counted_under(remote: str, forwarded: str) -> str:
    return _group(client(remote, forwarded, tuple(getattr(settings, "TRUSTED_PROXIES", ()))))


def client(remote: str, forwarded: str, trusted: Sequence[str]) -> str:
    """The last address that is not a trusted proxy's."""
    address = remote
    hops = forwarded.split(",")[-MAX_HOPS:]
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
    """One subscriber has a whole /64 of IPv6, so that is what is counted."""
    parsed = _parsed(address)
    if parsed is None:
        return address[:64]
    if isinstance(parsed, IPv6Address):
        return str(IPv6Network((int(parsed) >> IPV6_PREFIX << IPV6_PREFIX, IPV6_PREFIX)))
    return str(parsed)

"""Fetches files of other institutions: by https, from the hosts that the setting IIIF_HOSTS names.

A name is looked up once, every address it has must be a public one, and the line goes to the address that
was looked at: neither a redirect nor a name that changes its address leads into the network of the site.
"""

from __future__ import annotations

import http.client
import ipaddress
import socket
import ssl
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import BinaryIO
from urllib.parse import SplitResult, urljoin, urlsplit

from django.conf import settings

from archive.iiif_source.errors import SourceError, TooLargeError

REDIRECTS_MOST = 4
ADDRESS_LENGTH_MOST = 2_000
PIECE = 1 << 16
HTTPS = 443
TRANSLATED = ipaddress.IPv6Network("64:ff9b::/96")
"""Addresses of IPv4, as a network that has IPv6 alone writes them."""
NOT_PUBLIC = "{host} leads into a private network, so nothing is fetched from there."
NO_ANSWER = "{host} could not be reached. Try again later."
SLOW = "{host} took too long to answer. Try again later."


def fetch(address: str, file: BinaryIO, bytes_max: int) -> None:
    """Write what is at this address into a file. SourceError with a sentence if it cannot be had, in the time
    that IIIF_SECONDS allows, redirects included."""
    end = time.monotonic() + settings.IIIF_SECONDS
    for _ in range(REDIRECTS_MOST + 1):
        parts = check_address(address)
        with _asked(parts, end) as answer:
            if answer.status not in (301, 302, 303, 307, 308):
                _check_answer(parts, answer, bytes_max)
                return _copy(parts, answer, file, bytes_max, end)
            address = urljoin(address, answer.headers.get("Location", ""))
    raise SourceError(f"{parts.hostname} leads from one address to another without end.")


def check_address(address: str) -> SplitResult:
    """The parts of an address that may be fetched; SourceError if it may not be."""
    try:
        parts = urlsplit(address.strip())
        port = parts.port
    except ValueError:
        raise SourceError("This is not an address.") from None
    host = (parts.hostname or "").lower()
    is_plain = len(address) <= ADDRESS_LENGTH_MOST and address.isascii() and address.isprintable()
    if not (is_plain and " " not in address.strip() and host):
        raise SourceError("This is not an address. It begins with https://.")
    if parts.scheme != "https" or parts.username is not None or parts.password is not None:
        raise SourceError(
            "Only addresses that begin with https:// are fetched, without a name before the host."
        )
    named = host if port in (None, HTTPS) else f"{host}:{port}"
    if named not in settings.IIIF_HOSTS:
        raise SourceError(f"{named} is not among the institutions that the administrator has allowed.")
    return parts


def is_public(address: ipaddress.IPv4Address | ipaddress.IPv6Address) -> bool:
    """True for an address of the open network. An IPv4 address written as one of IPv6 is judged as itself."""
    if isinstance(address, ipaddress.IPv6Address):
        if address in TRANSLATED:
            return is_public(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF))
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None:
            return is_public(inner)
    return address.is_global and not address.is_multicast


def tls_context() -> ssl.SSLContext:
    return ssl.create_default_context()


def _public_address(host: str, port: int) -> str:
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise SourceError(NO_ANSWER.format(host=host)) from None
    addresses = [str(one[4][0]) for one in found]
    # The part behind % names a network card of this machine: no public address has one.
    if not addresses or not all("%" not in one and is_public(ipaddress.ip_address(one)) for one in addresses):
        raise SourceError(NOT_PUBLIC.format(host=host))
    return addresses[0]


class _Connection(http.client.HTTPSConnection):
    """A line to the address that was looked at, while the certificate must be that of the name."""

    def __init__(self, host: str, port: int, address: str, seconds: float) -> None:
        self.checked = tls_context()
        super().__init__(host, port, timeout=seconds, context=self.checked)
        self.address = address

    def connect(self) -> None:
        line = socket.create_connection((self.address, self.port), self.timeout)
        try:
            self.sock = self.checked.wrap_socket(line, server_hostname=self.host)
        except BaseException:
            line.close()
            raise


@contextmanager
def _asked(parts: SplitResult, end: float) -> Iterator[http.client.HTTPResponse]:
    """The answer of a host. Whatever it does, the line is cut when the time is over."""
    host, port = parts.hostname or "", parts.port or HTTPS
    left = _left(host, end)
    connection = _Connection(host, port, _public_address(host, port), left)
    cut = threading.Timer(left, _cut, [connection])
    cut.daemon = True
    cut.start()
    try:
        connection.connect()
        # What the timer found without a line, it could not cut.
        _left(host, end)
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"Accept-Encoding": "identity", "User-Agent": "Tallyroom", "Connection": "close"}
        connection.request("GET", path, headers=headers)
        yield connection.getresponse()
    except (OSError, http.client.HTTPException, ValueError):
        _left(host, end)
        raise SourceError(NO_ANSWER.format(host=host)) from None
    finally:
        cut.cancel()
        connection.close()


def _cut(connection: http.client.HTTPSConnection) -> None:
    line = connection.sock
    if line is not None:
        with suppress(OSError):
            socket.socket.shutdown(line, socket.SHUT_RDWR)


def _left(host: str, end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise SourceError(SLOW.format(host=host))
    return left


def _check_answer(parts: SplitResult, answer: http.client.HTTPResponse, bytes_max: int) -> None:
    host = parts.hostname
    if answer.status != http.client.OK:
        raise SourceError(f"{host} answered with {answer.status}, so there is nothing to bring over.")
    if answer.headers.get("Content-Encoding", "identity").lower() != "identity":
        raise SourceError(f"{host} sends packed what was asked for unpacked.")
    length = answer.headers.get("Content-Length", "")
    if length.isdecimal() and int(length[:15]) > bytes_max:
        raise TooLargeError(_too_large(parts, bytes_max))


def _copy(
    parts: SplitResult, answer: http.client.HTTPResponse, file: BinaryIO, bytes_max: int, end: float
) -> None:
    size = 0
    while piece := answer.read1(PIECE):
        size += len(piece)
        if size > bytes_max:
            raise TooLargeError(_too_large(parts, bytes_max))
        file.write(piece)
        _left(parts.hostname or "", end)
    if answer.length:
        raise SourceError(NO_ANSWER.format(host=parts.hostname))
    file.flush()


def _too_large(parts: SplitResult, bytes_max: int) -> str:
    return f"What {parts.hostname} sends is too large: more than {bytes_max / 1_000_000:g} MB."

"""Around the making of a pad: is there a turn left for it; and once a day a look at those nobody uses."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import Error
from django.http import HttpRequest

from ratelimit import client_address, limiter
from scorepad import expiry, quotas

log = logging.getLogger(__name__)


@contextmanager
def one_more_pad(request: HttpRequest) -> Iterator[None]:
    """There must be a turn left, and it is used when the pad has been made. Raises TooOften."""
    here = client_address.of_request(request)
    limiter.check(quotas.pads_of_an_address(), here)
    limiter.check(quotas.pads_of_all(), quotas.EVERYWHERE)
    yield
    try:
        limiter.count(quotas.pads_of_an_address(), here)
        limiter.count(quotas.pads_of_all(), quotas.EVERYWHERE)
        expiry.once_a_day()
    except Error:
        # The pad is there; that it could not be counted must not take it away again.
        log.exception("A new pad could not be counted.")

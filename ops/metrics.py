"""Figures of this process for a monitor: /metrics, in the form that Prometheus reads.

Every process counts for itself and is asked by itself. The apps only count; this module answers.
"""

import ipaddress
import logging
import time
from collections.abc import Callable, Iterator

from django.conf import settings
from django.db import DatabaseError, InterfaceError
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, Counter, Histogram, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from ops import shutdown
from scorepad.ledger import outcome_counts
from scorepad.live import hub

log = logging.getLogger("tallyroom.requests")

REGISTRY = CollectorRegistry()
REQUESTS = Counter(
    "tallyroom_requests",
    "Answers by view, method and status.",
    ["view", "method", "status"],
    registry=REGISTRY,
)
SECONDS = Histogram(
    "tallyroom_request_seconds",
    "How long answers took.",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
    registry=REGISTRY,
)
DATABASE_ERRORS = Counter(
    "tallyroom_database_errors",
    "Requests the database failed, by kind of error.",
    ["kind"],
    registry=REGISTRY,
)
METHODS = frozenset(("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"))
FILES = ("/static/", "/images/", "/iiif/image/")
QUIET = frozenset(("/health", "/ready", "/metrics"))
FORWARDED = ("X-Forwarded-For", "X-Real-IP", "Forwarded", "Via")


class PadCollector(Collector):
    """Figures of the score pads, read when a monitor asks for them."""

    def collect(self) -> Iterator[Metric]:
        entries = CounterMetricFamily(
            "tallyroom_entries", "Entries by what became of them.", labels=["outcome"]
        )
        for outcome, count in sorted(outcome_counts.totals().items()):
            entries.add_metric([outcome], count)
        yield entries
        yield GaugeMetricFamily("tallyroom_open_streams", "Phones listening now.", hub.open_streams())
        yield GaugeMetricFamily("tallyroom_leaving", "1 while the process is stopping.", shutdown.has_begun())


REGISTRY.register(PadCollector())


class RequestMetricsMiddleware:
    """Counts and times every answer; with LOG_REQUESTS it also writes a line, by route and never by path."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.perf_counter()
        response = self.get_response(request)
        view, seconds = route_of(request), time.perf_counter() - began
        count_response(view, request.method or "", response.status_code, seconds, request.path in QUIET)
        return response


def count_response(view: str, method: str, status: int, seconds: float, is_quiet: bool = False) -> None:
    """Count one response. Of a stream its beginning counts: its status, and how soon it came."""
    method = method if method in METHODS else "other"
    REQUESTS.labels(view, method, str(status)).inc()
    SECONDS.labels(view).observe(seconds)
    if settings.LOG_REQUESTS and not is_quiet:
        told = {"route": view, "method": method, "status": status, "ms": round(seconds * 1000, 1)}
        log.info("%s %s %s", method, view, status, extra=told)


class ErrorMetricsMiddleware:
    """Counts errors of the database. It is next to the views, before other middleware answers for them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, fault: Exception) -> None:
        if isinstance(fault, DatabaseError | InterfaceError):
            DATABASE_ERRORS.labels(type(fault).__name__).inc()


def route_of(request: HttpRequest) -> str:
    """The pattern of the address: there are as many as we wrote, however many addresses are asked for."""
    if request.resolver_match is not None:
        return f"/{request.resolver_match.route}"
    return "files" if request.path.startswith(FILES) else "none"


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer the machine itself, or a monitor with METRICS_TOKEN; for others this address is not there."""
    if not is_allowed(request):
        return HttpResponse("Not found.\n", status=404, content_type="text/plain; charset=utf-8")
    return HttpResponse(generate_latest(REGISTRY), content_type=CONTENT_TYPE_LATEST)


def is_allowed(request: HttpRequest) -> bool:
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    if settings.METRICS_TOKEN:
        return scheme.lower() == "bearer" and constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    # A proxy on this machine is not this machine asking.
    return not any(name in request.headers for name in FORWARDED) and is_loopback(request)


def is_loopback(request: HttpRequest) -> bool:
    try:
        return ipaddress.ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
    except ValueError:
        return False

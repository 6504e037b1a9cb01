"""Beside the site a view that tells what was traced since it was last asked."""

from django.http import HttpRequest, JsonResponse
from django.urls import include, path

from tests.bench import trace


def traced(request: HttpRequest) -> JsonResponse:
    answer = JsonResponse({"files": sorted(trace.files), "queries": trace.queries.copy()})
    trace.files.clear()
    trace.queries.clear()
    return answer


urlpatterns = [path("traced/", traced), path("", include("config.urls"))]

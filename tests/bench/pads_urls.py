"""Beside the site a bare view that inserts one row: what a tap is measured against."""

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.urls import include, path
from django.views.decorators.csrf import csrf_exempt

from scorepad.models import Evening


@csrf_exempt
def insert(request: HttpRequest) -> HttpResponse:
    row = Evening.objects.create()
    return JsonResponse({"row": row.pk})


urlpatterns = [path("bare/", insert), path("", include("config.urls"))]

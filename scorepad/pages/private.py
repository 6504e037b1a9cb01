"""Pages that belong to a table: whoever holds a link sees them, and no store between may keep them."""

from collections.abc import Callable
from functools import wraps
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse
from django.utils.cache import patch_cache_control, patch_vary_headers

Rest = ParamSpec("Rest")
Page = Callable[Concatenate[HttpRequest, Rest], HttpResponse]


def private(page: Page[Rest]) -> Page[Rest]:
    """Kept by this phone alone, and asked for again each time it is shown."""

    @wraps(page)
    def shown(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        response = page(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "X-Fragment"])
        return response

    return shown

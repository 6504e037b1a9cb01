"""What stands before every JSON address: who asks, may he, is it readable."""

from collections.abc import Callable
from functools import wraps
from importlib import import_module
from typing import Any

from django.core.exceptions import RequestDataTooBig
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.middleware.csrf import CsrfViewMiddleware
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

import engine
from ratelimit.limiter import RateLimitError
from scorepad.access import links
from scorepad.limits import limit
from scorepad.models import Pad

View = Callable[..., HttpResponseBase]
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class _Answered(Exception):
    """The request is answered before a view sees it."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response


class _Csrf(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


def refusal(status: int, code: str, message: str, **headers: str) -> JsonResponse:
    error = engine.Refused(code, message).as_dict()
    return JsonResponse(error, status=status, headers=headers)


def refused(error: engine.Refused, status: int = 422) -> JsonResponse:
    return JsonResponse(error.as_dict(), status=status)


def reads(view: View) -> View:
    """GET by anyone who holds a link; 409 where the engine refuses the log."""

    def answer(request: HttpRequest, code: str) -> HttpResponseBase:
        _check_method(request, "GET", "HEAD")
        holder = _holder(request, code, links.WATCH)
        try:
            return view(request, holder)
        except engine.Refused as error:
            return refused(error, 409)

    return _guarded(view, answer)


def writes(role: str, form: str = "", bytes_most: str = "ENTRIES_BODY_BYTES_MOST") -> Callable[[View], View]:
    """POST of JSON by a holder of this role. A form goes to the page view registered as `form`."""

    def wrap(view: View) -> View:
        def answer(request: HttpRequest, code: str) -> HttpResponseBase:
            _check_method(request, "POST")
            holder = _holder(request, code, role)
            page = _form_view(request, form)
            if holder.by_cookie or page is not None:
                _check_csrf(request)
            if page is not None:
                return page(request, code)
            return view(request, holder, _body(request, limit(bytes_most)))

        return _guarded(view, answer)

    return wrap


def opens(form: str = "", bytes_most: str = "IMPORT_BYTES_MOST") -> Callable[[View], View]:
    """POST of JSON by anyone: it makes something new, so there is nothing a cookie could authorise.

    A form, and the page with the form, go to the page view registered as `form`.
    """

    def wrap(view: View) -> View:
        def answer(request: HttpRequest) -> HttpResponseBase:
            page = _form_view(request, form)
            if page is None or request.method not in ("GET", "HEAD"):
                _check_method(request, "POST")
            if page is not None:
                _check_csrf(request)
                return page(request)
            return view(request, _body(request, limit(bytes_most)))

        return _guarded(view, answer)

    return wrap


def _guarded(view: View, answer: View) -> View:
    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            response = answer(request, *args, **kwargs)
        except _Answered as answered:
            response = answered.response
        except engine.Refused as error:
            response = refused(error)
        except Pad.DoesNotExist:
            response = _no_pad()
        except RateLimitError as fault:
            response = refusal(429, "too-often", fault.says, **{"Retry-After": str(fault.seconds)})
        except UnicodeEncodeError:
            response = refusal(400, "bad-request", "This holds broken text. Write it again.")
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "Authorization"])
        return response

    return guarded


def _no_pad() -> JsonResponse:
    return refusal(404, "no-pad", "No pad is open here. Ask the table for its link.")


def _check_method(request: HttpRequest, *methods: str) -> None:
    if request.method not in methods:
        allowed = ", ".join(methods)
        raise _Answered(refusal(405, "bad-method", f"This address answers to {allowed}.", Allow=allowed))


def _holder(request: HttpRequest, code: str, role: str) -> links.PadAccess:
    holder = links.holder(request, code)
    if holder is None:
        raise _Answered(_no_pad())
    if not holder.may(role):
        needs = "enter" if role == links.PLAY else "do this"
        says = f"Your link only lets you {holder.role}. To {needs} you need the {role} link."
        raise _Answered(refusal(403, "not-allowed", says))
    return holder


def _check_csrf(request: HttpRequest) -> None:
    check = _Csrf(lambda request: HttpResponse())
    check.process_request(request)
    if check.process_view(request, lambda: HttpResponse(), (), {}) is not None:
        says = "This came without the page's own token. Reload the page and try again; your entry is kept."
        raise _Answered(refusal(403, "csrf", says))


def _form_view(request: HttpRequest, form: str) -> View | None:
    """The page view for a form sent to this address, when the pages have one."""
    if not form or (request.method == "POST" and request.content_type not in FORM_TYPES):
        return None
    pages = import_module("scorepad.page_urls")
    view: View | None = pages.FORM_VIEWS.get(form)
    return view


def _body(request: HttpRequest, bytes_most: int) -> dict[str, Any]:
    if request.content_type != "application/json":
        raise _Answered(refusal(415, "bad-type", "Send JSON, with Content-Type: application/json."))
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdigit() and int(length) > bytes_most:
        raise _Answered(
            refusal(413, "too-large", f"This is larger than {bytes_most // 1024} kB. Send it in parts.")
        )
    try:
        body = engine.read(request.body)
    except RequestDataTooBig:
        raise _Answered(refusal(413, "too-large", "This is too large. Send it in parts.")) from None
    except engine.Refused as error:
        raise _Answered(refused(error, 400)) from None
    if not isinstance(body, dict):
        raise _Answered(
            refusal(400, "bad-request", "The body must be a JSON object that names each key once.")
        )
    return body

"""Decorators for views of pads: method, access, CSRF and body checks, and what is answered when one fails.

For programs: `json_view`, `pad_read`, `pad_write`, `club_read`; for programs and forms: `action`,
`club_action`; for scripts of our own pages: `pad_script`; for pages: `private` and `replayed`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import wraps
from typing import Any, Concatenate, ParamSpec, TypeVar

from django.core.exceptions import RequestDataTooBig
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBase,
    HttpResponseRedirect,
    JsonResponse,
    QueryDict,
)
from django.middleware.csrf import CsrfViewMiddleware
from django.shortcuts import render
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt

import engine
from ratelimit.limiter import RateLimitError
from scorepad import engine_versions, ledger
from scorepad.access import cookies, links, permissions
from scorepad.access.links import AnyLink
from scorepad.access.permissions import ClubAccess, PadAccess
from scorepad.ledger import Who
from scorepad.limits import limit
from scorepad.models import Club, Pad
from scorepad.presentation.pad import refusal_of

Rest = ParamSpec("Rest")
Page = Callable[Concatenate[HttpRequest, Rest], HttpResponse]
View = Callable[..., HttpResponseBase]
Data = dict[str, Any]
FORM_TYPES = ("application/x-www-form-urlencoded", "multipart/form-data")


class _AnsweredError(Exception):
    """The request is answered before a view sees it."""

    def __init__(self, response: HttpResponse) -> None:
        self.response = response


class _Csrf(CsrfViewMiddleware):
    def _reject(self, request: HttpRequest, reason: str) -> Any:
        return reason


@dataclass(frozen=True)
class Done:
    """Outcome of an action: told to a program as JSON, and to a form as a page or a redirect to one."""

    json: Mapping[str, Any]
    page: str | Callable[[], HttpResponse]
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    """Headers of the JSON answer."""
    cookie: tuple[AnyLink, Who] | None = None
    """The link and the seat for a new cookie, which only those get who came by cookie or by form."""
    claim: str | None = None
    """What this phone collects its handover with; an empty one is collected, and goes."""
    forgets: bool = False


AnyAccess = TypeVar("AnyAccess", PadAccess, ClubAccess)
Action = Callable[[HttpRequest, AnyAccess, Data], Done | HttpResponse]
Refusing = Callable[[HttpRequest, AnyAccess, engine.Refused], HttpResponse]


def action(
    role: str, form: Callable[[QueryDict, Pad], Data], refused: Refusing[PadAccess]
) -> Callable[[Action[PadAccess]], View]:
    """POST by a link to a pad of this role, as JSON by a program or as a form by a page.

    `form` reads what a page sends into what a program would; `refused` is the page that shows a refusal.
    """

    def required(request: HttpRequest, code: str) -> PadAccess:
        access = _required(request, code, role)
        if access.by_club:
            says = "You watch this pad by its club's link. To do more, ask the table for its own link."
            raise _AnsweredError(refusal(403, "not-allowed", says))
        return access

    return _action(required, lambda given, access: form(given, access.pad), refused)


def club_action(
    role: str, form: Callable[[QueryDict], Data], refused: Refusing[ClubAccess]
) -> Callable[[Action[ClubAccess]], View]:
    """The same by a link to a club."""

    def required(request: HttpRequest, code: str) -> ClubAccess:
        return _required_club(request, code, role)

    return _action(required, lambda given, access: form(given), refused)


def _action(
    required: Callable[[HttpRequest, str], AnyAccess],
    form: Callable[[QueryDict, AnyAccess], Data],
    refused: Refusing[AnyAccess],
) -> Callable[[Action[AnyAccess]], View]:

    def wrap(view: Action[AnyAccess]) -> View:
        def answer(request: HttpRequest, code: str) -> HttpResponse:
            _check_method(request, "POST")
            access = required(request, code)
            is_form = request.content_type in FORM_TYPES
            if access.by_cookie or is_form:
                _check_csrf(request)
            if not is_form:
                return _answer(request, access, view(request, access, _body(request)), is_form)
            try:
                done = view(request, access, form(request.POST, access))
            except engine.Refused as error:
                return refused(request, access, error)
            return _answer(request, access, done, is_form)

        return _guarded(view, answer)

    return wrap


def _answer(
    request: HttpRequest, access: PadAccess | ClubAccess, done: Done | HttpResponse, is_form: bool
) -> HttpResponse:
    if isinstance(done, HttpResponse):
        return done
    response: HttpResponse
    if not is_form:
        response = JsonResponse(done.json, status=done.status, headers=done.headers)
    elif isinstance(done.page, str):
        response = HttpResponseRedirect(done.page)
    else:
        response = done.page()
    if done.cookie is not None and (access.by_cookie or is_form):
        cookies.set_cookie(request, response, *done.cookie)
    if done.claim is not None and (access.by_cookie or is_form):
        cookies.set_claim(request, response, access.target, done.claim)
    if done.forgets:
        kind = cookies.PAD if isinstance(access, PadAccess) else cookies.CLUB
        cookies.delete_cookie(response, access.target.code, kind)
    return response


def pad_read(view: View) -> View:
    """GET by a link of any role; 409 where the engine refuses the log."""

    def answer(request: HttpRequest, code: str) -> HttpResponseBase:
        _check_method(request, "GET", "HEAD")
        access = _required(request, code, links.WATCH)
        try:
            return view(request, access)
        except engine.Refused as error:
            return refused_json(error, 409)

    return _guarded(view, answer)


def club_read(view: View) -> View:
    """GET by a link to a club of any role."""

    def answer(request: HttpRequest, code: str) -> HttpResponseBase:
        _check_method(request, "GET", "HEAD")
        return view(request, _required_club(request, code, links.WATCH))

    return _guarded(view, answer)


def pad_write(role: str) -> Callable[[View], View]:
    """POST of JSON by a link of this role."""

    def wrap(view: View) -> View:
        def answer(request: HttpRequest, code: str) -> HttpResponseBase:
            _check_method(request, "POST")
            access = _required(request, code, role)
            if access.by_cookie:
                _check_csrf(request)
            return view(request, access, _body(request))

        return _guarded(view, answer)

    return wrap


def pad_script(role: str) -> Callable[[View], View]:
    """POST of a form by the script of a page, by a link of this role: what is refused is told in JSON."""

    def wrap(view: View) -> View:
        def answer(request: HttpRequest, code: str) -> HttpResponseBase:
            _check_method(request, "POST")
            access = _required(request, code, role)
            _check_csrf(request)
            return view(request, access)

        return _guarded(view, answer)

    return wrap


def json_view(page: View, max_bytes: str = "ENTRIES_BODY_BYTES_MOST") -> Callable[[View], View]:
    """POST of JSON that needs no link: it makes something new, so there is nothing a cookie could authorise.

    `page` shows the form for it at the same address, and takes what the form sends.
    """

    def wrap(view: View) -> View:
        def answer(request: HttpRequest) -> HttpResponseBase:
            if request.method in ("GET", "HEAD") or _is_form_post(request):
                _check_csrf(request)
                return page(request)
            _check_method(request, "POST")
            return view(request, _body(request, max_bytes))

        return _guarded(view, answer)

    return wrap


def _is_form_post(request: HttpRequest) -> bool:
    return request.method == "POST" and request.content_type in FORM_TYPES


def _guarded(view: Callable[..., Any], answer: View) -> View:
    @csrf_exempt
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            response = answer(request, *args, **kwargs)
        except _AnsweredError as answered:
            response = answered.response
        except engine.Refused as error:
            response = refused_json(error)
        except Pad.DoesNotExist:
            response = _no_pad()
        except Club.DoesNotExist:
            response = _no_club()
        except RateLimitError as fault:
            response = rate_limited(fault)
        except UnicodeEncodeError:
            response = refusal(400, "bad-request", "This contains broken text. Write it again.")
        if not response.has_header("Cache-Control"):
            patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "Authorization"])
        return response

    return guarded


def refusal(status: int, code: str, message: str, **headers: str) -> JsonResponse:
    error = engine.Refused(code, message).as_dict()
    return JsonResponse(error, status=status, headers=headers)


def refused_json(error: engine.Refused, status: int = 422) -> JsonResponse:
    return JsonResponse(error.as_dict(), status=status)


def rate_limited(fault: RateLimitError) -> JsonResponse:
    return refusal(fault.status, fault.code, fault.says, **{"Retry-After": str(fault.seconds)})


def _no_pad() -> JsonResponse:
    return refusal(404, "no-pad", "No pad is open here. Ask the table for its link.")


def _no_club() -> JsonResponse:
    return refusal(404, "no-club", "No club is open here. Ask its members for the link.")


def _check_method(request: HttpRequest, *methods: str) -> None:
    if request.method not in methods:
        allowed = ", ".join(methods)
        raise _AnsweredError(refusal(405, "bad-method", f"This address answers to {allowed}.", Allow=allowed))


def _required(request: HttpRequest, code: str, role: str) -> PadAccess:
    access = permissions.access_of(request, code)
    if access is None:
        raise _AnsweredError(_no_pad())
    if not access.may(role):
        needs = "enter" if role == links.PLAY else "do this"
        says = f"Your link only lets you {access.role}. To {needs} you need the {role} link."
        raise _AnsweredError(refusal(403, "not-allowed", says))
    return access


def _required_club(request: HttpRequest, code: str, role: str) -> ClubAccess:
    access = permissions.club_access_of(request, code)
    if access is None:
        raise _AnsweredError(_no_club())
    if not access.may(role):
        says = "Your link only lets you watch this club. To do this you need its owner's link."
        raise _AnsweredError(refusal(403, "not-allowed", says))
    return access


def _check_csrf(request: HttpRequest) -> None:
    check = _Csrf(lambda request: HttpResponse())
    check.process_request(request)
    if check.process_view(request, lambda: HttpResponse(), (), {}) is not None:
        says = "This came without the page's own token. Reload the page and try again; your entry is kept."
        raise _AnsweredError(refusal(403, "csrf", says))


def _body(request: HttpRequest, max_bytes: str = "ENTRIES_BODY_BYTES_MOST") -> Data:
    bytes_most = limit(max_bytes)
    if request.content_type != "application/json":
        raise _AnsweredError(refusal(415, "bad-type", "Send JSON, with Content-Type: application/json."))
    length = request.META.get("CONTENT_LENGTH") or "0"
    if length.isdigit() and int(length) > bytes_most:
        raise _AnsweredError(
            refusal(413, "too-large", f"This is larger than {bytes_most // 1024} kB. Send it in parts.")
        )
    try:
        body = engine.read(request.body)
    except RequestDataTooBig:
        raise _AnsweredError(refusal(413, "too-large", "This is too large. Send it in parts.")) from None
    except engine.Refused as error:
        raise _AnsweredError(refused_json(error, 400)) from None
    if not isinstance(body, dict):
        raise _AnsweredError(
            refusal(400, "bad-request", "The body must be a JSON object that names each key once.")
        )
    return body


def private(page: Page[Rest]) -> Page[Rest]:
    """A page that only this phone may store, and asks for again each time it is shown."""

    @wraps(page)
    def shown(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        response = page(request, *args, **kwargs)
        patch_cache_control(response, private=True, no_cache=True)
        patch_vary_headers(response, ["Cookie", "X-Fragment"])
        return response

    return shown


def replayed(page: Page[Rest]) -> Page[Rest]:
    """A page drawn from the log: if this engine cannot replay it any more, that is what the page says."""

    @wraps(page)
    def shown(request: HttpRequest, /, *args: Rest.args, **kwargs: Rest.kwargs) -> HttpResponse:
        try:
            return page(request, *args, **kwargs)
        except engine.Refused as fault:
            return _unreadable(request, str(kwargs["code"]), fault)

    return shown


def _unreadable(request: HttpRequest, code: str, fault: engine.Refused) -> HttpResponse:
    pad = permissions.required(request, code).pad
    context = {
        "pad": pad,
        "fault": refusal_of(fault),
        "changes": engine_versions.scoring_changes(pad.engine),
        "title": ledger.game_of(pad).title,
    }
    return render(request, "scorepad/unreadable_log.html", context, status=409)

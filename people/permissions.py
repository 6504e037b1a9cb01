"""Permissions: the guard of views, which checks the role of the person who is signed in."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import wraps
from typing import Concatenate, ParamSpec
from urllib.parse import urlencode

from django.contrib.auth import logout
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache

from people import audit_log
from people.limits import limit
from people.models import Person, Session
from people.roles import LEAST, TITLES, Act
from people.sessions import digest_of
from ratelimit import client_address

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, P], HttpResponse]
SEEN_EVERY = timedelta(minutes=5)


def person_of(request: HttpRequest) -> Person:
    """The person who is signed in; behind the guard there always is one."""
    assert isinstance(request.user, Person)
    return request.user


def requires(act: Act) -> Callable[[View[P]], View[P]]:
    """Guard a view: strangers are sent to sign in and come back, those who may not are told who may."""

    def decorate(view: View[P]) -> View[P]:
        @wraps(view)
        @never_cache
        def guarded(request: HttpRequest, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            if isinstance(request.user, Person) and _is_idle(request):
                audit_log.record("signed out, not used for days", request.user)
                logout(request)
            if not isinstance(request.user, Person):
                return _ask_to_sign_in(request)
            if not request.user.may(act):
                audit_log.record(f"not allowed to {act}", request.user, client_address.of_request(request))
                context = {"role": TITLES[request.user.role], "least": TITLES[LEAST[act]]}
                return render(request, "people/forbidden.html", context, status=403)
            _mark_seen(request)
            return view(request, *args, **kwargs)

        return guarded

    return decorate


def _ask_to_sign_in(request: HttpRequest) -> HttpResponse:
    if request.method in ("GET", "HEAD"):
        return redirect(f"{reverse('sign-in')}?{urlencode({'next': request.get_full_path()})}")
    # What was sent is not lost: the browser keeps the form, and drafts are kept on the device.
    return render(request, "people/forbidden.html", {"signed_out": True}, status=403)


def _is_idle(request: HttpRequest) -> bool:
    """True if this device was away so long that it must sign in again."""
    since = timezone.now() - timedelta(days=limit("SESSION_IDLE_DAYS"))
    return Session.objects.filter(session_key=digest_of(request), seen__lt=since).exists()


def _mark_seen(request: HttpRequest) -> None:
    """Note that a device was here, to within a few minutes; not a write for every page."""
    now = timezone.now()
    Session.objects.filter(session_key=digest_of(request), seen__lt=now - SEEN_EVERY).update(seen=now)

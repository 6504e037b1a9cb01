"""Template filters of accounts."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.db import Error
from django.http import HttpRequest

from people.models import Person

register = template.Library()


@register.filter
def has_desk(request: HttpRequest | str | None) -> bool:
    """True if the way to the desk is shown. A reader has no session, and none is looked for."""
    if not isinstance(request, HttpRequest) or settings.SESSION_COOKIE_NAME not in request.COOKIES:
        return False
    try:
        user = getattr(request, "user", None)
        return isinstance(user, Person) and user.may("propose")
    except Error:
        # The page that says so must still be drawn.
        return False

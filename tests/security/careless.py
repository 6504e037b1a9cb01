"""A site that trusts everybody. A check that does not notice it would prove nothing."""

from people.models import Person
from scorepad.access.permissions import PadAccess


def asks_nobody(get_response):
    PadAccess.may = Person.may = lambda somebody, act: True

    def respond(request):
        request._dont_enforce_csrf_checks = True
        return get_response(request)

    return respond

"""Middleware of the pads: each request pays for the replays it needs from the budget of its address."""

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from ratelimit import client_address, work_budget


def replay_account(
    get_response: Callable[[HttpRequest], HttpResponse],
) -> Callable[[HttpRequest], HttpResponse]:
    def respond(request: HttpRequest) -> HttpResponse:
        with work_budget.on_account(lambda: client_address.of_request(request)):
            return get_response(request)

    return respond

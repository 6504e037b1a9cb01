"""Sites that break a promise on purpose. A check that does not notice them would prove nothing."""

import json
import random
import threading
import time

from django.db import connection
from django.http import HttpResponse, JsonResponse

from scorepad.access import permissions
from scorepad.models import Entry

chance = random.Random(5)


def is_tap(request):
    return request.method == "POST" and request.path.endswith("/entries/")


def answers_before_it_stores(get_response):
    """Says "stored" at once and does the work a moment later."""

    def later(request):
        time.sleep(0.1)
        get_response(request)
        connection.close()

    def respond(request):
        if not is_tap(request):
            return get_response(request)
        sent = json.loads(request.body)["entries"]
        threading.Thread(target=later, args=(request,), daemon=True).start()
        results = [{"id": entry["id"], "status": "stored", "number": None, "error": None} for entry in sent]
        return JsonResponse({"head": 0, "results": results})

    return respond


def loses_its_answers(get_response):
    """Stores everything, but every fifth answer does not arrive."""

    def respond(request):
        response = get_response(request)
        return HttpResponse(status=502) if is_tap(request) and chance.random() < 0.2 else response

    return respond


def forgets_ids(get_response):
    """Every tap is a new one, whatever id its phone gave it."""

    def respond(request):
        if is_tap(request):
            body = json.loads(request.body)
            names = [entry.pop("id") for entry in body["entries"]]
            request._body = json.dumps(body).encode()
            response = get_response(request)
            answer = json.loads(response.content)
            for name, result in zip(names, answer["results"], strict=True):
                result["id"] = name
            return JsonResponse(answer)
        return get_response(request)

    return respond


def drops_a_correction(get_response):
    """Acknowledges corrections without storing them: the log is whole, and the result is wrong."""

    def respond(request):
        if is_tap(request):
            sent = json.loads(request.body)["entries"]
            if sent and isinstance(sent[0], dict) and sent[0].get("type") in {"void", "amend"}:
                code = request.path.split("/")[2]
                holder = permissions.access_of(request, code)
                number = Entry.objects.filter(pad=holder.pad).count() + 1
                told = {"id": sent[0]["id"], "status": "stored", "number": number, "error": None}
                return JsonResponse({"head": number, "results": [told]})
        return get_response(request)

    return respond


def loses_a_chip(get_response):
    """A result that is wrong by one, now and then."""

    def respond(request):
        response = get_response(request)
        if request.path.endswith("/result.json") and response.status_code == 200 and chance.random() < 0.05:
            shown = json.loads(response.content)
            first = next(iter(shown["totals"]))
            return JsonResponse({**shown, "totals": {**shown["totals"], first: shown["totals"][first] - 1}})
        return response

    return respond

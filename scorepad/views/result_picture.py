"""The result of a pad as a picture, for those who may watch it."""

import hashlib

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.http import require_safe

from scorepad import ledger
from scorepad.access import permissions
from scorepad.snapshots import Snapshot
from scorepad.views.decorators import private, replayed


@require_safe
@private
@replayed
def picture(request: HttpRequest, code: str, shape: str) -> HttpResponse:
    """A PNG, wide or square."""
    # A phone without network has no Pillow; everything else here works there.
    from scorepad.result_pictures.card_cache import card
    from scorepad.result_pictures.result_card import SHAPES

    access = permissions.required(request, code)
    if shape not in SHAPES:
        raise Http404("A picture is wide or square.")
    drawn = card(Snapshot(access.pad, None, ledger.replay(access.pad)), shape)
    response = HttpResponse(drawn, content_type="image/png")
    response.headers["ETag"] = f'"{hashlib.sha256(drawn).hexdigest()[:20]}"'
    return response

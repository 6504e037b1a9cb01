"""What surrounds the log: names, links, stopping, the next game, the end of the pad."""

from typing import Any

from django.db import transaction
from django.http import HttpRequest, HttpResponse, JsonResponse

from scorepad import expiry, new_pads, pads
from scorepad.access import join_codes, links
from scorepad.access.links import PadAccess
from scorepad.new_pads import creation_limit
from scorepad.views.decorators import reads, refusal, writes

Body = dict[str, Any]


def about(holder: PadAccess) -> dict[str, Any]:
    """The pad beside its log, as the `pad` event and the keeper's calls tell it."""
    pad = holder.pad
    return {
        "pad": f"/pads/{pad.code}/",
        "role": holder.role,
        "seat": holder.who.seat,
        **pads.summary(pad),
    }


@reads
def about_json(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    return JsonResponse(about(holder))


@writes(links.KEEP, form="names")
def names(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    return JsonResponse(pads.summary(pads.rename(holder.pad, body.get("players"), body.get("dealer"))))


@writes(links.KEEP, form="settings")
def settings(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    return JsonResponse(pads.summary(pads.change_settings(holder.pad, body.get("settings"))))


@writes(links.KEEP, form="stop")
def stop(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    return JsonResponse(pads.summary(pads.stop(holder.pad)))


@writes(links.KEEP, form="reopen")
def reopen(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    return JsonResponse(pads.summary(pads.reopen(holder.pad)))


@writes(links.PLAY, form="stay")
def stay(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    """Nobody used this pad for long; it stays all the same."""
    return JsonResponse(pads.summary(expiry.stay(holder.pad)))


@writes(links.KEEP, form="delete")
def delete(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    pads.delete(holder.pad)
    response = JsonResponse({"deleted": holder.pad.code})
    links.forget(response, holder.pad.code)
    return response


@reads
def links_json(request: HttpRequest, holder: PadAccess) -> HttpResponse:
    """The links a holder may pass on: none above his own."""
    return JsonResponse(links.addresses(holder.pad, holder.role), headers={"Cache-Control": "no-store"})


@writes(links.KEEP, form="links")
@transaction.atomic
def change_links(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    """Rotate or revoke the links of one role, or of all but the keeper's with "all"."""
    verb = "rotate" if "rotate" in body else "revoke"
    role = str(body.get(verb))
    roles = (links.PLAY, links.WATCH) if role == "all" else (role,)
    if not all(one in links.ROLES for one in roles) or (verb == "revoke" and role == links.KEEP):
        return refusal(
            422, "bad-role", 'Send {"rotate": role} or {"revoke": role}; revoking the keep link is deleting.'
        )
    shown: dict[str, Any] = {}
    response = JsonResponse({}, headers={"Cache-Control": "no-store"})
    links.hold_for(holder)
    for one in roles:
        if verb == "revoke":
            links.revoke(holder.pad, one)
            shown[one] = None
            continue
        link, token = links.rotate(holder.pad, one)
        shown[one] = links.address(holder.pad, token)
        if one == holder.role and holder.by_cookie:
            links.remember(request, response, holder.pad, link.pk, holder.who)
    response.content = JsonResponse(shown).content
    return response


@writes(links.WATCH, form="join-code")
def join_code(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    """A short code to type, for a role not above the holder's own. {"close": true} ends all (play)."""
    if body.get("close") is True:
        if not holder.may(links.PLAY):
            return refusal(403, "not-allowed", "Only those who play can end the table's codes.")
        join_codes.close_codes(holder.pad)
        return JsonResponse({"code": None})
    role = body.get("role", min(holder.role, links.PLAY, key=lambda role: links.RANK[role]))
    if role not in links.ROLES or not holder.may(role):
        return refusal(403, "not-allowed", "You can only hand on what your own link lets you do.")
    code, row = join_codes.new_code(holder, role)
    shown = {"code": code, "role": role, "ends": row.ends_at.isoformat()}
    return JsonResponse(shown, status=201, headers={"Cache-Control": "no-store"})


@writes(links.PLAY, form="rematch")
def rematch(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    """The next game with the same seats."""
    with creation_limit(request):
        new = new_pads.next_game(holder.pad, dealer=body.get("dealer"))
    return _next(request, holder, new)


@writes(links.KEEP, form="again")
def again(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    """Stop here and start again with these seats."""
    if not isinstance(body.get("players"), list):
        return refusal(422, "bad-players", '"players" must be the names of the new seats.')
    with creation_limit(request):
        new = new_pads.next_game(holder.pad, body["players"], body.get("dealer"), stopping=True)
    return _next(request, holder, new)


def _next(request: HttpRequest, holder: PadAccess, new: new_pads.NewPad) -> HttpResponse:
    """A player who starts the next game gets no more than he had."""
    mine = {role: address for role, address in new.as_dict().items() if role == "pad" or holder.may(role)}
    evening = f"/evenings/{new.pad.evening.code}/" if new.pad.evening else None
    headers = {"Location": mine["pad"], "Cache-Control": "no-store"}
    return JsonResponse({**mine, "evening": evening}, status=201, headers=headers)


@writes(links.PLAY, form="keep")
def keep(request: HttpRequest, holder: PadAccess, body: Body) -> HttpResponse:
    """Ask to keep the pad on this phone; ask again after the wait to get it. The keeper may decline."""
    if holder.may(links.KEEP):
        if body.get("decline") is True:
            join_codes.decline(holder.pad)
        return JsonResponse({"given": True, "wait": 0})
    taken = join_codes.take_over(holder)
    if taken is None:
        return JsonResponse(join_codes.ask_to_keep(holder), status=202)
    link, token = taken
    shown: dict[str, Any] = {"given": True, "wait": 0}
    if not holder.by_cookie:
        shown["keep"] = links.address(holder.pad, token)
    response = JsonResponse(shown, headers={"Cache-Control": "no-store"})
    if holder.by_cookie:
        links.remember(request, response, holder.pad, link.pk, holder.who)
    return response

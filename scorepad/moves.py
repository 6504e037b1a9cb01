"""Moves: a pad that was played on a phone without network becomes a pad of the site, as it is.

The phone gives its pad a name that nobody else can know. Sent twice, or again because the answer was
lost, it is the same pad: what the phone has entered since is added to it, and nothing else is changed.
"""

import hashlib
from collections.abc import Collection, Mapping
from typing import Any

from django.db import IntegrityError, transaction

import engine
from scorepad import declarations, draft_parts, drafts, exports, imports, ledger, new_pads
from scorepad.access import links
from scorepad.ledger import Who, seat_names, validators
from scorepad.limits import limit
from scorepad.models import Draft, Entry, Link, Pad

FIELDS = frozenset(("phone_pad", "follows", "pad", "taps", "draft"))
NAME_LENGTH = 64


def move_file(pad: Pad) -> dict[str, Any]:
    """A pad on this phone as it is sent to the site: its file, with what the file does not tell."""
    rows = Entry.objects.filter(pad=pad).order_by("number")
    draft = drafts.find(pad)
    return {
        "phone_pad": _name(pad),
        "follows": _name(pad.follows) if pad.follows else None,
        "pad": exports.pad_json(pad),
        "taps": [
            {
                "phone": row.phone,
                "tapped": exports.stamp(row.tapped_at) if row.tapped_at else None,
                "answers": row.answers,
            }
            for row in rows
        ],
        "draft": _draft_file(draft) if draft else None,
    }


def _draft_file(draft: Draft) -> dict[str, Any]:
    return {"id": draft.entry_id, "type": draft.kind, "parts": draft.parts, "amends": draft.amends}


def _name(pad: Pad) -> str:
    """The pad's name for the site: as hard to guess as the first link it was made with."""
    first = Link.objects.filter(pad=pad).order_by("pk")[0]
    return hashlib.sha256(f"{pad.code}:{first.nonce}".encode()).hexdigest()


def move(sent: Mapping[str, Any]) -> dict[str, str]:
    """The pad of the site for this file, with the addresses of its links."""
    unknown = [key for key in sent if key not in FIELDS]
    name, file = sent.get("phone_pad"), sent.get("pad")
    if unknown or not isinstance(file, dict) or not isinstance(name, str) or len(name) != NAME_LENGTH:
        raise engine.Refused("bad-sheet", "This is not a pad of a phone. Send it as the phone has it.")
    hashed = links.hashed(name)
    there = Pad.objects.filter(moved_from=hashed, removed_at=None).first()
    if there is not None:
        return _again(there, sent)
    try:
        return _store(hashed, sent).as_dict()
    except IntegrityError:
        # The same pad came by another request at the same moment.
        return _again(Pad.objects.get(moved_from=hashed), sent)


def _store(hashed: str, sent: Mapping[str, Any]) -> new_pads.NewPad:
    brought = imports.read(sent["pad"])
    pad, rows, _, game = brought
    pad.moved_from = hashed
    with transaction.atomic():
        # Answers are read by the game, which may be new here.
        declarations.keep(game)
        for row, tap in zip(rows, _taps(pad, sent.get("taps"), rows), strict=True):
            row.phone, row.tapped_at, row.answers = tap
        new = imports.store(brought)
        _follow(new.pad, sent.get("follows"))
        _keep_draft(new.pad, sent.get("draft"), {row.entry_id for row in rows})
    return new


def _follow(pad: Pad, told: Any) -> None:
    """Put the pad into its evening, after the game that the phone named, if that was moved before. Where the
    table there has begun another since, or its owner a new link, the pad stands alone."""
    if not isinstance(told, str):
        return
    moved = Pad.objects.filter(moved_from=links.hashed(told), removed_at=None)
    before = moved.exclude(pk=pad.pk).select_for_update().first()
    if before and not _has_new_link(before) and not Pad.objects.filter(follows=before).exists():
        new_pads.put_after(before, pad)


def _has_new_link(pad: Pad) -> bool:
    return links.owners(pad).order_by("pk")[0].revoked_at is not None


def _taps(pad: Pad, told: Any, rows: list[Entry]) -> list[tuple[str | None, Any, Any]]:
    """On which phone each entry was tapped and when, and its answers before the last."""
    if told is None:
        return [(None, None, None)] * len(rows)
    if not isinstance(told, list) or len(told) != len(rows) or not all(isinstance(tap, dict) for tap in told):
        raise engine.Refused("bad-sheet", '"taps" must tell of every entry of the log.')
    return [
        (
            imports.text(tap.get("phone") or "", 16) or None,
            imports.time(tap.get("tapped")),
            _answers(pad, row.body, tap.get("answers")),
        )
        for row, tap in zip(rows, told, strict=True)
    ]


def _answers(pad: Pad, body: Mapping[str, Any], told: Any) -> list[Any] | None:
    if told is None:
        return None
    if not isinstance(told, list) or len(str(told)) > limit("DRAFT_BYTES_MOST"):
        raise engine.Refused("bad-sheet", '"answers" must be the parts of an entry.')
    # Of an entry that was opened again the answers are those of what it became.
    whole = body["entry"] if body["type"] == "amend" else body
    return draft_parts.readable(pad, whole.get("type"), told) or None


def _keep_draft(pad: Pad, told: Any, entry_ids: Collection[str]) -> None:
    """The entry that was being filled in; one that does not fit is left out, as it never counted."""
    if not isinstance(told, dict) or len(str(told)) > limit("DRAFT_BYTES_MOST"):
        return
    entry_id, kind, amends = told.get("id"), told.get("type"), told.get("amends")
    if not isinstance(entry_id, str) or not isinstance(kind, str) or entry_id in entry_ids:
        return
    if len(entry_id) > limit("ENTRY_ID_LENGTH_MOST") or not validators.is_storable_text(entry_id):
        return
    parts = draft_parts.readable(pad, kind, told.get("parts"))
    if parts is not None:
        amends = amends if isinstance(amends, str) and amends in entry_ids else None
        Draft.objects.create(pad=pad, entry_id=entry_id, kind=kind, parts=parts, amends=amends)


def _again(pad: Pad, sent: Mapping[str, Any]) -> dict[str, str]:
    """The pad that is there already. What was entered on the phone since is judged like any entry."""
    addresses = addresses_again(pad)
    brought, rows, *_ = imports.read(sent["pad"])
    if (brought.game, len(brought.players)) != (pad.game, len(pad.players)):
        raise engine.Refused("bad-sheet", "This pad was moved before, and was another game then.")
    known = set(pad.entries.values_list("entry_id", flat=True))
    new = [row.entry_id for row in rows if row.entry_id not in known]
    if new and len(rows) - len(new) < len(known):
        says = "This pad was moved before, and the table has gone on since. What you entered here stays here."
        raise engine.Refused("has-gone-on", says)
    for row, (phone, tapped, answers) in zip(rows, _taps(pad, sent.get("taps"), rows), strict=True):
        if row.entry_id in known:
            continue
        entry = {"id": row.entry_id, **seat_names.to_names(ledger.game_of(pad), row.body, pad.players)}
        told = ledger.Told(
            tapped={row.entry_id: tapped or row.made_at}, answers={row.entry_id: answers} if answers else {}
        )
        _, (outcome,) = ledger.append(pad, [entry], Who(row.seat, row.device, phone or ""), told)
        if outcome.error is not None:
            raise outcome.error
    return addresses


def addresses_again(pad: Pad) -> dict[str, str]:
    """The addresses of a pad that a phone has asked for before, for one whose answer was lost."""
    # As with the next game of an evening: a newer owner's link is for those it was given to.
    if _has_new_link(pad):
        says = "This pad was moved before, and its owner has a new link since. Open it by that link."
        raise engine.Refused("link-ended", says)
    return {"pad": links.page_of(pad), **links.addresses(pad)}

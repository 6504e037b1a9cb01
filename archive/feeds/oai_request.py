"""Requests of OAI-PMH 2.0: the arguments of each verb, moments in time, resumption tokens."""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta

from django.utils.dateparse import parse_datetime

PREFIX = "oai_dc"
ALLOWED = {
    "Identify": (set[str](), set[str]()),
    "ListMetadataFormats": (set[str](), {"identifier"}),
    "ListSets": (set[str](), {"resumptionToken"}),
    "GetRecord": ({"identifier", "metadataPrefix"}, set[str]()),
    "ListIdentifiers": ({"metadataPrefix"}, {"from", "until", "set", "resumptionToken"}),
    "ListRecords": ({"metadataPrefix"}, {"from", "until", "set", "resumptionToken"}),
}
"""The arguments each verb must have, and those it may have."""
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
MOMENT = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", re.ASCII)
NAME = re.compile(r"[A-Za-z0-9\-_.!~*'()]+")
WITHOUT_SPACES = re.compile(r"[^\s\x00-\x20]+")
SET = re.compile(rf"{NAME.pattern}(:{NAME.pattern})*")
THE_END = datetime.max.replace(tzinfo=UTC)


class OaiError(Exception):
    """An answer that is an error, by its code in the protocol."""

    def __init__(self, code: str, says: str) -> None:
        super().__init__(says)
        self.code = code


@dataclass(frozen=True)
class OaiRequest:
    """A request that can be answered. `since` is included, `before` is not; a list goes on after `place`."""

    verb: str
    given: Mapping[str, str] = field(default_factory=dict)
    since: datetime | None = None
    before: datetime | None = None
    place: ResumptionPoint | None = None


@dataclass(frozen=True)
class ResumptionPoint:
    """After this record; `cursor` have been told of `total`."""

    changed: datetime
    slug: str
    cursor: int
    total: int


def read(sent: Mapping[str, Sequence[str]]) -> OaiRequest:
    """The request in these arguments, or OaiError."""
    repeated = [name for name, values in sent.items() if len(values) != 1]
    given = {name: values[0] for name, values in sent.items() if values}
    verb = given.pop("verb", "")
    if verb not in ALLOWED or "verb" in repeated:
        raise OaiError("badVerb", f"Ask with one verb, which is one of {', '.join(ALLOWED)}.")
    must, may = ALLOWED[verb]
    if repeated:
        raise _bad(f"{repeated[0]} is given more than once.")
    for name in given:
        if name not in must | may:
            raise _bad(f"{verb} takes no {name[:40]}.")
    if "resumptionToken" in given:
        if len(given) > 1:
            raise _bad("A resumptionToken is sent alone, with the verb.")
        return read_token(verb, given)
    for name in sorted(must - set(given)):
        raise _bad(f"{verb} needs {name}.")
    _check_names(given)
    since, before = _span(given)
    return OaiRequest(verb, given, since, before)


def _bad(says: str) -> OaiError:
    return OaiError("badArgument", says)


def _check_names(given: Mapping[str, str]) -> None:
    if "metadataPrefix" in given and not NAME.fullmatch(given["metadataPrefix"]):
        raise _bad("A metadataPrefix is a word such as oai_dc.")
    if "set" in given and not SET.fullmatch(given["set"]):
        raise _bad("A set is named by words with colons between them.")
    if "identifier" in given and not WITHOUT_SPACES.fullmatch(given["identifier"]):
        raise _bad("An identifier is an address without spaces.")


def _span(given: Mapping[str, str]) -> tuple[datetime | None, datetime | None]:
    first, last = given.get("from"), given.get("until")
    if first is not None and last is not None and len(first) != len(last):
        raise _bad("from and until must be written alike: both as days, or both as seconds.")
    since = _moment(first)[0] if first is not None else None
    before = _moment(last)[1] if last is not None else None
    if since is not None and before is not None and since >= before:
        raise _bad("from is later than until.")
    return since, before


def _moment(words: str) -> tuple[datetime, datetime]:
    """The moment these words begin and the one they end before."""
    is_day = DAY.fullmatch(words)
    if not is_day and not MOMENT.fullmatch(words):
        raise _bad("A time is written like 2026-05-01 or 2026-05-01T19:30:00Z.")
    try:
        begins = parse_datetime(f"{words}T00:00:00Z" if is_day else words)
    except ValueError:
        begins = None
    if begins is None:
        raise _bad(f"There is no such time as {words}.")
    length = timedelta(days=1) if is_day else timedelta(seconds=1)
    return begins, begins + length if begins < THE_END - length else THE_END


def write_token(asked: OaiRequest, place: ResumptionPoint) -> str:
    """Everything that is needed to go on, so that nothing has to be remembered here."""
    span = [moment.isoformat() if moment else None for moment in (asked.since, asked.before)]
    told = [asked.verb, *span, place.changed.isoformat(), place.slug, place.cursor, place.total]
    return base64.urlsafe_b64encode(json.dumps(told, separators=(",", ":")).encode()).decode().rstrip("=")


def _in_utc(words: str | None) -> datetime | None:
    moment = parse_datetime(words) if words is not None else None
    return moment.astimezone(UTC) if moment and moment.tzinfo else moment


def read_token(verb: str, given: Mapping[str, str]) -> OaiRequest:
    says = "This token is unknown, or belongs to another verb. Start the list again."
    fault = OaiError("badResumptionToken", says)
    token = given["resumptionToken"]
    try:
        told = json.loads(base64.b64decode(token + "=" * (-len(token) % 4), altchars="-_", validate=True))
        of, since, before, changed, slug, cursor, total = told
        moments = [_in_utc(words) for words in (since, before, changed)]
    except (binascii.Error, ValueError, TypeError, OverflowError, RecursionError):
        raise fault from None
    sound = all(moment is None or moment.tzinfo for moment in moments) and moments[2] is not None
    whole = type(cursor) is int and type(total) is int and 0 <= cursor <= total < 10**9
    if of != verb or not sound or not whole or not isinstance(slug, str) or not slug.isascii():
        raise fault
    assert moments[2] is not None
    asked = OaiRequest(verb, given, moments[0], moments[1])
    return replace(asked, place=ResumptionPoint(moments[2], slug, cursor, total))

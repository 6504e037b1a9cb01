"""Form for the pairs of parallel texts: sentences that are chosen, and what is decided about them."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date

from django.http import QueryDict

from archive.curation.book_files import PAIRS, write_pairs
from archive.curation.errors import PairError
from archive.edition import EditionError, QuotedSentence, SentencePair
from archive.edition.folder import pairs_in
from archive.edition.records import JOINED_MAX, PAIR_CHANGES
from archive.reader.corrected_pairs import Sentence, digest_of, find_pairs

MAX_PAIRS = 400
MAX_CARRIED_LENGTH = 300_000
"""Letters of the decisions that a page carries along until they are published."""


@dataclass(frozen=True)
class Texts:
    """The sentences of two books: `here` of the one that has the pairs, `there` of the one named `other`."""

    here: Sequence[Sentence]
    there: Sequence[Sentence]
    other: str


@dataclass(frozen=True)
class Decision:
    """What the form decides: the places of the sentences chosen, what is done with them, by whom and when.
    `lost` are old decisions chosen by their names."""

    here: tuple[int, ...]
    there: tuple[int, ...]
    act: str
    change: str
    signed: str
    day: date
    lost: tuple[str, ...] = ()


def decision_from(sent: QueryDict, texts: Texts, signed: str, day: date) -> Decision:
    """PairError if a sentence that was chosen is no longer there."""
    return Decision(
        _places(sent.getlist("here"), texts.here),
        _places(sent.getlist("there"), texts.there),
        sent.get("act", ""),
        sent.get("change", ""),
        signed,
        day,
        tuple(sent.getlist("lost")),
    )


def _places(keys: Iterable[str], side: Sequence[Sentence]) -> tuple[int, ...]:
    known, wanted = {sentence.key: place for place, sentence in enumerate(side)}, set(keys)
    if wanted - known.keys():
        raise PairError(
            "A sentence you ticked has changed meanwhile. Tick again in the texts as they are now."
        )
    return tuple(sorted(known[key] for key in wanted))


def decided(pairs: Sequence[SentencePair], decision: Decision, texts: Texts) -> list[SentencePair]:
    """The pairs with this decision in the place of those that spoke of the same sentences."""
    made: list[SentencePair] = []
    if decision.act == "pair":
        made = [_joined(decision, texts)]
    elif not (decision.here or decision.there or decision.lost):
        raise PairError("Tick the sentences first.")
    elif decision.act == "alone":
        made = [_pair((texts.here[place],), (), "", decision, texts) for place in decision.here]
        made += [_pair((), (texts.there[place],), "", decision, texts) for place in decision.there]
    found, _ = find_pairs(pairs, texts.here, texts.there)
    over = {
        one.pair.id for one in found if {*one.first} & {*decision.here} or {*one.second} & {*decision.there}
    } | {*decision.lost}
    # An old decision that no longer applies goes too, where this one speaks of one of its sentences.
    said = {name for pair in made for name in _said_of(pair)}
    over |= {pair.id for pair in pairs if not said.isdisjoint(_said_of(pair))}
    changed = [pair for pair in pairs if pair.id not in over] + made
    if len(changed) > MAX_PAIRS:
        raise PairError(f"At most {MAX_PAIRS} pairs of two rulebooks can be corrected.")
    return changed


def _said_of(pair: SentencePair) -> list[tuple[str, str | QuotedSentence]]:
    """What no two decisions may share: the sentences of either side, and the name."""
    here, there = ([(side, one) for one in getattr(pair, side)] for side in ("here", "there"))
    return [*here, *there, ("id", pair.id)]


def _joined(decision: Decision, texts: Texts) -> SentencePair:
    sides = (decision.here, decision.there)
    if not all(sides):
        raise PairError("Tick at least one sentence of each rulebook.")
    for places in sides:
        if len(places) > JOINED_MAX:
            raise PairError(f"Tick at most {JOINED_MAX} sentences of a rulebook.")
        if places[-1] - places[0] >= len(places):
            raise PairError("Only sentences that follow each other can be joined.")
    here, there = [texts.here[i] for i in decision.here], [texts.there[i] for i in decision.there]
    one, two = ([word for sentence in side for word in sentence.words] for side in (here, there))
    by_words = "kept" if one == two else "changed"
    change = decision.change if decision.change in PAIR_CHANGES else by_words
    return _pair(here, there, change, decision, texts)


def _pair(
    here: Sequence[Sentence], there: Sequence[Sentence], change: str, decision: Decision, texts: Texts
) -> SentencePair:
    first = (*here, *there)[0]
    side = "" if here else "there-"
    return SentencePair(
        id=f"{texts.other}-{side}{first.anchor}-{first.number}-{digest_of(first.words)}",
        other=texts.other,
        signed=decision.signed,
        dated=decision.day,
        here=tuple(_quoted(one, texts.here) for one in here),
        there=tuple(_quoted(one, texts.there) for one in there),
        change=change,
    )


def _quoted(one: Sentence, among: Sequence[Sentence]) -> QuotedSentence:
    """The sentence by its words; by its number too where its passage has them twice."""
    same = [other for other in among if (other.anchor, other.words) == (one.anchor, one.words)]
    return QuotedSentence(one.anchor, one.text, one.number if len(same) > 1 else 0)


def carried_from(
    text: str, other: str, known: Collection[SentencePair], signed: str, day: date
) -> list[SentencePair]:
    """The decisions that the page carries along until they are published. Those that the book does not know
    yet are of whoever sends them, whatever they say."""
    try:
        pairs = pairs_in({PAIRS: text[:MAX_CARRIED_LENGTH]})
    except EditionError:
        raise PairError(
            "The unsaved decisions of this page were damaged on the way. Open the page again."
        ) from None
    return [
        pair if pair in known else replace(pair, signed=signed, dated=day)
        for pair in pairs[:MAX_PAIRS]
        if pair.other == other
    ]


def with_pairs(files: Mapping[str, str], other: str, pairs: Iterable[SentencePair]) -> dict[str, str]:
    """The file with these pairs in the place of those with the same book."""
    return {PAIRS: write_pairs([*(one for one in pairs_in(files) if one.other != other), *pairs])}

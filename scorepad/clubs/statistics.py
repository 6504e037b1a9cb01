"""Statistics of a club: who plays what, wins and shares of wins, best and average, runs, head to head, the
closest finish. Folded from the games, never stored; each extreme leads to its pad and moment.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import combinations

from scorepad.clubs.club_games import ClubGame

PERSONS_MOST = 60
"""Those who played most have their own lines; figures of all of them would be as many as their pairs."""
PAIRS_MOST = 200


@dataclass(frozen=True)
class Moment:
    """A pad at one of its entries, and the day of the game."""

    address: str
    day: date


@dataclass(frozen=True)
class Run:
    """Games won one after the other by who sat at them all."""

    length: int
    first: Moment
    last: Moment


@dataclass(frozen=True)
class PersonFigures:
    """A person over all games of the season; `plays` has the number of games of each kind."""

    name: str
    played: int
    finished: int
    won: int
    run: Run | None
    plays: tuple[tuple[str, int], ...]

    @property
    def share(self) -> int:
        """Games won of games finished, in percent."""
        return round(100 * self.won / self.finished) if self.finished else 0


@dataclass(frozen=True)
class PersonInGame:
    """A person in the finished games of one kind; without points best and average are None."""

    name: str
    finished: int
    won: int
    best: int | None
    best_at: Moment | None
    average: float | None


@dataclass(frozen=True)
class Extreme:
    """The closest finish or the greatest number: the figure, who, and where."""

    figure: int
    words: str
    at: Moment


@dataclass(frozen=True)
class GameFigures:
    """The finished games of one kind."""

    key: str
    title: str
    finished: int
    persons: tuple[PersonInGame, ...]
    closest: Extreme | None
    greatest: Extreme | None


@dataclass(frozen=True)
class Pair:
    """Two people at one table: finished games together, who won how many of them, and the last one."""

    one: str
    other: str
    together: int
    one_won: int
    other_won: int
    last: Moment


@dataclass(frozen=True)
class EveningFigures:
    """An evening of the club, or a single game that belongs to none."""

    address: str
    began_at: datetime
    games: int
    titles: str
    winners: str


@dataclass(frozen=True)
class Statistics:
    """All figures of a season. `pending` games are not in them yet: their figures follow."""

    games: int
    finished: int
    pending: int
    persons: tuple[PersonFigures, ...]
    by_game: tuple[GameFigures, ...]
    pairs: tuple[Pair, ...]
    evenings: tuple[EveningFigures, ...]


def fold(games: Sequence[ClubGame]) -> Statistics:
    """The statistics of these games, the oldest first."""
    known = [game for game in games if not game.is_pending]
    finished = [game for game in known if game.is_finished]
    names = _names(known)
    return Statistics(
        len(games),
        len(finished),
        len(games) - len(known),
        tuple(_persons(known, names)),
        tuple(_of_game(kind, names) for kind in _by_kind(finished)),
        tuple(_pairs(finished, names)),
        tuple(_evenings(known)),
    )


def moment(game: ClubGame) -> Moment:
    return Moment(game.address, game.made_at.date())


def _names(games: Iterable[ClubGame]) -> dict[str, str]:
    """Those who played most, the first of them first: as their last game writes the name."""
    counts: Counter[str] = Counter()
    latest = {}
    for game in games:
        for seat in game.seats:
            counts[seat.key] += 1
            latest[seat.key] = seat.person
    return {key: latest[key] for key, _ in counts.most_common(PERSONS_MOST)}


@dataclass
class _Sum:
    """A person's games as they are counted."""

    played: int = 0
    finished: int = 0
    won: int = 0
    plays: Counter[str] = field(default_factory=Counter)
    going: list[ClubGame] = field(default_factory=list)
    run: list[ClubGame] = field(default_factory=list)

    def note(self, game: ClubGame, has_won: bool) -> None:
        self.played += 1
        self.plays[game.title] += 1
        if not game.is_finished:
            return
        self.finished += 1
        self.won += has_won
        self.going = [*self.going, game] if has_won else []
        if len(self.going) > len(self.run):
            self.run = self.going


def _persons(games: Iterable[ClubGame], names: dict[str, str]) -> list[PersonFigures]:
    sums = {key: _Sum() for key in names}
    for game in games:
        for seat in game.seats:
            if seat.key in sums:
                sums[seat.key].note(game, seat.has_won)
    found = [
        PersonFigures(
            names[key],
            one.played,
            one.finished,
            one.won,
            Run(len(one.run), moment(one.run[0]), moment(one.run[-1])) if one.run else None,
            tuple(one.plays.most_common()),
        )
        for key, one in sums.items()
    ]
    return sorted(found, key=lambda person: (-person.won, -person.share, person.name.casefold()))


def _by_kind(finished: Iterable[ClubGame]) -> list[list[ClubGame]]:
    kinds: dict[str, list[ClubGame]] = {}
    for game in finished:
        kinds.setdefault(game.game, []).append(game)
    return sorted(kinds.values(), key=len, reverse=True)


def _of_game(games: Sequence[ClubGame], names: dict[str, str]) -> GameFigures:
    first = games[0]
    seats: dict[str, list[tuple[ClubGame, int | None, bool]]] = {}
    for game in games:
        for seat in game.seats:
            seats.setdefault(seat.key, []).append((game, seat.points, seat.has_won))
    rows = [_in_game(names[key], seats[key], first.lowest_wins) for key in names if key in seats]
    rows.sort(key=lambda row: (-row.won, -row.finished, row.name.casefold()))
    return GameFigures(first.game, first.title, len(games), tuple(rows), _closest(games), _greatest(games))


def _in_game(name: str, played: list[tuple[ClubGame, int | None, bool]], lowest: bool) -> PersonInGame:
    scored = [(points, game) for game, points, _ in played if points is not None]
    won = sum(has_won for *_, has_won in played)
    if not scored:
        return PersonInGame(name, len(played), won, None, None, None)
    best, game = (min if lowest else max)(scored, key=lambda pair: pair[0])
    average = round(sum(points for points, _ in scored) / len(scored), 1)
    return PersonInGame(name, len(played), won, best, moment(game), average)


def _closest(games: Iterable[ClubGame]) -> Extreme | None:
    """The game whose winner was the fewest points ahead of the next."""
    found = [(margin, game) for game in games if (margin := _margin(game)) is not None]
    if not found:
        return None
    margin, game = min(found, key=lambda pair: pair[0])
    ahead = " and ".join(game.winners)
    return Extreme(margin, f"{ahead} won by {margin} point{'' if margin == 1 else 's'}", moment(game))


def _margin(game: ClubGame) -> int | None:
    won = [seat.points for seat in game.seats if seat.has_won and seat.points is not None]
    rest = [seat.points for seat in game.seats if not seat.has_won and seat.points is not None]
    if not won or not rest:
        return None
    return min(rest) - max(won) if game.lowest_wins else min(won) - max(rest)


def _greatest(games: Iterable[ClubGame]) -> Extreme | None:
    """The greatest single number, with the page that explains it."""
    found = [(game.greatest, game) for game in games if game.greatest]
    if not found:
        return None
    (name, points, place), game = max(found, key=lambda pair: pair[0][1])
    person = next((seat.person for seat in game.seats if seat.name == name), name)
    at = Moment(f"/pads/{game.code}/why/{place}/", moment(game).day)
    return Extreme(points, f"{points} for {person}", at)


def _pairs(finished: Iterable[ClubGame], names: dict[str, str]) -> list[Pair]:
    sums: dict[tuple[str, str], list[int]] = {}
    last: dict[tuple[str, str], ClubGame] = {}
    for game in finished:
        seats = sorted((seat.key, seat.has_won) for seat in game.seats if seat.key in names)
        for (one, one_won), (other, other_won) in combinations(seats, 2):
            counted = sums.setdefault((one, other), [0, 0, 0])
            counted[0] += 1
            counted[1] += one_won
            counted[2] += other_won
            last[one, other] = game
    found = [
        Pair(names[one], names[other], together, one_won, other_won, moment(last[one, other]))
        for (one, other), (together, one_won, other_won) in sums.items()
    ]
    found.sort(key=lambda pair: (-pair.together, pair.one.casefold(), pair.other.casefold()))
    return found[:PAIRS_MOST]


def _evenings(games: Iterable[ClubGame]) -> list[EveningFigures]:
    """Every evening with what was played and who won it, the latest first."""
    groups: dict[str, list[ClubGame]] = {}
    for game in games:
        groups.setdefault(game.evening or f"pad {game.code}", []).append(game)
    return [_evening(group) for group in reversed(groups.values())]


def _evening(games: Sequence[ClubGame]) -> EveningFigures:
    first = games[0]
    wins = Counter(name for game in games if game.is_finished for name in game.winners)
    most = max(wins.values(), default=0)
    ahead = [name for name, count in wins.items() if count == most]
    return EveningFigures(
        f"/evenings/{first.evening}/" if first.evening else f"/pads/{first.code}/",
        first.made_at,
        len(games),
        "; ".join(dict.fromkeys(game.title for game in games)),
        f"{' and '.join(ahead)} won {most}" if most else "",
    )

"""House rules: the variant a table plays, and the options it chose otherwise than the game does by itself."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from engine import Game, Option
from scorepad import archive_lookup, ledger
from scorepad.models import Pad


@dataclass(frozen=True)
class ChangedOption:
    """An option this table chose otherwise: its answer in words, and its place among the questions."""

    option: Option
    words: str
    address: str


@dataclass(frozen=True)
class HouseRules:
    """`words` for the head of the pad, "" where all is as usual; `address` leads to what they name."""

    words: str
    address: str
    variant: archive_lookup.Variant | None
    choices: list[ChangedOption]


def house_rules(pad: Pad) -> HouseRules:
    game = ledger.game_of(pad)
    chosen = _changed_options(game, pad.options)
    variants = _variants(game) if pad.variant or chosen else []
    variant = next((one for one in variants if one.slug == pad.variant), None)
    # "As printed" is the game as it is; a table that chose just what another variant chooses plays that one.
    if variant is None or not (_changed_options(game, variant.options) or variant.settings):
        variant = _find_variant(game, variants, chosen)
    theirs = _changed_options(game, variant.options) if variant else {}
    own = sum(chosen.get(key) != theirs.get(key) for key in {*chosen, *theirs} - {game.stake})
    parts = [variant.title] if variant else []
    parts += [f"{own} option{'' if own == 1 else 's'} changed"] if own else []
    address = variant.address if variant and not own else f"/pads/{pad.code}/table/#plays"
    return HouseRules(", ".join(parts), address, variant, _choices(game, chosen))


def _changed_options(game: Game, options: Mapping[str, Any]) -> dict[str, Any]:
    return {
        option.key: options[option.key]
        for option in game.options
        if options.get(option.key, option.default) != option.default
    }


def _variants(game: Game) -> list[archive_lookup.Variant]:
    return [
        archive_lookup.Variant(
            one["slug"], game.key, one["options"], one["settings"] or {}, one["title"] or one["slug"]
        )
        for one in archive_lookup.variants_of_game(game.key)
    ]


def _find_variant(
    game: Game, variants: Sequence[archive_lookup.Variant], chosen: Mapping[str, Any]
) -> archive_lookup.Variant | None:
    """The variant whose options these are, chosen without naming it. The number of chips is no reading."""

    def readings(options: Mapping[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in options.items() if key != game.stake}

    wanted = readings(chosen)
    if not wanted:
        return None
    known = ((one, readings(_changed_options(game, one.options))) for one in variants if not one.settings)
    return next((one for one, own in known if own == wanted), None)


def _choices(game: Game, chosen: Mapping[str, Any]) -> list[ChangedOption]:
    return [
        ChangedOption(
            option,
            option.readings.get(str(chosen[option.key]), f"{chosen[option.key]}."),
            _question_address(game, option),
        )
        for option in game.options
        if option.key in chosen
    ]


def _question_address(game: Game, option: Option) -> str:
    """The page of an option; of a declared game the passage that it rests on."""
    if game.declaration is None:
        return f"/questions/{game.key}/#{option.key}"
    return f"/books/{option.cites[0].book}/passages/{option.cites[0].anchor}/"

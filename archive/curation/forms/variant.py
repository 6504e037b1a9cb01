"""Form for a variant: its fields read into a variant, and the book's variants with it."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.utils.text import slugify

import engine
from archive.curation.book_files import VARIANTS, passage_names, variants_in, write_variants
from archive.curation.errors import VariantError
from archive.curation.forms.fields import MAX_SLUG, is_slug, number_from
from archive.edition import Variant
from archive.models import Variant as VariantRow
from archive.text_input import clean_line, clean_text

MAX_CHIPS = 6
MAX_OPTION = 99_999_999_999
MAX_CHIP_VALUE = 9_999
MAX_LENGTHS = {"title": 120, "who": 150, "since": 60}


def fields_of(variant: Variant) -> dict[str, str]:
    fields = {name: getattr(variant, name) for name in ("slug", "game", "title", "reasons", "who", "since")}
    fields |= {f"option-{key}": str(value) for key, value in variant.options.items()}
    fields["cites"] = "\n".join(cite.partition("/")[2] for cite in variant.cites)
    fields["chips"] = ", ".join(str(value) for value in variant.pad.get("chips", ()))
    return fields


def options_from(fields: Mapping[str, str], game: engine.Game) -> dict[str, str | int]:
    """The options that differ from the defaults; VariantError where a value cannot be."""
    chosen: dict[str, str | int] = {}
    for option in game.options:
        written = fields.get(f"option-{option.key}", "").strip()
        if not written:
            continue
        value = _value(written, option)
        if not option.admits(value):
            raise VariantError(f"{option.question} It can be {option.range}.", field=f"option-{option.key}")
        if value != option.default:
            chosen[option.key] = value
    _check_together(chosen, game)
    return chosen


def _check_together(chosen: Mapping[str, str | int], game: engine.Game) -> None:
    """VariantError at an option that does not go with the others: without it they would do."""
    sentence = _refusal(chosen, game)
    if sentence:
        alone = (key for key in chosen if not _refusal({k: v for k, v in chosen.items() if k != key}, game))
        raise VariantError(sentence, field=f"option-{next(alone, next(iter(chosen), ''))}")


def _refusal(chosen: Mapping[str, str | int], game: engine.Game) -> str:
    try:
        game.option_rule({option.key: option.default for option in game.options} | dict(chosen))
    except engine.Refused as refused:
        return refused.message
    return ""


def _value(written: str, option: engine.Option) -> str | int:
    """The value in the option's own type: a number may also be one of a few to choose from."""
    if written in option.readings:
        return written
    number = number_from(written, -MAX_OPTION, MAX_OPTION)
    return written if number is None else number


def game_from(fields: Mapping[str, str]) -> engine.Game:
    game = engine.GAMES.get(fields.get("game", ""))
    if game is None:
        raise VariantError("Choose the game.")
    return game


def variant_from(fields: Mapping[str, str], book: str, slug: str = "") -> Variant:
    """The variant that the form describes; VariantError where it cannot be written down at all."""
    game = game_from(fields)
    line = {name: clean_line(fields.get(name, "")) for name in ("title", "who", "since", "slug")}
    reasons = clean_text(fields.get("reasons", "")).strip()
    if not line["title"]:
        raise VariantError("Give the variant a name.", field="title")
    if not reasons:
        raise VariantError("Say why people play this way.", field="reasons")
    for name, most in MAX_LENGTHS.items():
        if len(line[name]) > most:
            raise VariantError(f"“{line[name][:20]}…” is too long: at most {most} letters.", field=name)
    names = fields.get("cites", "").replace(",", " ").split()
    written = [part for part in re.split(r"[\s,]+", fields.get("chips", "")) if part]
    chips = [number_from(part, 1, MAX_CHIP_VALUE) for part in written]
    if not all(chips) or len(chips) > MAX_CHIPS:
        raise VariantError("Write the values of the chips as numbers: 5, 10, 25.", field="chips")
    return Variant(
        slug=slug or line["slug"] or slugify(line["title"])[:MAX_SLUG].strip("-"),
        game=game.key,
        title=line["title"],
        reasons=reasons,
        cites=tuple(name if "/" in name else f"{book}/{name}" for name in names),
        options=options_from(fields, game),
        pad={"chips": tuple(filter(None, chips))} if chips else {},
        who=line["who"],
        since=line["since"],
    )


def with_variant(files: Mapping[str, str], variant: Variant, old: str = "") -> dict[str, str]:
    variants = variants_in(files)
    _check_cites(files, variant)
    if not old:
        _check_slug(variant.slug, [other.slug for other in variants])
        return {VARIANTS: write_variants([*variants, variant])}
    kept = [replace(variant, retired=other.retired) if other.slug == old else other for other in variants]
    return {VARIANTS: write_variants(kept)}


def _check_slug(slug: str, known: Sequence[str]) -> None:
    if not is_slug(slug):
        raise VariantError("Use small letters, digits and hyphens; not “new”.", field="slug")
    if slug in known or VariantRow.objects.filter(slug=slug).exists():
        raise VariantError(f"There is a variant {slug} already; choose another name.", field="slug")


def _check_cites(files: Mapping[str, str], variant: Variant) -> None:
    if not variant.cites:
        raise VariantError("Name at least one passage it is based on.", field="cites")
    known = set(passage_names(files))
    for name in (cite.partition("/")[2] for cite in variant.cites):
        if name not in known:
            raise VariantError(f"No passage of this rulebook is called “{name[:60]}”.", field="cites")


def with_retired(files: Mapping[str, str], slug: str, retired: str) -> dict[str, str]:
    """A retired variant is offered no more; its page and the pads that play it stay. Empty brings it back."""
    variants = variants_in(files)
    kept = [replace(other, retired=retired) if other.slug == slug else other for other in variants]
    return {VARIANTS: write_variants(kept)}

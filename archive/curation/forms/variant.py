"""Form for a variant: its fields read into a variant, and the book's variants with it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from django.utils.text import slugify

import engine
from archive.curation.book_files import VARIANTS, variants_in, write_variants
from archive.curation.errors import VariantError
from archive.curation.forms.fields import MAX_SLUG, is_slug, number_from
from archive.edition import Variant
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
        number = number_from(written, -MAX_OPTION, MAX_OPTION) if option.values is None else None
        value: str | int = written if number is None else number
        if not option.admits(value):
            raise VariantError(f"{option.question} It can be {option.range}.")
        if value != option.default:
            chosen[option.key] = value
    return chosen


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
    if not line["title"] or not reasons:
        raise VariantError("Give the variant a name, and say why one plays so.")
    for name, most in MAX_LENGTHS.items():
        if len(line[name]) > most:
            raise VariantError(f"“{line[name][:20]}…” is too long: at most {most} letters.")
    names = fields.get("cites", "").replace(",", " ").split()
    written = [part for part in re.split(r"[\s,]+", fields.get("chips", "")) if part]
    chips = [number_from(part, 1, MAX_CHIP_VALUE) for part in written]
    if not all(chips) or len(chips) > MAX_CHIPS:
        raise VariantError("Write the values of the chips as numbers: 5, 10, 25.")
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
    if not old:
        if not is_slug(variant.slug):
            raise VariantError("Its name in addresses is of small letters, figures and hyphens; not “new”.")
        if any(other.slug == variant.slug for other in variants):
            raise VariantError(f"There is a variant {variant.slug} already; choose another name.")
        return {VARIANTS: write_variants([*variants, variant])}
    kept = [replace(variant, retired=other.retired) if other.slug == old else other for other in variants]
    return {VARIANTS: write_variants(kept)}


def with_retired(files: Mapping[str, str], slug: str, retired: str) -> dict[str, str]:
    """A retired variant is offered no more; its page and the pads that play it stay. Empty brings it back."""
    variants = variants_in(files)
    kept = [replace(other, retired=retired) if other.slug == slug else other for other in variants]
    return {VARIANTS: write_variants(kept)}

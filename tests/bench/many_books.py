"""Ten thousand books in a scratch database: one is generated and published, the others are copied by SQL."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

from django.conf import settings
from django.db import connection, transaction

from archive import edition
from archive.edition.transcript import read_text
from archive.models import Book, Leaf, Note, PageImage, Passage, PassageName
from archive.publication import publish

PAGES = 8
SENTENCES = 8
WORDS = [
    *("card", "cards", "player", "players", "deal", "dealer", "hand", "points", "score", "bonus", "colour"),
    *("color", "order", "draw", "discard", "pile", "pack", "rummy", "sequence", "set", "suit", "meld"),
    *("table", "turn", "left", "first", "lowest", "highest", "count", "game", "winner", "the"),
]
FIRST = "generated-00000"


def sentence(chance: random.Random) -> str:
    return " ".join(chance.choice(WORDS) for _ in range(12)).capitalize() + "."


def generate() -> edition.Edition:
    """A book of eight pages, with the catalogue of a real one and notes of its own."""
    chance = random.Random(1916)  # the same book every time
    real = edition.read_book(settings.FIXTURES / "books" / "rummy-1916")
    lines = []
    for page in range(1, PAGES + 1):
        lines += [f"=== leaf {page} ===", ""]
        lines += [f"{{#p{page}-{n}}} {sentence(chance)}" for n in range(SENTENCES)] + [""]
    text = read_text("\n".join(lines[:-1]) + "\n")
    leaves = tuple(
        edition.Leaf(block.leaf, "", f"Page {block.leaf}", "certain", "1", block.lines)
        for block in text.blocks
    )
    notes = tuple(
        replace(
            real.notes[0], id=f"n{page}", anchor=f"p{page}-1", quote="", prefix="", suffix="", layer="reading"
        )
        for page in range(1, PAGES + 1)
    )
    catalogue = replace(real.catalogue, title="A generated book", short_title="Generated", sections=())
    return replace(
        real, slug=FIRST, catalogue=catalogue, leaves=leaves, loose=(), passages=text.passages, notes=notes,
        variants=(), briefs=(), witness="",
    )  # fmt: skip


def grow(count: int) -> None:
    """Make so many generated books, in a database that has none yet."""
    book = publish.publish(generate(), {"text.txt": "generated"})
    for leaf in book.leaves.all():
        words = [
            {
                "text": "card",
                "line": line.number,
                "offset": 0,
                "row": line.number,
                "passage": line.passages[0],
            }
            | {"x": 100, "y": 60 * line.number, "w": 200, "h": 40}
            for line in leaf.text_lines
        ]
        PageImage.objects.create(
            leaf=leaf, kind="facsimile", identifier=f"{FIRST}-{leaf.number}-f", width=1600, height=2400,
            checksum="0" * 64, words=words,
        )  # fmt: skip
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("CREATE TEMP TABLE copies AS WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1"
                       " FROM c WHERE n < %s) SELECT n FROM c", [count - 1])  # fmt: skip
        steps: dict[Any, int] = {
            model: model.objects.order_by("-pk").values_list("pk", flat=True)[0]
            for model in (Book, Leaf, Passage, PassageName, Note, PageImage)
        }
        own = f"t.book_id = {book.pk}"
        slug = f"'generated-' || {filled(5)}"
        _copy(
            cursor,
            Book,
            steps,
            f"t.id = {book.pk}",
            slug=slug,
            short_title="'Generated ' || n",
            year="1900 + n % 60",
            fingerprint=filled(64),
        )
        _copy(cursor, Leaf, steps, own)
        _copy(cursor, Passage, steps, own)
        _copy(cursor, PassageName, steps, own)
        _copy(cursor, Note, steps, own)
        leaves = f"SELECT id FROM archive_leaf WHERE book_id = {book.pk}"
        _copy(cursor, PageImage, steps, f"t.leaf_id IN ({leaves})", identifier="t.identifier || '-' || n")
        scope, into, lexemes = f"{book.pk} + n * {steps[Book]}", "", ""
        if connection.vendor == "postgresql":
            own_mark = f"'#b' || ({scope})"
            into, lexemes = ", lexemes", f", replace(lexemes::text, '#b{book.pk}', {own_mark})::tsvector"
        else:
            scope = f"replace(scope, 'b{book.pk} ', 'b' || ({scope}) || ' ')"
        cursor.execute(
            f"INSERT INTO archive_search (scope, book, kind, key, anchor, title, text{into})"
            f" SELECT {scope}, {slug}, kind, key, anchor, title, text{lexemes}"
            " FROM archive_search, copies WHERE book = %s ORDER BY n",
            [FIRST],
        )
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")


def filled(width: int) -> str:
    """The number of a copy with zeros before it, in the words of either database."""
    zeros = "0" * width
    return f"substr('{zeros}' || n, length('{zeros}' || n) - {width - 1})"


def _copy(cursor: Any, model: Any, steps: dict[Any, int], where: str, **changed: str) -> None:
    """Every row of the first book once for each copy; keys move on by the largest there was: none meet."""
    columns, values = [], []
    for field in model._meta.concrete_fields:
        related = model if field.primary_key else field.related_model
        value = changed.get(field.name, f't."{field.column}"')
        if related in steps:
            value = f't."{field.column}" + n * {steps[related]}'
        columns.append(f'"{field.column}"')
        values.append(value)
    table, into, what = model._meta.db_table, ", ".join(columns), ", ".join(values)
    cursor.execute(f"INSERT INTO {table} ({into}) SELECT {what} FROM {table} t, copies WHERE {where}")

"""Games declared as data: a TOML text is read, checked and made into the same `Game` as a file of code.

A declaration is written beside a rulebook by somebody who need not program: what can be asked of the table,
what can happen, what it awards and which passage says so. docs/format.md describes it.

- `schema`: reads the text; `entry_tables`, `parts`: its tables, each key with its type
- `declaration`: what was read
- `sums` and `calculation`: `hearts + 13 * queen`, read into a tree, checked, bounded, worked out
- `blanks`: `{who} took {points}`
- `game`: plays it; `statements`: tells it in plain sentences; `golden`: the sheets beside it
- `errors` and `lines`: what is wrong, and in which line
- `draft`: a declaration while it is written: its pieces, and every fault
- `pinned`: the declaration a sheet brings along
"""

from engine.declared.declaration import Declaration
from engine.declared.draft import Draft, read_draft
from engine.declared.errors import DeclarationError
from engine.declared.schema import declaration_of, digest_of, read_declaration
from engine.declared.statements import Statement, silent_passages, statements

__all__ = [
    "Declaration",
    "DeclarationError",
    "Draft",
    "Statement",
    "declaration_of",
    "digest_of",
    "read_declaration",
    "read_draft",
    "silent_passages",
    "statements",
]

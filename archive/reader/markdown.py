"""Markdown of notes and variants to HTML: raw HTML is off, and only known tags leave."""

from __future__ import annotations

import nh3
from markdown_it import MarkdownIt

READER = MarkdownIt("commonmark", {"html": False, "typographer": False}).enable("table")
TABLES = {"table", "thead", "tbody", "tr", "th", "td"}
TAGS = {"p", "em", "strong", "ul", "ol", "li", "blockquote", "code", "a", "br"} | TABLES


def to_html(markdown: str) -> str:
    html = READER.render(markdown).strip()
    return nh3.clean(html, tags=TAGS, attributes={"a": {"href"}}, link_rel="nofollow")


def to_text(markdown: str) -> str:
    """The words alone, for search and for citations."""
    return " ".join(nh3.clean(READER.render(markdown), tags=set()).split())

"""The text of a note as plain paragraphs: its HTML is ours and has few tags."""

from __future__ import annotations

from html.parser import HTMLParser

ITEM = "• "
BLOCKS = {"p", "li", "blockquote", "tr"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.paragraphs: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag == "p" and self.text == ITEM:
            return
        if tag in BLOCKS:
            self.finish()
            self.text = ITEM if tag == "li" else ""
        elif tag in ("td", "th") and self.text:
            self.text += " | "

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.finish()

    def handle_data(self, data: str) -> None:
        self.text += data

    def finish(self) -> None:
        words = " ".join(self.text.split())
        if words and words != ITEM.strip():
            self.paragraphs.append(words)
        self.text = ""


def paragraphs_of(html: str) -> tuple[str, ...]:
    """The paragraphs of a note.

    >>> paragraphs_of("<p>One <em>word</em>.</p>\\n<ul><li>first</li></ul>")
    ('One word.', '• first')
    """
    reader = _Reader()
    reader.feed(html)
    reader.finish()
    return tuple(reader.paragraphs)

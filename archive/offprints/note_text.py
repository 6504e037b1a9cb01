"""The text of a note as plain paragraphs: its HTML is ours and has few tags."""

from __future__ import annotations

from html.parser import HTMLParser

BLOCKS = {"p", "li", "blockquote", "tr"}


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.paragraphs: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in BLOCKS:
            self.finish()
            self.text = "• " if tag == "li" else ""
        elif tag in ("td", "th") and self.text:
            self.text += " | "

    def handle_endtag(self, tag: str) -> None:
        if tag in BLOCKS:
            self.finish()

    def handle_data(self, data: str) -> None:
        self.text += data

    def finish(self) -> None:
        # An item whose paragraph is a tag of its own keeps its sign.
        words = " ".join(self.text.split())
        if words and words != "•":
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

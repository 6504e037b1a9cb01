"""The marks of text.txt, explained where they are needed: what one writes, and what it means."""

from __future__ import annotations

EXPLAINED = (
    ("{cash → dash | a-dash}", "The print has “cash”, we read “dash”; the note “a-dash” says why."),
    ("{the the → | twice}", "It stands in print, and is left out of the reading text."),
    ("⟨or white | colors-lost⟩", "Words that are lost and that we supply. The brackets stay."),
    ("⟨… | heading-lost⟩", "Something is lost, and we propose nothing."),
    ("**bold** *italic*", "Emphasis in the print. It ends with its line."),
    ("ex¬", "A word divided at the end of a line."),
    ("{#score-capture}", "A passage begins here. Its name never changes once it is published."),
    ("[heading]", "How the line is set; a line without it is running text."),
    ("+ and then", "The line goes on with the paragraph before it."),
    ("VICTORY || R", "Divides the cells of a row of a table."),
    (r"\*", "The sign itself, and no mark."),
)

"""The reading pages: a book, its leaves, passages and notes, made ready for templates and downloads.

book_page        leaves as blocks of text with notes, and the cached body of a book's page
html             the text of leaves as HTML, in both layers
passages         one passage alone; evidence: whose words it has, and what carries it
notes            notes as pages show them
margin           notes beside the text, folded where there is no room
passage_regions  passages and found words as paths over a page image
note_regions     rectangles of notes on a page image
search_hits      search hits down to the letter
passage_scoring  what the engine scores by a passage
citations        what is cited, as one object; citation_formats: that object in plain words and six formats
sentence_alignment  two rulebooks sentence by sentence; corrected_pairs: pairs that a person made, found again
open_in          viewers of other sites that can open a rulebook
metadata         JSON-LD, Highwire tags, Open Graph card
downloads        a book as plain text and as JSON
markdown         Markdown of notes and variants to HTML and to text
"""

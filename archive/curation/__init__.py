"""Curation: changing what is published, by forms, proposals and revisions.

`edits` opens a book and publishes a change, `proposals` lets it wait for a curator, `merge` joins it with
what others did, `matches` finds what two texts share, `diff` and `page_clips` show it, `note_repair` lists
notes that lost their words, `proofreading` says how far a leaf is checked, `leaf_order` moves leaves,
`variant_examples` tries a variant, `replacement` searches and replaces, `page_list` lists pages, `page_lines`
finds the lines of a page on its image, `book_files` reads and writes the files of a book, `forms` says what
was written, `views` are the pages.

A declared game: `game_drafts` keeps what one person writes, `game_text` puts a piece into the text,
`game_places` names the pieces, `game_outline` tells them in plain words, `game_sheets` has the example
sheets.
"""

"""Forms of curation: what people wrote, checked and turned into records of a book, and back.

One module for each page: `brief`, `catalogue` with its questions in `catalogue_fields`, `leaf_order`,
`leaf_text`, `new_book`, `note` with its rectangle in `note_region`, `sentence_pairs`,
`variant`, `word_box`. `fields` has what they share.

A declared game: `game_files` for its texts, `game_forms` with the form of each piece: `game_piece`,
`game_table`, `game_question`, `game_rule`, `game_scoring`, and their fields in `game_inputs`.
"""

"""Forms of curation: what people wrote, checked and turned into records of a book, and back.

One module for each page: `brief`, `catalogue` with its questions in `catalogue_fields`, `leaf_order`,
`leaf_text`, `new_book`, `note` with its rectangle in `note_region`,
`variant`, `word_box`. `fields` has what they share.
"""

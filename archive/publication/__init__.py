"""Publication of books: a folder's files become rows, and each published state a revision.

publish        reads, checks, loads and exports folders; writes the rows of a book
cross_checks   agreement of books with the engine, with each other and with published names
revisions      the log of every book
book_states    draft, public, withdrawn
verification   the archive compared with its files, seals and checksums
errors         refusals in sentences
"""

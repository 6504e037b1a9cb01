"""The archive: an annotated edition of old rulebooks.

models       tables
edition      the file format of a book, without Django
publication  files become rows and revisions
reader       pages of books, passages and notes; views has their addresses
search       full-text search on either database
iiif, tei, feeds  books for the programs of other sites
images, facsimile, scans, ocr  page images: served, typeset, uploaded, read
curation     editing by curators
dump         the whole archive as a bag
"""

SITE_NAME = "Tallyroom"

"""The archive: an annotated edition of old rulebooks.

models       tables
edition      the file format of a book, without Django
publication  files become rows and revisions
reader       pages of books, passages and notes; views has their addresses
search       full-text search on either database
iiif, tei, feeds  books for the programs of other sites
images, facsimile, scans, ocr  page images: served, typeset, uploaded, read
curation     editing by curators
jobs, iiif_source  work on many scans in the background; images of other institutions
scan_proposals, ocr_proposals  a picture or a first text that waits for a curator
messages     what readers tell the curators
offprints    a rulebook as PDF and EPUB
dump         the whole archive as a bag

lookup       answers to the score pads
visibility   who sees drafts and withdrawn books
site         the name of the archive, and whom to ask; licences, rights_statements: under which terms
sample_pad   the sample of 1942 reconstructed
background   queues with a thread; cache: a bounded cache in memory
responses, xml, text_input  answers to programs; XML written; forms cleaned
"""

SITE_NAME = "Tallyroom"

"""Feeds of changes for other sites' programs, all from one log.

change_log        revisions of books, and scans put up or taken down
atom              the newest changes as an Atom feed
change_discovery  IIIF Change Discovery
oai_pmh           OAI-PMH: the catalogue for harvesters; oai_request reads what they ask
dublin_core       a book in Dublin Core
views             the addresses of these
"""

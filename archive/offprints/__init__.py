"""Offprints: a rulebook to print and to take along, as PDF and as EPUB 3.

An offprint is made on demand and outside the request, kept in the storage of pages, and the same byte for
byte as long as the revision is: what changes in a rulebook makes a new file, and the old one goes.

content        a rulebook as paragraphs, notes and statements, from which both forms are made
note_text      a note's HTML as plain paragraphs
typst_pdf      the PDF, set by Typst in a child process with hard limits
typst_worker   the program that runs in the child
epub           the EPUB
limits         how many a stranger may have made, and how long one may take
shelf          which offprints there are, making and keeping them
"""

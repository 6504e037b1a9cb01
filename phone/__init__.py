"""Pads without network: the pads' own Django application, run by Python inside the browser of a phone.

On the phone, in the kit:
settings         slim settings: pads on a database in memory, templates and passages from the kit
application      start it, and answer one request: method, path, headers and body in, an answer out
given_content    what the site gave along
absent_modules   what Django imports and a phone never uses
self_check       the hand it plays against itself before it is ready
shared_pads      a pad of the site, as it was last seen, and what was tapped here since
pad_records      a pad as the rows the browser keeps, and back
archive_content  answers to the pads when they ask for variants and passages, from the kit
letter_widths    widths of letters, for the picture of a result
static_names     names of static files as the site gives them
middleware       what stands for the site's middleware
context_processors  whether a phone draws a template, without the site
people_tags      the filter of accounts that the masthead asks for; a phone has none
urls, views      addresses of the pads here, and of the pages around them

On the site:
kit      builds the kit: compiles, gathers, compresses, and lists it in a manifest
site     the pages about it: taking it along, the check, and how it works

docs/phones.md tells how it works.
"""

"""Images of other institutions, brought over by IIIF.

- `client`: fetches from hosts that the administrator has allowed, and from nowhere else
- `manifest`: what a manifest (Presentation 2 or 3) says of its pages
- `page_import`: a job on the pages that were chosen, and the import of one
"""

"""Work on many scans at once, in the background.

A job and its pages are rows of the database (`archive.models.jobs`); a worker process of ours does them, one
page after the other. It needs no other service, survives a restart because the rows do, and on several
machines each page is worked on once, because a page is locked while it is.

- `stack`: the choice of a stack of scans and what to do with them; progress, report, stop
- `scan_actions`: what is done with one scan
- `worker`: the process that works, and how it is started
"""

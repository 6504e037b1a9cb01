"""Live updates: phones that keep a stream open are told when their pad changes.

- sse: the stream itself, `/pads/<code>/events`, as server-sent events
- messages: what each event of the stream looks like
- hub: the open streams of this process, and the one task that reads for all of them
- streams: one open phone, its queue and how far it has come
- reader: what the hub reads from the database
- notify: who is told after a commit, in this process and in others
"""

"""The HTTP server: uvicorn, held to bounds that a site without a proxy before it needs.

- process: the server process, its start and its shutdown
- prepare: migrations, books, pages and static files, before it serves
- protocol: one connection, with bounds on the head of a request and on requests sent ahead
- request_body: the whole body of a request, read before a thread is taken
- garbage: garbage collection in steps that no tap waits for
- wsgi_bridge: Django's WSGI application in threads, and its responses sent as fast as they are read
"""

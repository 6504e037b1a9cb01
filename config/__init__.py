"""The configured site: settings, addresses, middleware, server. The only package that imports all the others.

- settings, environment, network: settings, each from the environment with a default
- urls, wsgi, asgi, serve: addresses and applications; `python -m config.serve` runs the site
- middleware, request_ids, security_policy, static_files, log_format: what each request and response passes
- templates: Django's templates, which give their memory back when a page is drawn
- server: the HTTP server; openapi: the description of the JSON addresses; sqlite3: the database backend
"""

"""Control of test_asgi.py: pages in threads that read bodies and write answers themselves."""

from a2wsgi import WSGIMiddleware

from config.wsgi import application as django_application

application = WSGIMiddleware(django_application, workers=10)

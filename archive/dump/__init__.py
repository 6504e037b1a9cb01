"""The whole archive as a bag (BagIt 1.0, RFC 8493), to be kept for decades and loaded into an empty site.

bag     bags of RFC 8493: written, opened and checked
rows    rows of the database as lines of JSON, and back
write   manage.py dump
load    manage.py load_dump
"""

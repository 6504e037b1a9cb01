"""Description of the JSON addresses by OpenAPI 3.1.

- views: /openapi.json
- pads, clubs, archive: the addresses of the pads, of the clubs and of the books
- schemas: the schemas of the pads, and what all schemas are written with
"""

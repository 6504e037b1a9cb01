"""Operation of the site: what a person who runs it needs, for books and pads alike.

- backup, restore, database_snapshots: the whole site in one file, and back
- postgres_migration: a site on SQLite moves to PostgreSQL
- health, metrics, shutdown: /health, /ready and /metrics, and the orderly end of a process
- service_errors: what is answered while the disk is full or the database cannot be reached
- locks: what only one process may do at a time
- management/commands: backup, restore, verify
"""

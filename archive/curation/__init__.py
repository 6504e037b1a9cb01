"""Editing what is published: revisions, mending, notes, variants, proposals."""

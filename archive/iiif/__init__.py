"""IIIF: our books and their page images for other people's viewers."""

"""Public pages of the archive, and what can be downloaded from them."""

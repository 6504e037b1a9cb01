"""What changed, for other people's programs: Atom, IIIF Change Discovery and OAI-PMH, from one log."""

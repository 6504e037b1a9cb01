"""Page images: how they are cut, kept, asked for and shown."""

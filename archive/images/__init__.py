"""Page images: how they are stored, cut into files, requested and served.

- `storage`: the storages of originals and of served files; recording an image
- `tiles`: sizes and tiles, thumbnails included; `derivatives`: cutting them
- `iiif_request`: parsing an image request; `assembly`: answering one that no stored file answers
- `middleware`: serving stored files; `page_image_cache`: an image by its identifier
- `cards`: the picture of a passage for shared links
- `facsimile_tasks`, `facsimiles`: typesetting pages, and updating them when a text changes
- `pictures`: images for templates; `clips`: crops of a passage
- `boxes`: rectangles on a page image; `word_places`: where its words are
- `unneeded_uploads`: deleting originals that nothing needs any more
"""

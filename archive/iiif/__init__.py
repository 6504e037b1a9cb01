"""IIIF: the books and their page images for the viewers of other sites.

presentation      collections, manifests, canvases (Presentation API 3)
presentation_2    the same documents in the words of Presentation API 2
line_boxes        text lines and letters as boxes on a page image; the annotation page of the lines
alto_page         a page with its words as ALTO 4
note_annotations  notes as annotations
content_search    search within a book (Content Search API 1 and 2)
views             the addresses of all these, and of the Image API
"""

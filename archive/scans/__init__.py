"""Scans of printed pages: uploaded, examined in a sandbox, cut by steps that can be chosen anew, published.

- `uploads`: taking a file in; `form_pictures`: one picture that comes with a form
- `originals`: the stored files; `formats`: parsers and checks of image files
- `sandbox`, `sandbox_worker`: child processes with limits; `decode`: foreign files to pixels (in the worker
  only)
- `geometry`: the steps of a page; `page_boxes`: boxes that go through them; `carried_places`: what a person
  placed, on a page that is cut anew; `crop`: cutting it;
  `black_and_white`: grey and black-and-white conversion
- `detection`: steps that are proposed; `ink_map`, `page_angle`, `page_edges`: angle, edges and fold of a
  page; `frame_check`: whether a frame cuts through print
- `text_check`: whether a page is its text; `word_boxes`: boxes that a person puts right
- `pages`: order, leaves, row lock; `double_pages`: one picture split into two pages
- `publication`: publishing and withdrawing; `word_search`: the places of words on a published scan
- `views`: the list of scans, one scan with its steps, previews, boxes of words
- `credits`: who made and who holds a scan; `errors`: reasons of refusals
"""

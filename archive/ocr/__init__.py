"""OCR: the places of known words on a scan, and the text of a scan that has none. No Django here.

- `alignment`: known words found on an image; `box_tracking`: boxes that follow their words through an edit
- `binarize`, `deskew`: a scan prepared, ink told from paper; `components`, `text_rows`: letters and rows of
  type
- `columns`: columns and headings across them; `dewarp`: bent rows made straight
- `word_placement`: words laid over the ink; `witnesses`: evidence for their places; `page_agreement`: a last
  check
- `similarity`: matching the words of two texts
- `tesseract`: the external reader; `transcription`: its words as the lines of a text
- `ocr_files`, `hocr`, `alto`: readings made elsewhere
"""

"""Pictures of a result, for sharing: PNG in the look of the pad.

- `result_card`: the drawing as shapes: who won, why, and everyone's total
- `text_fit`: text that fits its place
- `typefaces`, `result_png`: our fonts for the server, glyph by glyph, and the drawing as a PNG
- `result_svg`: the drawing for a phone without network, whose browser makes the PNG
- `card_cache`: drawings that were made lately, and the budget for making them
"""

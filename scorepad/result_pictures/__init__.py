"""Pictures of a result, for sharing: PNG in the look of the pad.

- `typefaces`: our fonts for the server, glyph by glyph, and text that fits its place
- `result_card`: the drawing: who won, why, and everyone's total
- `card_cache`: drawings that were made lately, and the budget for making them
"""

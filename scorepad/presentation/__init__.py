"""Presentation: everything a page needs of a pad, gathered from log, draft and layout.

- `pad`: the pad as it is drawn now
- `last_entry`: the line that says what was entered last, and its undo
- `log_rows`: the entries of the log in words
- `correction`: the page that corrects an old entry
- `house_rules`: the variant and options this table plays
- `summary`: the final order and the notable moments
- `board`: large totals and the last reason, for a television
- `race_chart`: the totals as a chart; `bar_chart`: a row for each name
"""

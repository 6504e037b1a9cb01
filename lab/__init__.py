"""The reading lab: thousands of evenings played with real cards and scored under every reading by the engine.

- `simulators`: the games that can be played out, each with its pack and its policies
- `table_kind`: kinds of table, and what a simulator offers; `shuffle`: chance
- `evening`: one evening, its log scored under each reading at the same time
- `comparison`: blocks of evenings summed up in whole numbers; `grid`: which ones are played
- `computation`: a study on all cores, and the document that is kept of it
- `intervals`: 95 % of a share and of a mean
- `findings`: the figures as they are kept; `sentences`: the same in words; `chart`: the same as a drawing
- `panel`: a sentence with its chart, as pages show it; `report`: what one must know to distrust the figures
- `example`: one evening by two readings, line by line; `rescored`: a table's own sheet by every reading
"""

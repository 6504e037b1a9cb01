"""Score pads: shared live pads for a table of phones. Points are computed by the engine and never stored.

models           tables of the database
urls, views      addresses and the views behind them
access           who may open a pad or a club: links, cookies, join codes, handover
new_pads         creating pads; the next game
pads             renaming, settings, stopping, deletion, summary
ledger           the stored log of entries
taps, drafts     one tap, and the entry being filled in by several phones
draft_parts      a draft that comes in a file
twins            the same entry from two phones, or two answers to one question
undo             what a phone may take back
late_parts       answers that come when their entry is whole, or gone
previews         what an entry would change before it is stored
corrections      rewriting an old entry, and finding the place of a forgotten one
rounds           a whole deal or hand moved, swapped or struck out
prospects        what a correction would store, and what belongs to it
pad_state        the position of a game as one phone looks at it
snapshots        pad, draft and position read once per request
layouts          how the pad of each game looks
presentation     what the templates of a pad need
samples          the rulebooks' own examples, openable as pads
chips            chips by value, counts and change
live             the stream that tells phones what happened
pad_results      totals and winners of a pad, remembered
evenings         several games in a row at one table
clubs            many evenings: their pads, people and figures
expiry           notice and deletion of unused pads
exports, imports pad.json, CSV, BG Stats; and back into a pad
moves            a pad of a phone without network becomes one of the site
declarations     texts of declared games, as pads were begun with them
pad_copies       a pad as it is stored, for a phone that may lose its network
both_lists       both lists, where a phone without network and its table went on
engine_versions  what a newer engine scores otherwise
archive_lookup   questions to the archive: variants, passages
forms            what people type
limits           limits and rate limits
replay_budget    seconds of processor for replays of long logs
middleware       the address that pays for them
qr_codes         QR codes of links and games as drawings
game_codes       a whole game as an address
result_pictures  the result as a picture to share
"""

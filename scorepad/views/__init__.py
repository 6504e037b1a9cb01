"""Views of the pads.

start        a new pad: the form, and the same as JSON
join         joining a pad: by a link, by a short code, from the game before
pad          the pad itself, its fragment, and taps
correct      correction of an entry
both_lists   both lists, where a phone without network and its table went on
why          the reason for a number
help         signs, rules in brief and how to correct, shown over the pad
table        the table page: links, QR codes, names, the next game
actions      what the table page and programs do to a pad, each by form or JSON
board        the pad for a television
result_picture  the result as a picture
history      the log with its slider, how the game went, print, sample sheets
readings     a finished pad by every other reading
evenings     the games of an evening
clubs        figures, games and settings of a club; club_actions: what its pages and programs do to it
imports      a tally sheet or a pad file becomes a pad
api          JSON for programs: entries, drafts, previews, results, exports
pwa          service worker and web-app manifest
decorators   method, access, CSRF and body checks around all of them
"""

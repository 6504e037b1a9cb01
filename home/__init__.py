"""The pages of the site that belong neither to the archive nor to the pads.

- views: the home page, "About", the style guide of a site in debug mode
- error_views: the pages of 400, 403, 404, 413 and 500
- bookshelf: the books and the games of the home page
- timeline: the time line above the covers
- recent_pads: the pads of this phone
- trial_table: a pad that plays the draft of a declared game; trial_views: its page
"""

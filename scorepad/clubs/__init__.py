"""Clubs: the pads of many evenings, and the figures of the people who play them.

- club_pads: making a club, adding pads and taking them out, keeping them
- club_names: one person across several spellings
- club_games: the games of a club with their results, by game and season
- statistics: wins, bests, runs, head to head: folded from the games, never stored
- remembered_statistics: the same, remembered until something changes
- club_exports: JSON and CSV
"""

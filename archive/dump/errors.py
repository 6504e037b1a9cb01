"""Errors of dumping and loading, in sentences that say what to do."""


class BagError(Exception):
    """A bag that cannot be written or trusted; the sentence names the file."""


class RowError(Exception):
    """A line that this version cannot load; the sentence says why."""


class LoadError(Exception):
    """Nothing was loaded; the sentence says why and what to do."""

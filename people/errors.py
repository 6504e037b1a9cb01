"""Exceptions of accounts."""


class InvitationGoneError(Exception):
    """The link was used, withdrawn or is too old."""


class LastKeeperError(Exception):
    """One keeper must be left who can invite."""


class NameTakenError(Exception):
    """Another account has this name."""

"""Scans of the real pages: let in through a guarded door, cut by steps that can be chosen anew, put up."""

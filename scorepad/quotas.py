"""What one address may try and make. Every rule here is counted in the turnstile's table."""

from ratelimit.limiter import Rule
from scorepad.limits import limit

EVERYWHERE = ""
"""The address under which everybody is counted together."""


def short_codes() -> Rule:
    minutes = limit("JOIN_GUESSES_WINDOW_MINUTES")
    says = "Too many codes were tried from here. Wait {wait}, or use the link."
    return Rule("join-code", limit("JOIN_GUESSES_PER_ADDRESS_MOST"), minutes * 60, says)


def tokens() -> Rule:
    """Nobody guesses a token; this keeps the noise of trying away. What was a link once does not count."""
    minutes = limit("TOKEN_GUESSES_WINDOW_MINUTES")
    says = "Too many wrong links were tried from here. Wait {wait}, or ask for a new link."
    return Rule("token", limit("TOKEN_GUESSES_PER_ADDRESS_MOST"), minutes * 60, says)


def pads_of_an_address() -> Rule:
    minutes = limit("PADS_MADE_WINDOW_MINUTES")
    says = "Very many pads were begun from here in a short time. Use one of them, or wait a little."
    return Rule("pad", limit("PADS_MADE_PER_ADDRESS_MOST"), minutes * 60, says)


def pads_of_all() -> Rule:
    minutes = limit("PADS_MADE_WINDOW_MINUTES")
    says = "Very many pads are being begun on this site just now. Try again in a little while."
    return Rule("pad", limit("PADS_MADE_IN_ALL_MOST"), minutes * 60, says)

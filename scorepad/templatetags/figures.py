"""Numbers as people read them on a page."""

from django import template

from engine.player_names import MAX_NAME_LENGTH

register = template.Library()


@register.filter
def figure(number: object) -> str:
    """A number with a true minus sign, as long as the plus and as wide as a digit."""
    return str(number).replace("-", "−", 1) if isinstance(number, int | float) else str(number)


@register.simple_tag
def longest_name() -> int:
    """How many characters a player's name may have, for the fields it is typed into."""
    return MAX_NAME_LENGTH

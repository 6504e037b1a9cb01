"""Numbers as people read them on a page."""

from django import template

register = template.Library()


@register.filter
def figure(number: object) -> str:
    """A number with a true minus sign, as long as the plus and as wide as a digit."""
    return str(number).replace("-", "−", 1) if isinstance(number, int | float) else str(number)

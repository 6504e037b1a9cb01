"""What a page was drawn from is gone with the page, and waits for no garbage collector."""

import gc
import weakref

import pytest
from django.template import TemplateDoesNotExist, engines
from django.test import RequestFactory


class Row:
    name = "Ann"


@pytest.mark.parametrize("request_", [None, RequestFactory().get("/")])
def test_a_context_is_freed_as_soon_as_it_is_drawn(request_):
    row = Row()
    gone = weakref.ref(row)
    context = {"row": row}
    gc.disable()
    try:
        assert engines.all()[0].from_string("{{ row.name }}").render(context, request_) == "Ann"
        del row, context
        assert gone() is None
    finally:
        gc.enable()


def test_a_template_that_includes_what_is_not_there_is_told():
    with pytest.raises(TemplateDoesNotExist, match="not-there"):
        engines.all()[0].from_string("{% include 'not-there.html' %}").render({})

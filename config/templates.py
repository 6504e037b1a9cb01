"""Django's templates, with contexts that are emptied as soon as they are drawn.

A context refers to itself. Left as it is, all that a page was drawn from, which is 70,000 objects for the
longest pad, would stay until the garbage collector looks for rings of objects.
"""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.template import TemplateDoesNotExist
from django.template.backends import django
from django.template.context import make_context


class Templates(django.DjangoTemplates):
    def from_string(self, template_code: str) -> Template:
        return Template(self.engine.from_string(template_code), self)

    def get_template(self, template_name: str) -> Template:
        return Template(super().get_template(template_name).template, self)


class Template(django.Template):
    def render(self, context: dict[str, Any] | None = None, request: HttpRequest | None = None) -> str:
        made = make_context(context, request, autoescape=self.backend.engine.autoescape)
        try:
            return self.template.render(made)
        except TemplateDoesNotExist as fault:
            django.reraise(fault, self.backend)
            raise
        finally:
            made.dicts.clear()

"""Names of static files as the site gives them, so that pages drawn here load what is in the kit."""

from django.core.files.storage import Storage

from phone.given_content import CONTENT


class StaticNames(Storage):
    def url(self, name: str | None) -> str:
        return f"/static/{CONTENT['static'].get(name, name)}"

"""The site as it names itself: the archive, its institution, its editors, whom to ask, the licence of its own
words. Each is a setting, and none of them need be set."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings

from archive import SITE_NAME
from archive.licences import Licence, licence_of

NO_LICENCE = "No licence was stated for the words of the editors."


@dataclass(frozen=True)
class Editor:
    """An editor by name. `family` and `given` are told apart where the setting has a comma between them."""

    family: str
    given: str = ""

    @property
    def name(self) -> str:
        return f"{self.given} {self.family}".strip()

    @property
    def inverted(self) -> str:
        """As lists of names have it: Doe, Ann."""
        return f"{self.family}, {self.given}" if self.given else self.family


@dataclass(frozen=True)
class Site:
    name: str
    institution: str
    editors: tuple[Editor, ...]
    contact: str
    licence: Licence | None

    @property
    def publisher(self) -> str:
        """The archive with its institution, in a few words."""
        return ", ".join(part for part in (self.name, self.institution) if part)

    @property
    def editors_line(self) -> str:
        """The names of the editors in one line; empty where none is set."""
        names = [editor.name for editor in self.editors]
        return " and ".join(part for part in (", ".join(names[:-1]), *names[-1:]) if part)

    @property
    def edited_by(self) -> str:
        """Who edits: the editors with the archive, or the archive alone."""
        return ", ".join(part for part in (self.editors_line, self.name) if part)

    @property
    def edition(self) -> str:
        return f"{self.name} ed. by {self.editors_line}" if self.editors else f"{self.name} ed."

    @property
    def contact_address(self) -> str:
        """The contact as a link leads to it."""
        return f"mailto:{self.contact}" if "@" in self.contact else self.contact

    @property
    def licence_sentence(self) -> str:
        """What may be done with the editors' words, said in one sentence."""
        if self.licence is None:
            return NO_LICENCE
        return f"The words of the editors are under {self.licence.name}."


def site() -> Site:
    return Site(
        settings.ARCHIVE_NAME or SITE_NAME,
        settings.ARCHIVE_INSTITUTION,
        tuple(_editor(written) for written in settings.ARCHIVE_EDITORS),
        settings.ARCHIVE_CONTACT,
        licence_of(settings.ARCHIVE_LICENCE),
    )


def _editor(written: str) -> Editor:
    family, _, given = (part.strip() for part in written.partition(","))
    return Editor(family, given)

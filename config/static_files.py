"""Static files under names that change with their content, so that browsers may keep them for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, MODULE_PATTERNS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns
CSS_IMPORT = re.compile(r'^@import "([\w-]+\.css)";\n', re.M)
CSS_COMMENT = re.compile(r"[ ]*/\*.*?\*/\n?", re.S)
KIT_FILE = re.compile(r"/static/phone/([0-9a-f]{12}/\w[\w.]*)")
SCRIPT_COMMENT = re.compile(r"^ *//.*\n", re.M)


class Stylesheets:
    """Our stylesheets as they are served: each with the sheets it imports written into it, without comments.

    A page then waits for one file; uncollected, the browser follows the same imports one by one. What is
    written for us to read would be a tenth of what a phone loads.
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def open(self, path: str) -> ContentFile[bytes]:
        return ContentFile(CSS_COMMENT.sub("", self.with_imports(path)).encode())

    def with_imports(self, path: str) -> str:
        with self.storage.open(path) as sheet:
            text = sheet.read().decode()
        folder = path.rpartition("/")[0]
        return CSS_IMPORT.sub(lambda named: self.with_imports(f"{folder}/{named[1]}"), text)


class Scripts:
    """Our scripts as they are served: without the lines that are comments."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def open(self, path: str) -> ContentFile[bytes]:
        with self.storage.open(path) as script:
            return ContentFile(SCRIPT_COMMENT.sub("", script.read().decode()).encode())


OURS: dict[str, type[Stylesheets] | type[Scripts]] = {"css/": Stylesheets, "js/": Scripts}
"""How files of ours are served, by their folder; what comes from elsewhere stays as it is."""


def as_served(name: str, storage: Storage) -> Storage | Stylesheets | Scripts:
    """The storage a file is read from when it is collected."""
    reader = next((reader for folder, reader in OURS.items() if name.startswith(folder)), None)
    return reader(storage) if reader else storage


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Our modules import each other by relative paths, and those get the hashed names too. Only ours: a script
    # of another project may name what is not there, and would stop the collecting.
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_PATTERNS))
    # A script that imports one that imports another takes a pass for each.
    max_post_process_passes = 10

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        ours = {name: (as_served(name, storage), path) for name, (storage, path) in paths.items()}
        yield from super().post_process(ours, *args, **options)


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serves static files. One that was taken away since the start is not found, which is no error.

    The kit for phones lies beside them, in folders that are named by what is in them. It is built while
    the site serves, so each file of it is looked for when it is asked for first.
    """

    def immutable_file_test(self, path: str, url: str) -> bool:
        return bool(KIT_FILE.fullmatch(url)) or bool(super().immutable_file_test(path, url))

    def __call__(self, request: HttpRequest) -> HttpResponse:
        self.look_for(request.path_info)
        try:
            return super().__call__(request)  # type: ignore[no-any-return]
        except FileNotFoundError:
            return self.get_response(request)  # type: ignore[no-any-return]

    def look_for(self, url: str) -> None:
        if not settings.PHONE_KIT or settings.DEBUG or url in self.files:
            return
        named = KIT_FILE.fullmatch(url)
        # The one that is compressed for older browsers is written last.
        if named and (settings.KIT_ROOT / f"{named[1]}.gz").is_file():
            self.add_file_to_dictionary(url, str(settings.KIT_ROOT / named[1]))

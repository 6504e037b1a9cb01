"""Static files under names that change with their content, so that browsers may keep them for ever."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import Storage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.storage import CompressedManifestStaticFilesStorage

_, MODULE_PATTERNS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns
RESTS_ON = re.compile(r'^@import "([\w-]+\.css)";\n', re.M)


class Sheets:
    """Our stylesheets as they are served: each with the sheets it rests on written into it, where it names
    them. A page then waits for one file; uncollected, the browser follows the same names one by one."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def open(self, path: str) -> ContentFile[bytes]:
        return ContentFile(self.whole(path).encode())

    def whole(self, path: str) -> str:
        with self.storage.open(path) as sheet:
            text = sheet.read().decode()
        folder = path.rpartition("/")[0]
        return RESTS_ON.sub(lambda named: self.whole(f"{folder}/{named[1]}"), text)


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Our modules import each other by relative paths, and those get the hashed names too. Only ours: a script
    # of somebody else may name what is not there, and would stop the collecting.
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_PATTERNS))

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        ours = {
            name: (Sheets(storage), path) if name.startswith("css/") else (storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(ours, *args, **options)


class Served(WhiteNoiseMiddleware):  # type: ignore[misc]
    """A file that was there at the start and was taken away is not found; it is no fault of the site."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return super().__call__(request)  # type: ignore[no-any-return]
        except FileNotFoundError:
            return self.get_response(request)  # type: ignore[no-any-return]

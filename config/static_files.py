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
CSS_IMPORT = re.compile(r'^@import "([\w-]+\.css)";\n', re.M)


class Stylesheets:
    """Our stylesheets as they are served: each with the sheets it imports written into it.

    A page then waits for one file; uncollected, the browser follows the same imports one by one.
    """

    def __init__(self, storage: Storage) -> None:
        self.storage = storage

    def open(self, path: str) -> ContentFile[bytes]:
        return ContentFile(self.with_imports(path).encode())

    def with_imports(self, path: str) -> str:
        with self.storage.open(path) as sheet:
            text = sheet.read().decode()
        folder = path.rpartition("/")[0]
        return CSS_IMPORT.sub(lambda named: self.with_imports(f"{folder}/{named[1]}"), text)


class StaticFilesStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Our modules import each other by relative paths, and those get the hashed names too. Only ours: a script
    # of another project may name what is not there, and would stop the collecting.
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_PATTERNS))

    def post_process(self, paths: dict[str, Any], *args: Any, **options: Any) -> Iterator[Any]:
        ours = {
            name: (Stylesheets(storage), path) if name.startswith("css/") else (storage, path)
            for name, (storage, path) in paths.items()
        }
        yield from super().post_process(ours, *args, **options)


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Serves static files. One that was taken away since the start is not found, which is no error."""

    def __call__(self, request: HttpRequest) -> HttpResponse:
        try:
            return super().__call__(request)  # type: ignore[no-any-return]
        except FileNotFoundError:
            return self.get_response(request)  # type: ignore[no-any-return]

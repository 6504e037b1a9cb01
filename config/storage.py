"""Static files under names that change with their content, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

_, MODULE_PATTERNS = CompressedManifestStaticFilesStorage._js_module_import_aggregation_patterns


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Our modules import each other by relative paths, and those get the hashed names too. Only ours: a script
    # of somebody else may name what is not there, and would stop the collecting.
    patterns = (*CompressedManifestStaticFilesStorage.patterns, ("js/*.js", MODULE_PATTERNS))

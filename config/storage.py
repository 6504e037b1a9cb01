"""Static files under names that change with their content, so that browsers may keep them for ever."""

from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticFiles(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    # Modules import each other by relative paths; those paths get the hashed names too.
    support_js_module_import_aggregation = True

from tests.archive.conftest import loaded  # noqa: F401

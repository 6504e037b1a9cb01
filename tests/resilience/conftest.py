"""Empty sites to be killed, filled and copied; how long the promises are kept up is said here."""

import os

import pytest

from tests.resilience.site_processes import Crew, copied, prepared
from tests.resilience.writers import Line
from tests.scorepad.conftest import committed

__all__ = ["committed"]

SOAK = bool(os.environ.get("SOAK"))


@pytest.fixture(scope="session")
def empty(tmp_path_factory):
    """A site without rows, made once."""
    return prepared(tmp_path_factory.mktemp("promises") / "empty")


@pytest.fixture
def crew(empty, tmp_path):
    """Starts the product on a copy of the empty site, as often as asked; nothing runs on afterwards."""
    crews = []

    def begin(workers=1, before=(), within=tmp_path, **environment):
        var = copied(empty, within / f"var{len(crews)}")
        crews.append(Crew(var, workers, before, **environment))
        return crews[-1].start()

    yield begin
    for crew in crews:
        crew.stop()


@pytest.fixture
def line():
    """A connection to one of a crew's ports."""
    lines = []

    def to(crew, worker=0):
        lines.append(Line(crew.ports[worker]))
        return lines[-1]

    yield to
    for opened in lines:
        opened.close()


@pytest.fixture
def told(capsys):
    """Figures are for people: in soak they are printed past pytest's capture."""

    def tell(words):
        if SOAK:
            with capsys.disabled():
                print(f"\n     {words}", flush=True)

    return tell

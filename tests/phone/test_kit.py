"""A kit that cannot be built takes nothing down: the site starts, says why, and offers none."""

import subprocess

import pytest

from phone.kit import kit_manifest, program

LATE = subprocess.TimeoutExpired("node", program.SECONDS_MOST)
FULL = OSError(28, "No space left on device")


@pytest.mark.parametrize(("fault", "says"), [(LATE, "not built within"), (FULL, "No space left")])
def test_a_kit_that_cannot_be_built_is_not_offered(settings, tmp_path, monkeypatch, capsys, fault, says):
    settings.PHONE_KIT, settings.DEBUG = True, False
    settings.VAR, settings.KIT_ROOT = tmp_path, tmp_path / "kit"
    (tmp_path / "kit.json").write_text("{}")

    def fail(*words, **named):
        raise fault

    monkeypatch.setattr(subprocess, "run", fail)
    monkeypatch.setattr(program, "build", lambda kit, quality: program._run("node"))
    assert kit_manifest.prepare() is False
    assert says in capsys.readouterr().err
    assert kit_manifest.read() is None

"""A phone has few settings of its own: what the pads ask for is there all the same."""

import re

from django.conf import global_settings, settings

from phone import settings as phone_settings
from phone.kit import program

ASKED = re.compile(r"\bsettings\.([A-Z][A-Z_]+)")
NOT_IN_KIT = ("phone/kit/", "phone/site/", "scorepad/management/", "scorepad/result_pictures/")


def test_every_setting_that_pads_ask_for_is_there():
    asked = {
        (name, str(file))
        for file in program.sources()
        if file.suffix == ".py" and file.is_relative_to(settings.BASE_DIR)
        for name in ASKED.findall(file.read_text())
        if not str(file.relative_to(settings.BASE_DIR)).startswith(NOT_IN_KIT)
    }
    assert ("SCOREPAD_CODE_PREFIX" in {name for name, _ in asked}) and len(asked) > 5
    there = (phone_settings, global_settings)
    assert [one for one in sorted(asked) if not any(hasattr(place, one[0]) for place in there)] == []

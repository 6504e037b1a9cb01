"""An upload whose sender goes in its middle: what had come of it is no scan."""

import io

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.test.client import BOUNDARY, MULTIPART_CONTENT, encode_multipart

from archive.models.scans import Original
from config.server.request_body import BodyError
from tests.archive.hostile import picture, saved
from tests.archive.scan_files import SCANS

TOKEN = "a" * 32


class Cut(io.BytesIO):
    """The beginning of a body, after which its sender has gone."""

    def read(self, size=-1):
        if piece := super().read(size):
            return piece
        raise BodyError(None)


@pytest.mark.parametrize("is_whole", [False, True])
@pytest.mark.parametrize("checks", [False, True])
def test_of_an_upload_that_was_cut_off_nothing_is_kept(curated, checks, is_whole):
    """Not even the first file, which had come whole; of the same upload without the cut both are."""
    client = Client(enforce_csrf_checks=checks, raise_request_exception=False)
    client.force_login(curated["curator"])
    client.cookies["csrftoken"] = TOKEN
    files = [
        SimpleUploadedFile(f"{n}.png", saved(picture(seed=n), "PNG"), content_type="image/png")
        for n in (1, 2)
    ]
    body = encode_multipart(BOUNDARY, {"files": files})
    came = io.BytesIO(body) if is_whole else Cut(body[: len(body) * 3 // 4])
    given = {"wsgi.input": came, "HTTP_X_CSRFTOKEN": TOKEN}
    answer = client.generic("POST", f"{SCANS}upload/", body, MULTIPART_CONTENT, **given)
    assert (answer.status_code == 200) is is_whole
    assert Original.objects.count() == (2 if is_whole else 0)

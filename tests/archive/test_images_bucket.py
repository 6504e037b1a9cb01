"""Page images in a bucket: kept there, served from there, and nothing of it is public."""

import os

import pytest
from django.core.files.storage import storages

from archive.images.storage import originals, pages
from config import environment
from ops import health
from tests.archive.page_images import forget_files, ingest_scan
from tests.archive.test_images import a_book, png, squares
from tests.requirements import lacking

BUCKET = "tallyroom-images"

pytestmark = [
    pytest.mark.django_db,
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
]


@pytest.fixture(scope="module")
def s3():
    """A bucket on this machine."""
    try:
        import boto3
        from moto.server import ThreadedMotoServer
    except ImportError:
        lacking("a bucket needs boto3 and moto. Install them: make install-dev")

    server = ThreadedMotoServer("127.0.0.1", 0, verbose=False)
    server.start()
    host, port = server.get_host_and_port()
    key = {"AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test"}
    before = {name: os.environ.get(name) for name in key}
    os.environ |= key
    client = boto3.client("s3", endpoint_url=f"http://{host}:{port}", region_name="us-east-1")
    client.create_bucket(Bucket=BUCKET)
    yield client
    server.stop()
    for name, value in before.items():
        os.environ.pop(name) if value is None else os.environ.update({name: value})


@pytest.fixture
def bucket(s3, settings, monkeypatch, tmp_path):
    monkeypatch.setenv("IMAGES_BUCKET", BUCKET)
    monkeypatch.setenv("IMAGES_ENDPOINT", s3.meta.endpoint_url)
    monkeypatch.setenv("IMAGES_REGION", "us-east-1")
    monkeypatch.setenv("IMAGES_PREFIX", "club")
    settings.STORAGES = {**settings.STORAGES, **environment.images(tmp_path)}
    monkeypatch.setattr(health, "_bucket", (0.0, ""))
    forget_files()
    yield s3
    forget_files()


@pytest.fixture
def scan(bucket):
    return ingest_scan(a_book().leaves.get(), "some-book-1-s1", png(squares()), ".png")


def names(bucket):
    return {row["Key"] for row in bucket.list_objects_v2(Bucket=BUCKET).get("Contents", [])}


def test_sizes_tiles_and_the_original_are_kept_in_the_bucket(bucket, scan):
    folder = f"some-book-1-s1/{scan.checksum[:16]}"
    assert f"club/originals/{folder}.png" in names(bucket)
    assert {f"club/pages/{folder}/full/640.jpg", f"club/pages/{folder}/1/2-1.jpg"} <= names(bucket)
    assert originals().open(f"{folder}.png").read() == png(squares())


def test_a_size_and_a_tile_are_served_from_the_bucket_and_may_be_kept_for_ever(client, scan):
    name = f"some-book-1-s1/{scan.checksum[:16]}/full/640.jpg"
    answer = client.get(f"/images/{name}")
    assert answer.status_code == 200
    assert answer.content == pages().open(name).read()
    assert answer.headers["Content-Type"] == "image/jpeg"
    assert "immutable" in answer.headers["Cache-Control"]
    again = client.get(f"/images/{name}", headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    tile = client.get("/iiif/image/3/some-book-1-s1/0,0,512,512/512,512/0/default.jpg")
    assert tile.status_code == 200 and tile.content[:2] == b"\xff\xd8"


def test_what_is_not_kept_as_a_file_is_assembled_from_the_bucket(client, scan):
    answer = client.get("/iiif/image/3/some-book-1-s1/100,100,700,500/350,250/0/default.jpg")
    assert answer.status_code == 200 and answer.content[:2] == b"\xff\xd8"


def test_originals_are_not_served_and_what_is_missing_is_not_there(client, scan):
    folder = f"some-book-1-s1/{scan.checksum[:16]}"
    assert client.get(f"/images/{folder}.png").status_code == 404
    assert client.get(f"/originals/{folder}.png").status_code == 404
    assert client.get("/images/some-book-1-s1/0123456789abcdef/full/640.jpg").status_code == 404


def test_the_site_is_ready_while_the_bucket_takes_files_and_leaves_none_behind(client, scan, bucket):
    assert client.get("/ready").json()["storage"] == "ok"
    assert not [name for name in names(bucket) if name.endswith("/ready")]


def test_a_bucket_that_does_not_answer_is_503_and_not_a_fault_of_ours(client, scan, settings, monkeypatch):
    monkeypatch.setenv("IMAGES_ENDPOINT", "http://127.0.0.1:9")
    settings.STORAGES = {**settings.STORAGES, **environment.images(settings.VAR)}
    monkeypatch.setattr(health, "_bucket", (0.0, ""))
    answer = client.get("/ready")
    assert (answer.status_code, answer.json()["storage"]) == (200, "unreachable"), "pads need no images"
    assert client.get("/health").status_code == 503
    answer = client.get(f"/images/some-book-1-s1/{scan.checksum[:16]}/full/640.jpg")
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "2")


def test_without_a_bucket_files_are_in_a_folder(monkeypatch, tmp_path):
    monkeypatch.delenv("IMAGES_BUCKET", raising=False)
    kept = environment.images(tmp_path)
    assert kept["pages"]["OPTIONS"]["location"] == tmp_path / "images"
    assert storages["pages"].path("x")

"""A dump is the whole archive: a proper bag, and loaded into an empty site it gives the same site."""

import hashlib
import os
import re
import shutil
import stat
import zipfile
from contextlib import contextmanager

import bagit
import pytest
from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import OperationalError
from django.test import Client
from django.urls import reverse
from PIL import Image

from archive import search
from archive.curation import edits, proofreading, proposals
from archive.curation.edits import OpenBook
from archive.dump.bag import open_bag
from archive.dump.errors import BagError, LoadError
from archive.dump.load import load
from archive.dump.write import dump
from archive.images import facsimiles, page_image_cache
from archive.images.derivatives import png
from archive.images.storage import files_in
from archive.models import Book, GameDraft, PageImage
from archive.models.history import LeafCheck, Proposal, Revision
from archive.models.scans import Original, Placing, Scan
from archive.publication import publish
from archive.publication.revisions import Signature
from archive.reader import book_page
from archive.scans import pages as scan_pages
from people.models import Person
from tests.archive.conftest import clear_shelf
from tests.archive.curators import BOOK, source
from tests.archive.page_images import forget_files, ingest_scan, set_pages
from tests.archive.scan_files import a_scan
from tests.memory import bytes_most
from tests.people.conftest import make_person

OLD, NEW = "A CAPTURE counts 50 points.", "A CAPTURE counts fifty points."


@pytest.fixture
def site(shelf, settings, tmp_path, monkeypatch):
    """Five books that were worked on: mended, brought back, proposed to, checked, scanned."""
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)
    own_place(settings, tmp_path / "before")
    conrad, carla = make_person("Conrad", "curator"), make_person("Carla Ö.", "contributor")
    book = shelf[BOOK]
    mended = source().replace(OLD, NEW, 1)
    assert mended != source()
    edits.save(BOOK, {"text.txt": mended}, 1, Signature("Spelt out.", conrad))
    edits.restore(BOOK, 1, Signature("Back to revision 1.", conrad, restores=1))
    opened = OpenBook(book=Book.objects.get(slug=BOOK), parent=3, now=3, files={})
    for reason in ("I can read it.", "So can I."):
        proposals.propose(carla, opened, {"text.txt": mended}, reason, "leaf 4", "/books/")
    proposals.refuse(conrad, Proposal.objects.first(), "It is a 50.")
    proofreading.record(book, 1, proofreading.PROOFREAD, conrad)
    set_pages(*(slug for slug in shelf if shelf[slug].leaves.exists()))
    Book.objects.filter(slug=BOOK).update(reading="deu")
    leaf = book.leaves.get(number=2)
    image = ingest_scan(leaf, f"{BOOK}-2-s1", png(Image.effect_noise((700, 900), 40)), ".png")
    digest = hashlib.sha256(b"a photograph").hexdigest()
    uploaded = {"name": "IMG.jpg", "kind": "jpg", "size": 9, "width": 7, "height": 9}
    original = Original.objects.create(digest=digest, person=carla, signed="Carla Ö.", **uploaded)
    storages["originals"].save(original.file_name, ContentFile(b"a photograph"))
    Scan.objects.create(book=book, original=original, order=1, leaf=leaf, image=image, steps={"turn": 90})
    Placing.objects.create(
        book=book,
        leaf=2,
        act="up",
        identifier=image.identifier,
        checksum=image.checksum,
        original="a" * 64,
        author=conrad,
        signed="Conrad",
        reason="A photograph.",
    )
    return shelf


def own_place(settings, place):
    """Storages of their own, and nothing remembered of others."""
    backend = "django.core.files.storage.FileSystemStorage"
    settings.STORAGES = settings.STORAGES | {
        alias: {"BACKEND": backend, "OPTIONS": {"location": place / alias, "base_url": "/images/"}}
        for alias in ("pages", "originals")
    }
    page_image_cache.forget_images()
    forget_files()
    book_page._bodies.clear()


def wipe():
    """As a new site is: no books, no history, nobody."""
    clear_shelf()
    Person._base_manager.all()._raw_delete("default")
    search.index().rebuild()


def addresses(client):
    """Every public address of the archive that we know how to find."""
    found = re.findall(r"<loc>http://testserver([^<]+)</loc>", client.get("/sitemap.xml").content.decode())
    assert len(found) > 250
    found += [
        "/sitemap.xml",
        "/changes.atom",
        "/iiif/changes/activity.json",
        "/iiif/changes/page-1.json",
        "/about/",
        "/iiif/3/collection.json",
        "/robots.txt",
    ]
    found += [f"/search/?q={words}" for words in ("joker", "discard+pile", '"the+deal"', "rum")]
    for book in Book.objects.all():
        start = f"/books/{book.slug}/"
        found += [f"{start}{name}" for name in ("text.txt", "text.txt?layer=printed", "book.json", "tei.xml")]
        found += [f"{start}cite.{form}" for form in ("bib", "ris", "json", "txt")]
        found += [
            f"{start}revisions/",
            f"/iiif/3/{book.slug}/manifest.json",
            f"/iiif/3/{book.slug}/notes.json",
        ]
        found += [f"/iiif/search/{version}/{book.slug}?q=hand" for version in (1, 2)]
        revisions = list(Revision.objects.filter(book=book))
        for revision in revisions:
            found.append(revision.get_absolute_url())
            found += [f"{revision.get_absolute_url()}{name}" for name in revision.files]
            found += [f"{start}revisions/{old.number}-{revision.number}/" for old in revisions]
        for leaf in book.leaves.all():
            canvas = f"/iiif/3/{book.slug}/canvas/{leaf.number}"
            found += [canvas, f"{canvas}/lines.json", f"{canvas}/notes.json"]
    for slug, game in publish.Variant.objects.values_list("slug", "game"):
        found += [reverse("variant-json", args=[slug]), f"/variants/of/{game}.json"]
    scan = PageImage.objects.get(kind="scan")
    found += [f"/iiif/image/3/{scan.identifier}/{rest}" for rest in ("info.json", "full/max/0/default.jpg")]
    found += [f"/iiif/image/3/{scan.identifier}/10,10,300,300/150,/0/gray.png"]
    if os.environ.get("SOAK"):
        return sorted(set(found))
    # Pages of passages and leaves are all alike; for a short run every seventh of these is enough.
    alike = sorted({address for address in found if re.search(r"/passages/|/canvas/|/\d+/$", address)})
    return sorted({*found} - {*alike}) + alike[::7]


def seen(client):
    """What is answered at each address."""
    found = {}
    for address in addresses(client):
        answer = client.get(address)
        assert answer.status_code < 500
        kind = answer.headers.get("Content-Type")
        # Pages of results name the row they end with, which a new site numbers anew.
        content = re.sub(rb"after=[\d.]+", b"", answer.content)
        found[address] = (answer.status_code, kind, hashlib.sha256(content).hexdigest())
    return found


FILES_PATH = {
    Book: ("slug", "state", "published", "reading"),
    Revision: ("number", "signed", "made", "reason", "files", "restores", "author__name"),
    Proposal: ("state", "signed", "reason", "words", "decided", "decided_by__name", "files"),
    LeafCheck: ("leaf", "state", "signed", "made", "fingerprint", "person__name"),
    Placing: ("identifier", "made", "reason", "author__name"),
    Scan: ("steps", "original__name", "image__identifier", "leaf__number", "original__person__name"),
    PageImage: ("identifier", "checksum", "made", "words"),
}


def rows():
    return {
        model: list(model.objects.order_by("pk").values_list(*names)) for model, names in FILES_PATH.items()
    }


def test_a_dump_loaded_into_an_empty_site_gives_the_same_site(site, settings, tmp_path):
    client = Client()
    before = seen(client)
    assert sum(status == 200 for status, _, _ in before.values()) > 120
    kept = rows()
    assert all(kept.values())
    dump(tmp_path / "first")

    wipe()
    own_place(settings, tmp_path / "after")
    assert client.get("/changes.atom").content.count(b"<entry>") == 0
    assert load(tmp_path / "first") == 5

    after = seen(client)
    assert [address for address in before if before[address] != after.get(address)] == []
    assert set(after) == set(before)
    assert rows() == kept
    assert not any(Person.objects.values_list("is_active", flat=True)), "no account came with it"

    # The second generation is the first, byte for byte.
    dump(tmp_path / "second")
    manifests = [(tmp_path / name / "manifest-sha256.txt").read_text() for name in ("first", "second")]
    assert manifests[0] == manifests[1]

    # And people go on from there.
    curator = make_person("Dora", "curator")
    saved = edits.save(BOOK, {"text.txt": source().replace(OLD, NEW, 1)}, 3, Signature("Again.", curator))
    assert saved.revision.number == 4
    proofreading.record(Book.objects.get(slug=BOOK), 2, proofreading.PROOFREAD, curator)
    assert LeafCheck.objects.count() == 2


def test_a_dump_is_a_proper_bag_as_a_folder_and_zipped(shelf, tmp_path):
    dump(tmp_path / "bag")
    bag = bagit.Bag(str(tmp_path / "bag"))
    bag.validate()
    assert bag.version_info == (1, 0)
    dump(tmp_path / "packed.zip")
    # Originals are private, and so is what holds them.
    assert stat.S_IMODE((tmp_path / "bag").stat().st_mode) == 0o700
    assert stat.S_IMODE((tmp_path / "packed.zip").stat().st_mode) == 0o600
    with zipfile.ZipFile(tmp_path / "packed.zip") as packed:
        packed.extractall(tmp_path / "out")
    bagit.Bag(str(tmp_path / "out" / "packed")).validate()
    names = [(tmp_path / place / "manifest-sha256.txt").read_text() for place in ("bag", "out/packed")]
    assert names[0] == names[1]


def test_the_books_of_a_dump_are_what_export_books_writes(shelf, tmp_path):
    dump(tmp_path / "bag")
    call_command("export_books", "--folder", str(tmp_path / "exported"))
    for file in (tmp_path / "exported").rglob("*.*"):
        dumped = tmp_path / "bag" / "data" / "books" / file.relative_to(tmp_path / "exported")
        assert dumped.read_bytes() == file.read_bytes()
    for folder in (settings.FIXTURES / "books").iterdir():
        written = {file.name for file in (tmp_path / "exported" / folder.name).iterdir()}
        assert written == {file.name for file in folder.iterdir()}


def test_no_account_and_no_secret_is_in_a_dump(shelf, tmp_path):
    proofreading.record(shelf[BOOK], 1, proofreading.PROOFREAD, make_person("Conrad", "curator"))
    Person.objects.update(totp_secret="JBSWY3DPEHPK3PXP", password="argon2-of-something")
    dump(tmp_path / "bag")
    whole = b"".join(path.read_bytes() for path in (tmp_path / "bag").rglob("*") if path.is_file())
    assert b"Conrad" in whole
    for secret in (b"JBSWY3DPEHPK3PXP", b"argon2-of-something", settings.SECRET_KEY.encode()):
        assert secret not in whole


@pytest.fixture(scope="module")
def small(loaded, django_db_blocker, tmp_path_factory):
    """A dump of the five books as they were loaded."""
    bag = tmp_path_factory.mktemp("small") / "bag"
    with django_db_blocker.unblock():
        dump(bag)
        yield bag


def damaged(small, tmp_path, name, change):
    copy = tmp_path / "bag"
    shutil.copytree(small, copy)
    change(copy / name)
    return copy


TEXT = f"data/books/{BOOK}/text.txt"


@pytest.mark.parametrize(
    ("name", "change", "words"),
    [
        (TEXT, lambda path: path.write_text(path.read_text() + " "), f"{TEXT} is damaged"),
        (TEXT, lambda path: path.unlink(), f"{TEXT} is missing"),
        ("data/more.txt", lambda path: path.write_text("x"), "data/more.txt does not belong"),
        ("bag-info.txt", lambda path: path.write_text("x: y\n"), "bag-info.txt is damaged"),
        ("bagit.txt", lambda path: path.unlink(), "not a whole one"),
        (
            "manifest-sha256.txt",
            lambda path: path.write_text("f" * 64 + "  ../../x\n"),
            "makes no sense|damaged",
        ),
    ],
)
def test_a_damaged_bag_is_refused_by_the_name_of_the_file(small, shelf, tmp_path, name, change, words):
    copy = damaged(small, tmp_path, name, change)
    wipe()
    with pytest.raises(LoadError, match=words):
        load(copy)
    assert not Book.objects.exists()


def bomb(file, name, size, **packing):
    """A bag with one file of so many zeros, packed to a thousandth of it."""
    with zipfile.ZipFile(file, "w", **({"compression": zipfile.ZIP_DEFLATED} | packing)) as packed:
        packed.writestr("d/bagit.txt", "BagIt-Version: 1.0\n")
        packed.writestr("d/manifest-sha256.txt", "")
        with packed.open(f"d/{name}", "w", force_zip64=True) as out:
            for _ in range(size // 1_000_000):
                out.write(bytes(1_000_000))
    return file


@pytest.mark.parametrize("name", ["tagmanifest-sha256.txt", "bag-info.txt", "data/records/books.jsonl"])
def test_a_bag_that_grows_a_thousand_times_is_refused_before_it_is_read(tmp_path, name):
    file = bomb(tmp_path / "bomb.zip", name, 300_000_000)
    assert file.stat().st_size < 400_000
    with bytes_most(10_000_000), pytest.raises(BagError, match="no dump of Tallyroom"):
        open_bag(file).__enter__()


def test_a_text_in_a_bag_has_a_bound(tmp_path):
    """Within the bound of the whole, a list that is one line without end."""
    file = bomb(tmp_path / "long.zip", "tagmanifest-sha256.txt", 40_000_000)
    with pytest.raises(BagError, match="has a line that is too long"):
        open_bag(file).__enter__()


def test_a_bag_packed_otherwise_is_refused(tmp_path):
    file = bomb(tmp_path / "odd.zip", "data/x", 2_000_000, compression=zipfile.ZIP_LZMA)
    with pytest.raises(BagError, match="packed in a way"):
        open_bag(file).__enter__()


def test_a_folder_with_links_or_holes_is_refused(tmp_path):
    bag = tmp_path / "bag"
    (bag / "data").mkdir(parents=True)
    (bag / "data" / "link").symlink_to("/etc/passwd")
    with pytest.raises(BagError, match="data/link is not a plain file"):
        open_bag(bag).__enter__()
    (bag / "data" / "link").unlink()
    with (bag / "data" / "holes").open("wb") as out:
        out.truncate(1_500_000_000)
    with pytest.raises(BagError, match="would become 1500000000"):
        open_bag(bag).__enter__()


def test_a_zip_that_breaks_off_is_refused(small, shelf, tmp_path):
    dump(tmp_path / "d.zip")
    whole = (tmp_path / "d.zip").read_bytes()
    (tmp_path / "cut.zip").write_bytes(whole[: len(whole) // 2])
    wipe()
    with pytest.raises(LoadError, match="cannot be read as a bag"):
        load(tmp_path / "cut.zip")


def test_the_command_loads_and_verifies(small, shelf, capsys):
    wipe()
    call_command("load_dump", str(small))
    assert capsys.readouterr().out == "5 rulebooks loaded: all is as it was written.\n"


def test_a_dump_goes_over_nothing_and_is_loaded_over_nothing(small, shelf, tmp_path):
    (tmp_path / "taken").mkdir()
    with pytest.raises(CommandError, match="there already"):
        call_command("dump", str(tmp_path / "taken"))
    with pytest.raises(CommandError, match="there are rulebooks here already"):
        call_command("load_dump", str(small))


def test_a_dump_of_a_newer_version_is_refused_and_loads_nothing(small, shelf, tmp_path):
    copy = tmp_path / "bag"
    shutil.copytree(small, copy)
    lines = copy / "data" / "records" / BOOK / "revision.jsonl"
    lines.write_text(lines.read_text().replace('"files"', '"wings": 2, "files"'))
    again = bagit.Bag(str(copy))
    again.save(manifests=True)
    wipe()
    with pytest.raises(LoadError, match="newer version"):
        load(copy)
    assert not Book.objects.exists()
    assert not Revision.objects.exists()


def no_zip(bag):
    bag.with_name("notes.txt").write_text("no bag")
    return bag.with_name("notes.txt")


def zip_of(*names):
    def packed(bag):
        with zipfile.ZipFile(bag.with_name("some.zip"), "w") as out:
            for name in names:
                out.writestr(name, "words")
        return bag.with_name("some.zip")

    return packed


def locked_zip(bag):
    """As one that wants a password says of itself: a bit in both heads of each member."""
    packed = bytearray(zip_of("a/bagit.txt", "a/manifest-sha256.txt")(bag).read_bytes())
    for head, flags in ((rb"PK\x03\x04", 6), (rb"PK\x01\x02", 8)):
        for found in re.finditer(head, bytes(packed)):
            packed[found.start() + flags] |= 1
    bag.with_name("locked.zip").write_bytes(packed)
    return bag.with_name("locked.zip")


def told_otherwise(name, old, new, anew=True):
    """A file of the bag written otherwise, and the bag made whole again."""

    def changed(bag):
        file = bag / name
        if new is None:
            file.unlink()
        else:
            assert old in file.read_bytes()
            file.write_bytes(file.read_bytes().replace(old, new))
        if anew:
            bagit.Bag(str(bag)).save(manifests=True)
        return bag

    return changed


ROWS = f"data/records/{BOOK}/revision.jsonl"
FORM = b"Tallyroom-Dump-Format: 1"


@pytest.mark.parametrize(
    ("made", "words"),
    [
        (lambda bag: bag.with_name("nowhere"), r"There is no .*nowhere\.$"),
        (lambda bag: bag.parent, "This is not a bag"),
        (no_zip, "notes.txt cannot be read as a bag: File is not a zip file"),
        (zip_of(), "holds one folder"),
        (zip_of("a/x", "b/y"), "holds one folder"),
        (zip_of("a/x"), "This is not a bag"),
        (locked_zip, "cannot be read as a bag: .*password"),
        (told_otherwise("bag-info.txt", FORM, b""), "not a Tallyroom dump"),
        (told_otherwise("bag-info.txt", FORM, b"Tallyroom-Dump-Format: 2"), "of a newer version"),
        (told_otherwise(TEXT, b"", None, anew=False), "text.txt is missing from the bag"),
        (told_otherwise("data/records/books.jsonl", b"", None), "records/books.jsonl is missing"),
        (told_otherwise(TEXT, b"", None), "text.txt"),
        (told_otherwise(ROWS, b'"number"', b"number"), "a record in it is not as .* writes it"),
        (told_otherwise(ROWS, BOOK.encode(), b"no-such-book"), "a record in it is not as .* writes it"),
        (told_otherwise(ROWS, b'"reason"', b'"rea\xff"'), "a record in it is not as .* writes it"),
    ],
)
def test_whatever_is_wrong_with_a_dump_is_one_sentence_and_loads_nothing(
    small, shelf, settings, tmp_path, made, words
):
    shutil.copytree(small, tmp_path / "in" / "bag")
    source = made(tmp_path / "in" / "bag")
    wipe()
    own_place(settings, tmp_path / "site")
    with pytest.raises(CommandError, match=words) as refused:
        call_command("load_dump", str(source))
    said = str(refused.value)
    assert said.startswith("Nothing was loaded: ") and said.endswith(".") and "\n" not in said
    assert not Book.objects.exists() and not Revision.objects.exists() and not Person.objects.exists()
    assert not (tmp_path / "site").exists()


def test_a_site_that_was_not_made_ready_is_told_what_to_do(small, db, monkeypatch):
    def no_table():
        raise OperationalError("no such table: archive_book")

    monkeypatch.setattr(Book.objects, "exists", no_table)
    with pytest.raises(CommandError, match=r"not ready \(no such table.*manage.py migrate first"):
        call_command("load_dump", str(small))


def test_a_dump_that_fails_leaves_nothing_behind(small, shelf, tmp_path, monkeypatch):
    monkeypatch.setattr("archive.dump.write._write_images", lambda *_: 1 / 0)
    for name in ("bag", "bag.zip"):
        with pytest.raises(ZeroDivisionError):
            dump(tmp_path / name)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def upload(shelf, settings, tmp_path):
    """A photograph that was sent and not yet published."""
    own_place(settings, tmp_path / "before")
    scan = a_scan(shelf[BOOK], None)
    digest = hashlib.sha256(b"by mistake").hexdigest()
    Original.objects.filter(pk=scan.original.pk).update(digest=digest)
    scan.original.refresh_from_db()
    for name in scan.original.file_names:
        storages["originals"].save(name, ContentFile(b"by mistake"))
    return scan


def test_an_upload_removed_while_a_dump_is_written_is_in_it_whole(upload, settings, tmp_path, monkeypatch):
    @contextmanager
    def then_removed():
        yield
        scan_pages.remove(upload)

    monkeypatch.setattr("archive.dump.write.consistent_read", then_removed)
    dump(tmp_path / "bag")
    assert not Original.objects.exists()
    wipe()
    own_place(settings, tmp_path / "after")
    call_command("load_dump", str(tmp_path / "bag"))
    assert Scan.objects.get().original.name == "page.jpg"


def test_a_file_removed_since_it_was_listed_is_left_out(upload, tmp_path, monkeypatch):
    def listed_late(storage, folder=""):
        names = list(files_in(storage, folder))
        if upload.pk:
            scan_pages.remove(upload)
        yield from names

    # It came after the files of uploads were copied, and goes while the others are.
    monkeypatch.setattr("archive.dump.write._write_uploads", lambda bag: None)
    monkeypatch.setattr("archive.dump.write.files_in", listed_late)
    call_command("dump", str(tmp_path / "bag"))
    bagit.Bag(str(tmp_path / "bag")).validate()
    assert not list((tmp_path / "bag").rglob(f"{upload.original.digest}*"))


def test_a_dump_for_others_has_nothing_that_is_not_public(shelf, tmp_path):
    other = "rummy-1916"
    Book.objects.filter(slug=BOOK).update(state=Book.DRAFT)
    told = {"person": make_person("Carla", "contributor"), "parent": 1, "declaration": "# nobody has seen it"}
    GameDraft.objects.create(book=Book.objects.get(slug=other), **told)
    dump(tmp_path / "bag", public=True)
    bagit.Bag(str(tmp_path / "bag")).validate()
    names = {str(path.relative_to(tmp_path / "bag" / "data")) for path in (tmp_path / "bag").rglob("*.*")
             if "data" in path.parts}  # fmt: skip
    assert f"books/{other}/book.toml" in names
    whole = b"".join(path.read_bytes() for path in (tmp_path / "bag").rglob("*") if path.is_file())
    assert BOOK.encode() not in whole and shelf[BOOK].title.encode() not in whole
    assert b"nobody has seen it" not in whole
    dump(tmp_path / "all")
    clear_shelf()
    load(tmp_path / "all")
    assert Book.objects.get(slug=BOOK).state == Book.DRAFT, "a draft comes back as a draft"
    assert Book.objects.get(slug=other).is_public
    assert not search.index().find("Victory", Book.objects.get(slug=BOOK)).hits

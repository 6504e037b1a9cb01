"""Books in and out: all or nothing, the same bytes back, and never over a curator's edits in silence."""

import shutil

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command

from archive.models import Book, Leaf, Note, PageImage, Passage, PassageName, Variant
from archive.publication import publish
from archive.publication.errors import PublishError

BOOKS = settings.FIXTURES / "books"
VICTORY = "victory-rummy-1942"
pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(tmp_path):
    """A copy of one real book, to be changed at will."""
    shutil.copytree(BOOKS / VICTORY, tmp_path / "books" / VICTORY)
    return tmp_path / "books"


def change(folder, name, old, new, count=1):
    path = folder / VICTORY / name
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, count))


def rows():
    models = (Book, Leaf, Passage, PassageName, Note, Variant)
    return {model.__name__: list(model.objects.order_by("pk").values()) for model in models}


def test_the_five_books_load_and_come_back_byte_for_byte(tmp_path):
    call_command("load_books")
    assert Book.objects.count() == 5
    call_command("export_books", folder=tmp_path)
    originals = sorted(path for path in BOOKS.rglob("*") if path.is_file())
    assert len(originals) >= 29
    for path in originals:
        assert (tmp_path / path.relative_to(BOOKS)).read_bytes() == path.read_bytes()


def test_loading_again_changes_nothing(folder, capsys):
    call_command("load_books", folder=folder)
    before = rows()
    call_command("load_books", folder=folder)
    assert "nothing has changed" in capsys.readouterr().out
    assert rows() == before


def test_a_changed_text_is_loaded_and_its_passages_stay_the_same_rows(folder):
    call_command("load_books", folder=folder)
    before = {passage.anchor: passage.pk for passage in Passage.objects.all()}
    change(folder, "text.txt", "A CAPTURE counts 50 points.", "A CAPTURE counts fifty points.")
    call_command("load_books", folder=folder)
    assert Passage.objects.get(anchor="score-capture").reading == "A CAPTURE counts fifty points."
    assert {passage.anchor: passage.pk for passage in Passage.objects.all()} == before


def test_a_fault_names_its_file_and_line_and_nothing_is_loaded(folder):
    shutil.copytree(BOOKS / "rummy-1916", folder / "rummy-1916")
    change(folder, "notes.toml", 'kind = "history"', 'kind = "rumour"')
    line = (folder / VICTORY / "notes.toml").read_text().split("\n").index('kind = "rumour"') + 1
    with pytest.raises(CommandError) as fault:
        call_command("load_books", folder=folder)
    assert f"{folder / VICTORY / 'notes.toml'}, line {line}:" in str(fault.value)
    assert Book.objects.count() == 0


@pytest.mark.parametrize(
    ("name", "old", "new", "says"),
    [
        ("variants.toml", 'bonus_order = "exact"', 'bonus_order = "backwards"', "cannot be 'backwards'"),
        ("variants.toml", 'bonus_order = "exact"', 'bonus = "exact"', "has no option bonus"),
        ("notes.toml", 'default = "first-of-each"', 'default = "exact"', "the engine's default"),
        (
            "notes.toml",
            'option = "victory-rummy/finish"',
            'option = "thumbs-up/finish"',
            "no game of this book",
        ),
        ("book.toml", 'games = ["victory-rummy"]', 'games = ["victory-rummy", "whist"]', "no game whist"),
    ],
)
def test_what_the_engine_does_not_know_is_a_fault_with_its_line(folder, name, old, new, says):
    change(folder, name, old, new)
    with pytest.raises(CommandError) as fault:
        call_command("load_books", folder=folder)
    assert says in str(fault.value)
    assert f"{name}, line " in str(fault.value)
    assert Book.objects.count() == 0


def test_all_books_with_faults_are_named_at_once(folder):
    shutil.copytree(BOOKS / "rummy-1916", folder / "rummy-1916")
    change(folder, "book.toml", "year = 1942", 'year = "1942"')
    (folder / "rummy-1916" / "notes.toml").write_text("oops")
    with pytest.raises(CommandError) as fault:
        call_command("load_books", folder=folder)
    assert "rummy-1916/notes.toml, line 1" in str(fault.value)
    assert f"{VICTORY}/book.toml, line " in str(fault.value)


def test_two_books_cannot_share_the_name_of_a_variant(folder):
    shutil.copytree(BOOKS / "thumbs-up-1941", folder / "thumbs-up-1941")
    other = (folder / "thumbs-up-1941" / "variants.toml").read_text()
    slug = other.split('slug = "')[1].split('"')[0]
    change(folder, "variants.toml", 'slug = "strict-red-white-blue"', f'slug = "{slug}"')
    with pytest.raises(CommandError, match="already one of thumbs-up-1941"):
        call_command("load_books", folder=folder)


def test_a_published_anchor_may_not_vanish_but_may_become_an_alias(folder):
    call_command("load_books", folder=folder)
    change(folder, "text.txt", "{#see-sample}", "{#sample-is-next}")
    with pytest.raises(CommandError, match="the anchor see-sample has been published"):
        call_command("load_books", folder=folder)
    change(folder, "text.txt", "{#sample-is-next}", "{#sample-is-next =see-sample}")
    call_command("load_books", folder=folder)
    assert Passage.objects.named(VICTORY, "see-sample").get().anchor == "sample-is-next"


def edit_here(reading="curators know better"):
    """What a curator's edit leaves behind: another text under another fingerprint."""
    book = Book.objects.get(slug=VICTORY)
    book.files["witness.txt"] += reading
    book.fingerprint = publish.fingerprint(book.files)
    book.save()


def test_a_curators_edit_stays_when_the_folder_has_not_changed(folder, capsys):
    call_command("load_books", folder=folder)
    edit_here()
    call_command("load_books", folder=folder)
    assert "kept as curators have edited it" in capsys.readouterr().out
    assert Book.objects.get(slug=VICTORY).was_edited


def test_a_changed_folder_does_not_go_over_a_curators_edit_unless_told_to(folder, capsys):
    call_command("load_books", folder=folder)
    edit_here()
    change(folder, "text.txt", "A CAPTURE counts 50 points.", "A CAPTURE counts fifty points.")
    with pytest.raises(CommandError, match="curators have edited"):
        call_command("load_books", folder=folder)
    assert Book.objects.get(slug=VICTORY).files["witness.txt"].endswith("know better")
    call_command("load_books", folder=folder, overwrite=True)
    assert "over what curators had edited" in capsys.readouterr().out
    assert not Book.objects.get(slug=VICTORY).was_edited


def test_a_leaf_with_a_scan_must_stay(folder):
    call_command("load_books", folder=folder)
    leaf = Leaf.objects.get(number=6)
    PageImage.objects.create(
        leaf=leaf, kind="scan", identifier="a-scan", width=1, height=1, checksum="0" * 64
    )
    text = (folder / VICTORY / "text.txt").read_text()
    (folder / VICTORY / "text.txt").write_text(text[: text.index("\n=== leaf 6 ===")])
    with pytest.raises(PublishError):
        publish.load([folder / VICTORY])
    assert Leaf.objects.filter(number=6).exists()


def test_notes_are_numbered_in_the_order_of_the_text(folder):
    call_command("load_books", folder=folder)
    places = [note.place for note in Note.objects.order_by("number") if note.place]
    assert places == sorted(places)
    assert [note.number for note in Note.objects.order_by("number")] == list(
        range(1, Note.objects.count() + 1)
    )

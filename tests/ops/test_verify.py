"""`verify`: whatever is altered behind the site's back is named; what nobody altered passes."""

from datetime import timedelta
from hashlib import sha256

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import storages
from django.core.management import CommandError, call_command
from django.db import InterfaceError, OperationalError, connection
from django.db.models import JSONField, ProtectedError, Value
from django.utils import timezone
from PIL import Image

from archive.curation import edits, proofreading
from archive.images import facsimiles
from archive.images.derivatives import png
from archive.models import Book, Note, Passage
from archive.models.history import FileText, Revision
from archive.models.scans import Original
from archive.publication import publish, verification
from archive.publication.revisions import Signature
from scorepad import exports, imports, ledger, new_pads, pads
from scorepad.ledger import Who, pad_verification
from scorepad.models import CountCheck, Entry
from tests.archive.curators import BOOK, FOLDER
from tests.archive.page_images import ingest_scan
from tests.people.conftest import make_person
from tests.scorepad.conftest import NAMES, axis, before_question, capture, victory

GUARDS = ("scorepad_entry_unchanged", "scorepad_entry_kept", "scorepad_entry_next")


@pytest.fixture
def pad(db):
    """Six entries from different seats, one of them a correction; and the guards of the table taken off."""
    made = new_pads.create({"game": "victory-rummy", "players": NAMES}).pad
    sent = [victory("e1"), capture("e2", "Bert"), victory("e3", "Cleo", "blue"), victory("e4")]
    sent += [{"id": "e5", "type": "void", "of": "e4"}, victory("e6", "Bert", "white")]
    for place, entry in enumerate(sent):
        _, [outcome] = ledger.append(made, [entry], Who(place % 3, "phone"))
        assert outcome.status == "stored", outcome
    with connection.cursor() as cursor:
        for guard in GUARDS:
            place = " ON scorepad_entry" if connection.vendor == "postgresql" else ""
            cursor.execute(f"DROP TRIGGER {guard}{place}")
    return made


def faults(capsys, *words):
    """What the command says is wrong, or None if it says that all is well."""
    try:
        call_command("verify", *words)
    except CommandError:
        return capsys.readouterr().out.splitlines()
    assert "all is as it was written" in capsys.readouterr().out
    return None


def of_entry(pad, number):
    return Entry.objects.filter(pad=pad, number=number)


def test_what_nobody_altered_passes(pad, capsys):
    new_pads.create({"game": "victory-rummy", "players": NAMES})
    call_command("verify", "--pads")
    assert capsys.readouterr().out == "2 pads with 6 entries: all is as it was written.\n"


def test_an_altered_body_is_named_with_its_points(pad, capsys):
    body = of_entry(pad, 2).get().body
    of_entry(pad, 2).update(body={**body, "type": "victory", "color": "white"})
    [fault] = faults(capsys, "--pads")
    assert fault == (
        f"Pad {pad.code}: entry 2 was altered: "
        "what it says is not what was acknowledged, since it scores differently."
    )


def test_an_altered_body_that_scores_the_same_is_named(pad, capsys):
    body = of_entry(pad, 3).get().body
    of_entry(pad, 3).update(body={**body, "remark": "of no account"})
    [fault] = faults(capsys, "--pads")
    assert fault.startswith(f"Pad {pad.code}: entry 3 was altered: ")


def test_an_altered_time_is_named(pad, capsys):
    of_entry(pad, 3).update(made_at=of_entry(pad, 3).get().made_at - timedelta(hours=1))
    [fault] = faults(capsys, "--pads")
    assert f"Pad {pad.code}: entry 3 was altered: its time" in fault


def test_an_altered_seat_or_device_is_named_with_what_it_was(pad, capsys):
    of_entry(pad, 2).update(seat=None)
    assert faults(capsys, "--pads") == [
        f"Pad {pad.code}: entry 2 was altered: its seat was 1 and is none now."
    ]
    of_entry(pad, 2).update(seat=1, device="stranger")
    assert "its device was 'phone' and is 'stranger' now" in faults(capsys, "--pads")[0]


def test_entries_that_changed_places_are_named(pad, capsys):
    for old, new in ((2, 99), (4, 2), (99, 4)):
        of_entry(pad, old).update(number=new)
    assert faults(capsys, "--pads") == [
        f"Pad {pad.code}: entry 2 was altered: it was sealed as entry 4 and stands in the wrong place."
    ]


@pytest.mark.parametrize("number", [1, 3, 5])
def test_a_removed_entry_is_missed_by_its_number(pad, capsys, number):
    of_entry(pad, number).delete()
    [fault] = faults(capsys, "--pads")
    assert f"entry {number} is missing: the next one is {number + 1}." in fault


def test_what_was_altered_before_a_gap_is_named_first(pad, capsys):
    of_entry(pad, 2).update(device="stranger")
    of_entry(pad, 4).delete()
    assert "entry 2 was altered: its device was 'phone'" in faults(capsys, "--pads")[0]


def test_a_removed_entry_is_noticed_even_when_the_gap_was_closed(pad, capsys):
    of_entry(pad, 3).delete()
    for number in (4, 5, 6):
        of_entry(pad, number).update(number=number - 1)
    [fault] = faults(capsys, "--pads")
    assert f"Pad {pad.code}: entry 3 was altered" in fault


@pytest.mark.parametrize("left", [5, 3, 0])
def test_entries_that_are_missing_at_the_end_are_told_by_the_seal_the_pad_keeps(pad, capsys, left):
    Entry.objects.filter(pad=pad, number__gt=left).delete()
    assert faults(capsys, "--pads") == [
        f"Pad {pad.code}: entry {left + 1} is missing: the log went on after entry {left}."
    ]


def test_a_last_seal_that_is_gone_is_named(pad, capsys):
    of_entry(pad, 6).delete()
    alter(pad, last_seal=None)
    [fault] = faults(capsys, "--pads")
    assert fault.startswith(f"Pad {pad.code}: it was altered: the seal of its last entry")


def test_a_log_that_an_older_version_went_on_with_passes(pad, capsys):
    type(pad).objects.filter(pk=pad.pk).update(last_seal=of_entry(pad, 4).get().seal)
    assert faults(capsys, "--pads") is None


def test_an_imported_log_keeps_its_last_seal(pad, capsys):
    copy = imports.import_pad(exports.pad_json(pad)).pad
    assert faults(capsys, "--pad", copy.code) is None
    of_entry(copy, 6).delete()
    assert "entry 6 is missing" in faults(capsys, "--pad", copy.code)[0]


@pytest.mark.parametrize("scored", ["0" * 16, ""])
def test_a_file_that_says_otherwise_what_its_entries_scored_is_no_altered_log(pad, capsys, scored):
    whole = exports.pad_json(pad)
    whole["log"] = [{**about, "scored": scored} for about in whole["log"]]
    assert faults(capsys, "--pad", imports.import_pad(whole).pad.code) is None


@pytest.mark.parametrize("number", [1e16, 1e22, -1.5e300, -0.0, 1.0, 2.5, 5e-324, 10**40])
def test_a_number_that_a_database_spells_otherwise_is_no_altered_log(db, capsys, number):
    never_stood = {"id": "am", "type": "amend", "of": "e1", "entry": {"type": "victory", "points": [number]}}
    entries = [victory("e1"), never_stood, {"id": "vo", "type": "void", "of": "e1"}]
    sheet = {"tally": 1, "game": "victory-rummy", "players": NAMES, "entries": entries}
    pad = imports.import_pad(sheet).pad
    assert ledger.sheet(pad)["entries"] == entries
    assert faults(capsys, "--pad", pad.code) is None


def test_a_last_entry_that_is_missing_is_told_by_a_count_of_chips_after_it(pad, capsys):
    alter(pad, last_seal=None, table_seal=None)
    CountCheck.objects.create(pad=pad, head=6, counted=[0, 0, 0])
    assert faults(capsys, "--pads") is None
    of_entry(pad, 6).delete()
    assert faults(capsys, "--pads") == [
        f"Pad {pad.code}: entry 6 is missing: the chips were counted after entry 6."
    ]


def test_an_altered_seal_or_id_or_digest_is_named(pad, capsys):
    row = of_entry(pad, 3).get()
    of_entry(pad, 3).update(seal="0" * 64)
    assert "entry 3 was altered: its seal itself was changed" in faults(capsys, "--pads")[0]
    of_entry(pad, 3).update(seal=row.seal, entry_id="other")
    assert "entry 3 was altered" in faults(capsys, "--pads")[0]
    for digest in ("0" * 16, ""):
        of_entry(pad, 3).update(entry_id=row.entry_id, scored=digest)
        assert "entry 3 scores otherwise than it was acknowledged" in faults(capsys, "--pads")[0]


def alter(pad, **values):
    type(pad).objects.filter(pk=pad.pk).update(**values)


def test_altered_readings_of_a_table_that_has_no_seal_are_noticed(pad, capsys):
    alter(pad, options={**pad.options, "target": "a lot"}, table_seal=None)
    assert f"Pad {pad.code}: its heading is not valid" in faults(capsys, "--pads")[0]


ELSEWHERE = {
    "game": {"game": "thumbs-up"},
    "readings": {"options": {"target": 500}},
    "seats": {"players": [*NAMES, "Dora"]},
    "a dealer": {"dealer": 1},
    "a dealer who is not there": {"dealer": 7},
    "variant": {"variant": "another"},
    "heading": {"heading": {"title": "Another evening"}},
    "engine": {"engine": "0.9"},
}


@pytest.mark.parametrize("change", ELSEWHERE.values(), ids=ELSEWHERE)
@pytest.mark.parametrize("imported", [False, True])
def test_an_altered_table_is_named(pad, capsys, change, imported):
    if imported:
        pad = imports.import_pad(exports.pad_json(pad)).pad
    alter(pad, **change)
    [fault] = faults(capsys, "--pads")
    assert fault.startswith(f"Pad {pad.code}: it was altered: its game, readings, number of seats, first")


def test_a_table_that_was_begun_by_an_older_version_is_sealed_with_its_next_entry(pad, capsys):
    alter(pad, table_seal=None)
    pad.refresh_from_db()
    _, [outcome] = ledger.append(pad, [axis("e7", "Bert")])
    assert outcome.status == "stored", outcome
    assert faults(capsys, "--pads") is None
    alter(pad, dealer=1)
    assert "first dealer" in faults(capsys, "--pads")[0]


def test_what_may_change_on_a_table_passes(db, capsys):
    pad = new_pads.create({"game": "victory-rummy", "players": NAMES, "title": "Friday", "date": 1e16}).pad
    pad = pads.rename(pad, [*NAMES, "Dora"], "Dora")
    ledger.append(pad, [victory("e1")])
    pads.rename(pad, ["Dora", *NAMES])
    pads.change_settings(pad, {"sound": "off"})
    new_pads.next_game(pad, stopping=True)
    assert faults(capsys, "--pads") is None


UNREADABLE = {
    "a seat that is not there": {"type": "victory", "player": 9, "color": "red"},
    "a list": [],
    "a word": "victory",
    "nothing": Value(None, JSONField()),
    "a number for a type": {"type": 7},
    "a list for a type": {"type": ["victory"]},
    "a body deep in itself": {"type": "amend", "of": "e1", "entry": {"type": "victory", "player": [[]]}},
}


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_a_body_that_cannot_be_read_is_named_and_the_pads_after_it_are_looked_at(pad, capsys, body):
    later = new_pads.create({"game": "victory-rummy", "players": NAMES}).pad
    ledger.append(later, [victory("e1")], Who(0, "phone"))
    of_entry(pad, 3).update(body=body)
    of_entry(later, 1).update(seat=2)
    first, second = faults(capsys, "--pads")
    assert first.startswith(f"Pad {pad.code}: entry 3 was altered: what it says ")
    assert second == f"Pad {later.code}: entry 1 was altered: its seat was 0 and is 2 now."


def test_the_first_wrong_seal_is_named_before_what_cannot_be_read(pad, capsys):
    of_entry(pad, 2).update(device="stranger")
    of_entry(pad, 4).update(body=[])
    alter(pad, dealer=7)
    assert "entry 2 was altered: its device was 'phone'" in faults(capsys, "--pads")[0]


@pytest.mark.parametrize(
    "change",
    [{"players": NAMES[:1]}, {"players": 3}, {"dealer": 7}, {"options": []}, {"heading": ["Friday"]}],
    ids=str,
)
@pytest.mark.parametrize("is_sealed", [True, False])
def test_a_table_that_cannot_be_read_is_named_and_the_pads_after_it_are_looked_at(
    pad, capsys, change, is_sealed
):
    later = new_pads.create({"game": "victory-rummy", "players": NAMES}).pad
    ledger.append(later, [victory("e1")], Who(0, "phone"))
    of_entry(later, 1).update(seat=2)
    alter(pad, **change, **({} if is_sealed else {"table_seal": None}))
    first, second = faults(capsys, "--pads")
    assert first.startswith(f"Pad {pad.code}: ")
    assert "altered" in first or "its heading is not valid" in first
    assert second.startswith(f"Pad {later.code}: entry 1 was altered")


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps only times there")
@pytest.mark.parametrize("time", ["yesterday", "2026-13-45 99:00:00"])
def test_a_time_that_is_none_is_named(pad, capsys, time):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scorepad_entry SET made_at = %s WHERE number = 3", [time])
    assert faults(capsys, "--pads") == [f"Pad {pad.code}: entry 3 was altered: what it says cannot be read."]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps only text there")
def test_text_that_is_none_is_named_and_the_next_pad_is_looked_at(pad, capsys):
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scorepad_entry SET device = CAST(x'ff41' AS TEXT) WHERE number = 3")
    assert faults(capsys, "--pads") == [f"Pad {pad.code}: entry 3 was altered: what it says cannot be read."]
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scorepad_pad SET variant = CAST(x'ff41' AS TEXT)")
        cursor.execute("DELETE FROM scorepad_entry")
    assert faults(capsys, "--pads") == [f"Pad {pad.code}: it was altered: it cannot be read."]


@pytest.mark.skipif(connection.vendor != "sqlite", reason="PostgreSQL keeps only text there")
def test_a_pad_whose_code_is_no_text_hides_no_other(pad, capsys):
    second = new_pads.create({"game": "victory-rummy", "players": NAMES}).pad
    with connection.cursor() as cursor:
        cursor.execute("UPDATE scorepad_pad SET code = CAST(x'ff41' AS TEXT) WHERE id = %s", [pad.pk])
        cursor.execute("UPDATE scorepad_pad SET table_seal = 'other' WHERE id = %s", [second.pk])
    first, other = faults(capsys, "--pads")
    assert first == f"Pad in row {pad.pk}: it was altered: it cannot be read."
    assert other.startswith(f"Pad {second.code}: it was altered: its game,")


@pytest.mark.parametrize("fault", [InterfaceError, OperationalError])
def test_a_database_that_is_away_is_no_altered_row(pad, fault):
    def away(execute, *question):
        raise fault("the connection is closed")

    with connection.execute_wrapper(away), pytest.raises(fault):
        pad_verification.verify(pad.pk)


def count_chips(pad):
    _, [outcome] = ledger.append(pad, [axis("e7", "Bert")])
    assert outcome.status == "stored", outcome
    CountCheck.objects.create(pad=pad, head=7, counted=[0, 0, 0])


@pytest.mark.parametrize("act", [pads.delete, count_chips])
def test_what_happens_while_a_pad_is_looked_at_is_no_fault(pad, capsys, act):
    with before_question(0, None) as asked:
        pad_verification.verify(pad.pk)
    for number in range(1, next(asked)):
        played = imports.import_pad(exports.pad_json(pad)).pad
        with before_question(number, lambda: act(played)):  # noqa: B023 - called before the next
            assert pad_verification.verify(played.pk)[1] == []


def test_seats_that_are_settled_while_a_pad_is_looked_at_are_no_fault(db):
    def begin():
        pads.rename(pad, [*NAMES, "Dora"], "Dora")
        ledger.append(pad, [victory("e1", "Dora")])

    for number in range(1, 4):
        pad = new_pads.create({"game": "victory-rummy", "players": NAMES}).pad
        with before_question(number, begin):
            assert pad_verification.verify(pad.pk)[1] == []


def test_a_database_that_fails_is_no_altered_pad(pad, monkeypatch):
    def fail(*_):
        raise OperationalError("away")

    monkeypatch.setattr(pad_verification, "_check_numbers", fail)
    with pytest.raises(OperationalError):
        pad_verification.verify(pad.pk)


def test_one_pad_is_verified_alone(pad, capsys):
    whole = new_pads.create({"game": "victory-rummy", "players": NAMES}).pad
    of_entry(pad, 1).update(seat=None)
    assert faults(capsys, "--pad", whole.code) is None
    assert len(faults(capsys, "--pad", pad.code)) == 1
    with pytest.raises(CommandError, match="There is no pad nowhere"):
        call_command("verify", "--pad", "nowhere")


@pytest.fixture
def book(db, monkeypatch):
    monkeypatch.setattr(facsimiles, "enqueue_update", lambda slug: None)
    publish.load([FOLDER])
    return Book.objects.get(slug=BOOK)


def test_books_that_nobody_altered_pass(book, capsys):
    assert faults(capsys, "--books") is None


def test_an_altered_file_of_a_book_is_noticed(book):
    Book.objects.update(files=book.files | {"text.txt": book.files["text.txt"].upper()})
    assert verification.verify(BOOK) == [
        f"Book {BOOK}: its files do not have its fingerprint; they were altered."
    ]


def test_rows_that_differ_from_the_files_are_named(book):
    passage = Passage.objects.get(anchor="score-capture")
    Passage.objects.filter(pk=passage.pk).update(reading="Nothing.")
    note = Note.objects.first()
    Note.objects.filter(pk=note.pk).delete()
    Book.objects.update(maker="Somebody else")
    assert verification.verify(BOOK) == [
        f"Book {BOOK}: its maker is not that of its files.",
        f"Book {BOOK}: passage score-capture is not that of its files.",
        f"Book {BOOK}: note {note.slug} is not that of its files.",
    ]


def test_an_altered_text_of_the_history_is_named(book, capsys):
    digest = Revision.objects.get().files["text.txt"]
    FileText.objects.filter(digest=digest).update(text="Gone.")
    said = faults(capsys, "--books")
    assert f"Book {BOOK}: revision 1 does not have its fingerprint; it was altered." in said
    assert f"History: the text {digest} is not what its name says; it was altered." in said
    FileText.objects.filter(digest=digest).delete()
    assert f"Book {BOOK}: text.txt of revision 1 is missing." in faults(capsys, "--books")


def test_a_revision_that_is_missing_or_has_another_parent_is_named(book):
    Revision.objects.update(parent=7)
    assert "names 7 as its parent" in verification.verify(BOOK)[0]
    Revision.objects.update(number=2, parent=None)
    assert "revision 1 is missing" in verification.verify(BOOK)[0]


@pytest.mark.parametrize(
    "change", [{"signed": "Nobody"}, {"reason": "None."}, {"made": timezone.now()}, {"restores": 1}]
)
def test_a_revision_with_another_author_reason_or_time_is_named(book, change):
    curator = make_person("Conrad", "curator")
    text = book.files["text.txt"].replace("A CAPTURE counts 50 points.", "A CAPTURE counts fifty points.")
    edits.save(BOOK, {"text.txt": text}, 1, Signature("Spelt out.", curator))
    assert verification.verify(BOOK) == []
    Revision.objects.filter(number=1).update(**change)
    [fault] = verification.verify(BOOK)
    assert fault.startswith(f"Book {BOOK}: revision 1 was altered")


def test_a_book_or_a_person_with_a_history_cannot_be_deleted(book):
    curator = make_person("Conrad", "curator")
    proofreading.record(book, 1, proofreading.PROOFREAD, curator)
    with pytest.raises(ProtectedError):
        book.delete()
    with pytest.raises(ProtectedError):
        curator.delete()
    assert Revision.objects.count() == 1


def test_an_upload_that_is_missing_or_altered_is_named(book, own_storages, capsys):
    kept = Original.objects.create(
        digest=sha256(b"as it came").hexdigest(), name="IMG.jpg", kind="jpg", size=10, width=1, height=1
    )
    assert faults(capsys, "--books") == [f"Original IMG.jpg ({kept.digest[:12]}) is missing."]
    storages["originals"].save(kept.file_name, ContentFile(b"otherwise"))
    assert faults(capsys, "--books") == [
        f"Original IMG.jpg ({kept.digest[:12]}) is not as it came; it was altered."
    ]
    storages["originals"].delete(kept.file_name)
    storages["originals"].save(kept.file_name, ContentFile(b"as it came"))
    assert faults(capsys, "--books") is None


@pytest.fixture
def imaged(book, own_storages):
    original = png(Image.effect_noise((700, 900), 40))
    return ingest_scan(book.leaves.first(), "leaf-one", original, ".png"), own_storages


def test_missing_damaged_and_altered_image_files_are_named(imaged):
    _, places = imaged
    assert verification.verify(BOOK) == []
    sizes = sorted((places["pages"]).rglob("full/*.jpg"))
    sizes[0].write_bytes(sizes[0].read_bytes()[:-9])
    tile = next((places["pages"]).rglob("1/0-0.jpg"))
    tile.unlink()
    original = next(places["originals"].rglob("*.png"))
    original.write_bytes(original.read_bytes() + b"!")
    assert sorted(verification.verify(BOOK)) == [
        f"Book {BOOK}: image leaf-one: 1/0-0.jpg is missing.",
        f"Book {BOOK}: image leaf-one: full/{sizes[0].stem}.jpg is not a whole picture.",
        f"Book {BOOK}: image leaf-one: its original does not have its checksum; it was altered.",
    ]
    original.unlink()
    assert f"Book {BOOK}: image leaf-one: its original is missing." in verification.verify(BOOK)

"""Tell us: a reader without account writes about a place, a curator answers or edits, and addresses go."""

import re
from datetime import timedelta

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from archive.curation import proposals
from archive.messages import checksums, inbox
from archive.messages.places import Place, find_place
from archive.models import Book, MessagePhotograph, Note, Proposal, ReaderMessage, Revision
from archive.scans.form_pictures import OTHER_KIND
from tests.archive.curators import BOOK, leaf_of, rows, signed_in
from tests.archive.hostile import saved
from tests.archive.scan_files import lines_of_print, photograph

TELL = f"/books/{BOOK}/tell/"
PASSAGE = f"{TELL}?passage=enter-score"
WRITTEN = {"words": "It says “may”,\nnot must.", "sender": "Rita", "email": "rita@example.org"}


@pytest.fixture
def reader(curated):
    return Client(enforce_csrf_checks=True)


def send(client, address=PASSAGE, **fields):
    """Fill the form in as a browser does, with its token; the answer."""
    page = client.get(address).content.decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    return client.post(address, {"csrfmiddlewaretoken": token, **WRITTEN, **fields})


def latest():
    return ReaderMessage.objects.latest("pk")


def test_a_reader_tells_something_and_follows_it_by_a_private_link(reader, curated):
    page = reader.get(PASSAGE).content.decode()
    assert "A passage of Victory Rummy" in page and "enter-score" in page
    link = send(reader)["Location"]
    assert link.startswith("/messages/") and link.removeprefix("/messages/") not in str(latest().__dict__)
    shown = reader.get(link)
    assert "Waiting for a curator" in shown.content.decode() and "rita@example.org" in shown.content.decode()
    assert "no-store" in shown["Cache-Control"]
    for address in (
        f"/books/{BOOK}/",
        latest().book.get_absolute_url(),
        "/changes.atom",
        f"/books/{BOOK}/book.json",
    ):
        assert "not must" not in reader.get(address).content.decode()


@pytest.mark.parametrize("address", ["", "1/", "passages/enter-score/"])
def test_the_way_to_tell_us_stands_on_rulebook_page_passage_and_note(reader, address):
    page = reader.get(f"/books/{BOOK}/{address}").content.decode()
    ways = set(re.findall(r'href="(/books/[\w-]+/tell/[^"]*)"', page))
    assert {"": TELL, "1/": f"{TELL}?page=1", "passages/enter-score/": PASSAGE}[address] in ways
    if not address:
        assert {f"{TELL}?note={slug}" for slug in Note.objects.values_list("slug", flat=True)} <= ways
    for way in sorted(ways)[:3]:
        assert reader.get(way).status_code == 200


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"words": "  "}, "Write what is wrong here"),
        ({"words": "word " * 801}, "letters long"),
        ({"email": "rita at home"}, "This is not an email address"),
        ({"sender": "R" * 81}, "at most 80 letters"),
    ],
)
def test_bad_input_is_told_at_its_field_and_nothing_is_lost(reader, fields, sentence):
    answer = send(reader, **fields)
    page = answer.content.decode()
    assert answer.status_code == 422 and sentence in page
    for name, value in (WRITTEN | fields).items():
        assert value.strip() in page, name
    assert not ReaderMessage.objects.exists()


def test_a_place_that_is_not_there_is_not_found(reader):
    for query in ("passage=none", "page=99", "page=x", "note=none"):
        assert reader.get(f"{TELL}?{query}").status_code == 404
    Book.objects.filter(slug=BOOK).update(state=Book.DRAFT)
    assert reader.get(TELL).status_code == 404


def test_too_many_messages_get_a_sentence_and_keep_the_words(reader, settings):
    settings.MESSAGES_PER_ADDRESS_MOST, settings.MESSAGES_WAITING_MOST = 2, 3
    assert [send(reader).status_code for _ in range(2)] == [302, 302]
    refused = send(reader)
    assert refused.status_code == 429 and int(refused["Retry-After"]) > 0
    assert "Nothing you wrote is lost" in refused.content.decode() and "not must" in refused.content.decode()
    settings.MESSAGES_PER_ADDRESS_MOST = 50
    assert send(reader).status_code == 302
    full = send(reader)
    assert full.status_code == 503 and "too many messages are waiting" in full.content.decode().lower()
    assert ReaderMessage.objects.count() == 3


def test_a_curator_answers_and_the_reader_reads_it(reader, curated):
    link = send(reader)["Location"]
    curator = signed_in(curated["curator"])
    assert "From readers (1)" in curator.get("/curation/").content.decode()
    assert "From readers" not in signed_in(curated["contributor"]).get("/curation/").content.decode()
    address = latest().get_absolute_url()
    assert curator.post(address, {"act": "answer", "answer": " "}).status_code == 422
    curator.post(address, {"act": "answer", "answer": "You are right; see the note."})
    page = reader.get(link).content.decode()
    assert "Answered" in page and "You are right; see the note." in page and "Conrad" in page
    assert "No message waits" in curator.get("/curation/").content.decode()


def test_what_the_reader_deletes_meanwhile_is_not_answered(reader, curated, monkeypatch):
    send(reader)
    address, answer = latest().get_absolute_url(), inbox.answer

    def late(curator, message, words):
        ReaderMessage.objects.all().delete()
        answer(curator, message, words)

    monkeypatch.setattr(inbox, "answer", late)
    posted = signed_in(curated["curator"]).post(address, {"act": "answer", "answer": "You are right."})
    assert posted.status_code == 404 and not ReaderMessage.objects.exists()


def test_one_tap_makes_a_proposal_of_a_message_and_its_revision_is_told_to_the_reader(reader, curated):
    link, leaf = send(reader)["Location"], leaf_of("500 points win the game")
    place = find_place(Book.objects.get(slug=BOOK), "page", str(leaf))
    ReaderMessage.objects.update(kind=place.kind, name=place.name)
    curator = signed_in(curated["curator"])
    opened = curator.post(latest().get_absolute_url(), {"act": "text"})["Location"]
    proposal = Proposal.objects.get()
    assert opened == f"/books/{BOOK}/{leaf}/mend/?proposal={proposal.pk}" and latest().proposal == proposal
    assert curator.get(opened).status_code == 200
    assert "is working on it" in reader.get(link).content.decode()
    assert "not must" in curator.get(f"/curation/proposals/{proposal.pk}/").content.decode()
    sent = {
        "line": rows(leaf, "500 points win", "Five hundred points win"),
        "parent": "1",
        "proposal": proposal.pk,
    }
    saved = curator.post(f"/books/{BOOK}/{leaf}/mend/", {**sent, "reason": "Seen on a better copy."})
    assert saved.status_code == 302, saved.content.decode()
    revision = Revision.objects.get(book__slug=BOOK, number=2)
    assert revision.reason == "Seen on a better copy. After a message from a reader."
    assert revision.signed == "Conrad" and "Rita" not in revision.reason
    page = reader.get(link).content.decode()
    assert f'href="/books/{BOOK}/revisions/2/"' in page
    assert latest().answered is not None


def test_a_message_waits_again_when_its_proposal_is_withdrawn_and_is_answered_when_it_is_refused(
    reader, curated
):
    link, curator = send(reader)["Location"], curated["curator"]
    begun = proposals.begin_from_message(curator, latest(), "Edit", f"/books/{BOOK}/1/mend/")
    assert proposals.begin_from_message(curator, latest(), "Again", f"/books/{BOOK}/1/mend/").pk == begun.pk
    proposals.withdraw(curator, begun)
    assert latest().proposal is None and latest().answered is None
    begun = proposals.begin_from_message(curator, latest(), "Edit", f"/books/{BOOK}/1/mend/")
    proposals.refuse(curator, begun, "The scan has must.")
    assert latest().answered is not None
    assert "The scan has must." in reader.get(link).content.decode()


def test_a_message_that_its_sender_deletes_meanwhile_is_gone_for_the_curator_too(reader, curated):
    send(reader)
    message = latest()
    ReaderMessage.objects.all().delete()
    with pytest.raises(inbox.MessageGoneError):
        proposals.begin_from_message(curated["curator"], message, "Edit", f"/books/{BOOK}/1/mend/")


def test_names_and_addresses_go_ninety_days_after_the_answer(reader, curated, capsys):
    links = [send(reader)["Location"] for _ in range(3)]
    messages = list(ReaderMessage.objects.all())
    for message in messages[:2]:
        inbox.answer(curated["curator"], message, "Thank you.")
    now = timezone.now()
    for message, days in zip(messages, (90, 89, 400), strict=True):
        answered = now - timedelta(days=days) if message.answered else None
        ReaderMessage.objects.filter(pk=message.pk).update(answered=answered)
    call_command("expire")
    kept = {one.pk: (one.sender, one.email) for one in ReaderMessage.objects.all()}
    rita = ("Rita", "rita@example.org")
    assert [kept[message.pk] for message in messages] == [("", ""), rita, rita]
    assert "1 lost their name and address" in capsys.readouterr().out
    page = reader.get(links[0]).content.decode()
    assert "not must" in page and "Thank you." in page and "rita@" not in page


def test_a_reader_deletes_the_address_or_the_whole_message(reader):
    link = send(reader)["Location"]
    token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', reader.get(link).content.decode())[1]
    reader.post(link, {"csrfmiddlewaretoken": token, "act": "forget"})
    assert (latest().sender, latest().email) == ("", "") and "not must" in latest().words
    assert "is deleted" in reader.post(link, {"csrfmiddlewaretoken": token, "act": "delete"}).content.decode()
    assert not ReaderMessage.objects.exists() and reader.get(link).status_code == 404


def test_guesses_of_private_links_are_limited(reader, settings):
    settings.MESSAGE_GUESSES_PER_ADDRESS_MOST = 3
    link = send(reader)["Location"]
    assert [reader.get(f"/messages/guess{n}/").status_code for n in range(4)] == [404, 404, 404, 429]
    assert reader.get(link).status_code == 200


def test_photographs_come_only_where_they_are_allowed_and_lose_what_the_camera_noted(
    reader, curated, settings
):
    picture = photograph(lines_of_print())
    file = SimpleUploadedFile("page.jpg", picture, "image/jpeg")
    assert "photograph" not in reader.get(PASSAGE).content.decode().lower()
    assert "takes no photographs" in send(reader, photograph=file).content.decode()
    settings.READERS_PHOTOGRAPHS = True
    for other in (b"<script>", saved(lines_of_print(), "PDF"), saved(lines_of_print(), "TIFF")):
        bad = send(reader, photograph=SimpleUploadedFile("page.jpg", other, "image/jpeg"))
        assert bad.status_code == 422 and OTHER_KIND in bad.content.decode(), other[:8]
    assert "not must" in bad.content.decode() and not ReaderMessage.objects.exists()
    file.seek(0)
    link = send(reader, photograph=file)["Location"]
    kept = MessagePhotograph.objects.get()
    assert bytes(kept.jpeg)[:2] == b"\xff\xd8" and b"Exif" not in bytes(kept.jpeg)
    address = f"{latest().get_absolute_url()}photograph.jpg"
    assert signed_in(curated["curator"]).get(address)["Content-Type"] == "image/jpeg"
    assert (
        reader.get(address).status_code == 302
        and signed_in(curated["contributor"]).get(address).status_code == 403
    )
    assert "With a photograph" in reader.get(link).content.decode()
    inbox.forget(latest())
    assert not MessagePhotograph.objects.exists()


def test_verify_notices_words_that_were_altered(reader):
    send(reader)
    assert checksums.verify() == []
    ReaderMessage.objects.update(words="Something else.")
    assert checksums.verify() == [f"Message {latest().pk} of a reader: its words are not those that came."]


def test_no_dump_has_a_message(reader, tmp_path):
    send(reader)
    for options in ({}, {"public": True}):
        target = tmp_path / f"bag-{len(options)}"
        call_command("dump", str(target), **options, verbosity=0)
        for path in target.rglob("*"):
            assert not path.is_file() or b"rita@example.org" not in path.read_bytes()


def test_a_message_about_a_place_that_is_gone_is_about_its_rulebook(curated):
    book = Book.objects.get(slug=BOOK)
    form = inbox.MessageForm("Gone.")
    inbox.send(Place(book, "note", "was-here"), form, "198.51.100.1")
    page = signed_in(curated["curator"]).get(latest().get_absolute_url()).content.decode()
    assert "All of Victory Rummy" in page

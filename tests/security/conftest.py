"""The whole house, with somebody of every kind in it: a pad and its links, a book, people, a proposal."""

import json
from dataclasses import dataclass, field

import pytest
from django.conf import settings
from django.db import transaction
from django.test import Client
from PIL import Image

from archive.curation import book_files
from archive.images.derivatives import jpeg
from archive.images.page_image_cache import forget_images
from archive.messages import inbox
from archive.messages.forms import message_form
from archive.messages.places import place_asked
from archive.models import Book, Job, ProposedScan, ReaderMessage, Variant
from archive.models.history import Proposal, Revision
from archive.publication import publish, revisions
from people import invitations
from people.models import Invitation
from scorepad.ledger import cache
from tests.archive.page_images import set_pages
from tests.archive.scan_files import a_scan
from tests.people.conftest import make_person
from tests.scorepad.conftest import Phone, browser_of, committed, sit_down, table, victory

__all__ = ["committed", "table"]

SLUG = "victory-rummy-1942"
ROLES = {"keep": 2, "play": 1, "watch": 0, "none": -1, "other": -1, "revoked": -1}
CLUB_ROLES = {"keep": 2, "watch": 0, "none": -1, "player": -1, "other": -1, "revoked": -1}
"""A player of one of its pads who has no link to the club is a stranger there."""
ACCOUNTS = {"reader": -1, "contributor": 0, "curator": 1, "keeper": 2}


@dataclass
class House:
    """One pad with its next game and its evening, one book, one person of each role."""

    table: object
    people: dict
    places: dict
    revoked: dict
    club: dict = field(default_factory=dict)

    def path(self, row):
        return row.example.format(**self.places)

    def phone(self, role):
        """Somebody with this link: `other` keeps another pad, `revoked` kept this one until just now."""
        if role == "other":
            phone = sit_down().keeper
            phone.code = self.table.code
            return phone
        if role == "revoked":
            return Phone(self.revoked["token"], self.table.code)
        names = {"keep": "keeper", "play": "player", "watch": "watcher", "none": "stranger"}
        return getattr(self.table, names[role])

    def browser(self, role):
        """The same with a cookie. Cookies of other pads and dead links are put under this pad's name."""
        client = Client(enforce_csrf_checks=True)
        client.cookies["csrftoken"] = "a" * 32
        if role in ("keep", "play", "watch"):
            client.cookies.update(browser_of(self.phone(role)).cookies)
        if role in ("keep", "watch") and self.club:
            client.cookies[f"club-{self.places['club']}"] = self.club[f"{role}_cookie"]
        if role == "other":
            other = sit_down()
            value = browser_of(other.keeper).cookies[f"pad-{other.code}"].value
            client.cookies[f"pad-{self.table.code}"] = value
        elif role == "revoked":
            client.cookies[f"pad-{self.table.code}"] = self.revoked["cookie"]
        return client

    def club_cookies(self, role):
        """The cookies of somebody at the club; those of others are put under its name."""
        name = f"club-{self.places['club']}"
        if role == "player":
            return {key: cookie.value for key, cookie in browser_of(self.phone("play")).cookies.items()}
        if role == "other":
            value = browser_of(self.phone("keep")).cookies[f"pad-{self.table.code}"].value
        else:
            value = {**self.club, "none": ""}[f"{role}_cookie" if role != "none" else role]
        return {name: value, "csrftoken": "a" * 32}

    def club_headers(self, role):
        token = {**self.club, "none": "", "other": self.table.watcher.token}.get(role, "")
        token = self.phone("play").token if role == "player" else token
        return {"Authorization": f"Bearer {token}"} if token else {}

    def account(self, role, **options):
        client = Client(**options)
        if role != "reader":
            client.force_login(self.people[role])
        return client


def ask(client, method, path, row, headers=None):
    """One request of this kind, with what the row says is sent."""
    headers = {"X-CSRFToken": "a" * 32, **(headers or {})}
    if method != "POST":
        return client.generic(method, path, headers=headers)
    if not path.startswith(("/pads/", "/clubs/")) or row.form is not None:
        return client.post(path, row.form or row.body or {}, headers=headers)
    return client.post(path, json.dumps(row.body), content_type="application/json", headers=headers)


def undone(work, *args):
    """What this answers; whatever it did is undone."""
    with transaction.atomic():
        answer = work(*args)
        transaction.set_rollback(True)
    cache.clear()
    return answer


@pytest.fixture
def hall(db):
    """The house without books and people, which is made in a moment."""
    return with_club(furnished_hall())


@pytest.fixture
def house(db):
    return furnished(with_club(furnished_hall()))


def furnished_hall():
    table = sit_down()
    dead = table.keeper.token
    cookie = browser_of(table.keeper).cookies[f"pad-{table.code}"].value
    table.keeper = Phone(table.keeper.post("links/", {"rotate": "keep"}).json()["keep"][-32:], table.code)
    table.player.enter(victory("a1"))
    table.keeper.post("rematch/")
    places = {"code": table.code, "evening": table.pad.evening.code, "token": table.keeper.token}
    return House(table, {}, places, {"token": dead, "cookie": cookie})


def with_club(house):
    """A club of the pad; whoever had its first owner's link lost it."""
    made = house.table.keeper.post("club/").json()
    code = made["club"].split("/")[2]
    dead = made["keep"].rsplit("/", 1)[-1]
    found = {
        "watch": made["watch"].rsplit("/", 1)[-1],
        "revoked": dead,
        "revoked_cookie": cookie_of(code, dead),
    }
    keeper = Phone(dead, house.table.code)
    found["keep"] = keeper.post(f"/clubs/{code}/links/", {"rotate": "keep"}).json()["keep"].rsplit("/", 1)[-1]
    for role in ("keep", "watch"):
        found[f"{role}_cookie"] = cookie_of(code, found[role])
    house.club = found
    house.places |= {"club": code, "club_token": found["keep"]}
    return house


def cookie_of(code, token):
    client = Client()
    assert client.get(f"/clubs/{code}/{token}").status_code == 302
    return client.cookies[f"club-{code}"].value


def furnished(house):
    publish.load([settings.FIXTURES / "books" / SLUG])
    set_pages(SLUG)
    forget_images()
    people = house.people = {
        role: make_person(name, role)
        for name, role in [("Carla", "contributor"), ("Conrad", "curator"), ("Kim Lee", "keeper")]
    }
    book = Book.objects.get(slug=SLUG)
    variant = Variant.objects.filter(game="victory-rummy").first()
    proposal = Proposal.objects.create(
        book=book,
        parent=1,
        author=people["contributor"],
        signed="Carla",
        reason="In words.",
        place="Leaf 1",
        address=f"/books/{SLUG}/1/mend/",
        files={"text.txt": Revision.objects.get(book=book).files["text.txt"]},
    )
    scan = a_scan(book, people["curator"])
    proposed_scan = Proposal.objects.create(
        kind=Proposal.SCAN,
        book=book,
        parent=1,
        author=people["contributor"],
        signed="Carla",
        reason="A better one.",
        place="Scan of page 2",
        address=f"/books/{SLUG}/2/scan/",
        files={},
    )
    ProposedScan.objects.create(proposal=proposed_scan, book=book, original=scan.original, name="two.jpg")
    token = invitations.invite("curator", "Ada", people["keeper"])
    told = message_form({"words": "This word is wrong.", "sender": "Rita", "email": "rita@example.org"})
    photograph = jpeg(Image.new("RGB", (120, 120), "red"), 80)
    private = inbox.send(place_asked(book, {"passage": "enter-score"}), told, "198.51.100.7", photograph)
    house.places |= {
        "message": ReaderMessage.objects.get().pk,
        "message_token": private,
        "image": book.leaves.first().images.first().identifier,
        "person": people["contributor"].pk,
        "invitation": token,
        "invited": Invitation.objects.get().pk,
        "proposal": proposal.pk,
        "scan": scan.pk,
        "proposed_scan": proposed_scan.pk,
        "job": Job.objects.create(book=book, act="read", person=people["curator"], signed="Conrad").pk,
        "note": book_files.notes_in(revisions.files_at(book, 1))[0].id,
        "variant": variant.slug,
        "variant_name": variant.slug,
    }
    return house

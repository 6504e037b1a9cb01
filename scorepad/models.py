"""Tables of the pads: the pad, its log and its links; evenings, clubs. Points are computed, never stored.

Only `scorepad.ledger` writes entries, and the database itself refuses to change or remove one.
"""

import secrets

from django.conf import settings
from django.db import models
from django.utils import timezone

CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
"""Letters and figures that cannot be taken for one another."""


def new_code() -> str:
    """A code that nobody guesses; on a phone it begins with a word that tells it from those of the site."""
    return settings.SCOREPAD_CODE_PREFIX + "".join(secrets.choice(CODE_LETTERS) for _ in range(8))


class Evening(models.Model):
    """Several games in a row at one table."""

    code = models.CharField(max_length=16, unique=True, default=new_code)
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.code


class Pad(models.Model):
    """The shared thing on the table: one game with its readings and seats."""

    code = models.CharField(max_length=16, unique=True, default=new_code)
    game = models.CharField(max_length=80)
    """The key of a game, or of a declared one its name with the digest: `key@digest`."""
    options = models.JSONField()
    players = models.JSONField()
    former_names = models.JSONField(default=dict)
    """Names given up, with their seat: a phone that was offline may still send one."""
    dealer = models.PositiveSmallIntegerField()
    variant = models.CharField(max_length=100, blank=True)
    heading = models.JSONField(default=dict)
    """The free texts of a tally sheet: title, date, notes."""
    settings = models.JSONField(default=dict)
    """Settings of the table that are not in the log, such as chips by value."""
    engine = models.CharField(max_length=40)
    """The version of the engine the pad was begun with."""
    evening = models.ForeignKey(Evening, models.PROTECT, null=True, related_name="pads")
    follows = models.OneToOneField("self", models.SET_NULL, null=True, related_name="next")
    revision = models.PositiveIntegerField(default=0)
    """Rises with every change beside the log: names, settings, stopping."""
    made_at = models.DateTimeField(default=timezone.now)
    stopped_at = models.DateTimeField(null=True)
    touched_at = models.DateTimeField(null=True, db_index=True)
    """The time it was put here, or was last told to stay; entries have times of their own."""
    notice_at = models.DateTimeField(null=True, db_index=True)
    """The time since which the pad says that it will be deleted, because it is not used."""
    last_seal = models.CharField(max_length=64, null=True)  # noqa: DJ001 - added without building the table anew
    """The seal of the last entry, so that verify misses entries at the end as it does in between."""
    table_seal = models.CharField(max_length=64, null=True)  # noqa: DJ001 - the same
    """A hash over what is settled with the first entry and never changes after it."""
    moved_from = models.CharField(max_length=64, null=True)  # noqa: DJ001 - the same
    """A hash of the name a phone gave this pad, if it was begun there: sent twice it is one pad."""
    trial_until = models.DateTimeField(null=True, db_index=True)
    """The time at which a pad that tries a draft of a declared game is deleted, as are those that follow it;
    null for every other."""
    removed_at = models.DateTimeField(null=True)
    """Set only inside the transaction that deletes the whole pad: it lets its entries go."""

    class Meta:
        constraints = [
            # With a condition: without one SQLite would build the table anew, and its triggers name it.
            models.UniqueConstraint(
                fields=["moved_from"], condition=models.Q(moved_from__isnull=False), name="pad_moved_once"
            ),
        ]

    def __str__(self) -> str:
        return self.code

    @property
    def is_here(self) -> bool:
        """True on the phone that has this pad for itself."""
        prefix: str = settings.SCOREPAD_CODE_PREFIX
        return bool(prefix) and self.code.startswith(prefix)


class Declaration(models.Model):
    """The text of a declared game that a pad was begun with. It stays when its book is revised."""

    digest = models.CharField(max_length=32, unique=True)
    text = models.TextField()
    made_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return self.digest


class Entry(models.Model):
    """One thing that happened, as it was sent; players are written as seats. Rows are only ever added."""

    pad = models.ForeignKey(Pad, models.PROTECT, related_name="entries")
    number = models.PositiveIntegerField()
    entry_id = models.CharField(max_length=100)
    body = models.JSONField()
    seat = models.PositiveSmallIntegerField(null=True)
    device = models.CharField(max_length=40, blank=True)
    made_at = models.DateTimeField()
    scored = models.CharField(max_length=16)
    """A digest of the lines as they were acknowledged, to tell when a newer engine scores otherwise."""
    seal = models.CharField(max_length=64)
    """A hash over this row and the seal before it: altering one row breaks all that follow."""
    step = models.PositiveIntegerField(null=True)
    """The number of the first of those it was stored together with; null for an entry that stands alone."""
    phone = models.CharField(max_length=16, null=True)  # noqa: DJ001 - added without building the table anew
    """The phone it was tapped on, by the random name in its cookie: two without a seat are still two."""
    tapped_at = models.DateTimeField(null=True)
    """The time of the tap, where it waited on the phone: it is stored later."""
    answers = models.JSONField(null=True)
    """The parts of its draft before the last answer: Undo opens the entry again with these."""

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["pad", "number"], name="entry_number_once"),
            models.UniqueConstraint(fields=["pad", "entry_id"], name="entry_id_once"),
        ]

    def __str__(self) -> str:
        return f"{self.pad_id}/{self.number}"


class AbstractLink(models.Model):
    """A key to a pad or a club. The token itself is not kept, only its hash."""

    KEEP, PLAY, WATCH = "keep", "play", "watch"

    role = models.CharField(max_length=5, choices=[(role, role) for role in (KEEP, PLAY, WATCH)])
    nonce = models.CharField(max_length=32)
    """With the site's secret key it makes the token again: a join sheet can show the same link twice."""
    token_hash = models.CharField(max_length=64, unique=True)
    made_at = models.DateTimeField(default=timezone.now)
    revoked_at = models.DateTimeField(null=True, db_index=True)
    given_at = models.DateTimeField(null=True)
    """The time at which a handover made its holder an owner; for some days he may end no owner's link."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{self.role} {self.pk}"


class Link(AbstractLink):
    """A key to a pad."""

    pad = models.ForeignKey(Pad, models.CASCADE, related_name="links")

    @property
    def target(self) -> Pad:
        return self.pad


class JoinCode(models.Model):
    """A short code to type while the join sheet is open."""

    pad = models.ForeignKey(Pad, models.CASCADE, related_name="join_codes")
    role = models.CharField(max_length=5)
    code_hash = models.CharField(max_length=64, unique=True)
    ends_at = models.DateTimeField(db_index=True)
    given_at = models.DateTimeField(null=True)
    """As of the link it was made with."""

    def __str__(self) -> str:
        return f"{self.role} until {self.ends_at:%H:%M}"


class Draft(models.Model):
    """The entry being filled in by several phones; it never counts until it is appended whole."""

    pad = models.OneToOneField(Pad, models.CASCADE, related_name="draft")
    entry_id = models.CharField(max_length=100)
    kind = models.CharField(max_length=40)
    parts = models.JSONField(default=list)
    revision = models.PositiveIntegerField(default=1)
    amends = models.CharField(max_length=100, null=True)  # noqa: DJ001 - added without building the table anew
    """The entry that was opened again, which this draft will amend."""
    taps = models.JSONField(null=True)
    """The ids of its newest taps: one that is sent twice counts once."""
    changed_at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"{self.kind} {self.revision}"


class CountCheck(models.Model):
    """The table counted its chips."""

    pad = models.ForeignKey(Pad, models.CASCADE, related_name="count_checks")
    head = models.PositiveIntegerField()
    counted = models.JSONField()
    """Points in chips, one number per seat."""
    seat = models.PositiveSmallIntegerField(null=True)
    device = models.CharField(max_length=40, blank=True)
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.pad_id} after {self.head}"


class AbstractHandover(models.Model):
    """A request to become an owner. An owner answers; or no owner's phone is seen for long."""

    seat = models.PositiveSmallIntegerField(null=True)
    device = models.CharField(max_length=40, blank=True)
    asked_at = models.DateTimeField(default=timezone.now)
    declined = models.BooleanField(default=False)
    granted_at = models.DateTimeField(null=True)
    seen_at = models.DateTimeField(null=True)
    """The last sign of an owner's phone since."""
    claim_hash = models.CharField(max_length=64, null=True)  # noqa: DJ001 - the version before does not fill it
    """A hash of what the phone that asked was given: many phones share one link, and only it may collect."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"since {self.asked_at:%H:%M}"


class Handover(AbstractHandover):
    """A player asks to become an owner of the pad."""

    pad = models.OneToOneField(Pad, models.CASCADE, related_name="handover")
    link = models.ForeignKey(Link, models.CASCADE)


class Club(models.Model):
    """People who play together: the pads of many evenings, and who is who in them."""

    code = models.CharField(max_length=16, unique=True, default=new_code)
    name = models.CharField(max_length=60)
    made_at = models.DateTimeField(default=timezone.now)
    touched_at = models.DateTimeField(default=timezone.now)
    """The last time a pad came or went: a club that is empty for long is deleted."""
    kept_at = models.DateTimeField(null=True, db_index=True)
    """The last time the club asked that its pads are kept; null while it does not ask."""
    revision = models.PositiveIntegerField(default=0)
    """Rises when names are joined or parted."""

    def __str__(self) -> str:
        return self.code


class ClubPad(models.Model):
    """A pad that its owner has added to a club."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="club_pads")
    pad = models.ForeignKey(Pad, models.CASCADE, related_name="club_pads")
    added_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "pad"], name="club_pad_once")]

    def __str__(self) -> str:
        return f"{self.pad_id} in {self.club_id}"


class ClubName(models.Model):
    """A spelling that means a person of the club who is called otherwise. The logs keep the spelling."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="names")
    spelling = models.CharField(max_length=200)
    """In the form in which names are compared, which can be longer than the name."""
    person = models.CharField(max_length=40)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["club", "spelling"], name="club_spelling_once")]

    def __str__(self) -> str:
        return f"{self.spelling} is {self.person}"


class ClubLink(AbstractLink):
    """A key to a club: the owner's, or the viewer's, which also opens its pads to watch them."""

    club = models.ForeignKey(Club, models.CASCADE, related_name="links")

    @property
    def target(self) -> Club:
        return self.club


class ClubHandover(AbstractHandover):
    """A player of one of its pads asks to become an owner of the club."""

    club = models.OneToOneField(Club, models.CASCADE, related_name="handover")
    link = models.ForeignKey(ClubLink, models.CASCADE)

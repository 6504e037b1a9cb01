"""Jobs on many scans at once: what is to be done, and how far it is. A page of a job is worked on while a
process holds its lock; so one that was interrupted is simply still to be done."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils import timezone

from archive.models.books import Book
from archive.models.scans import Scan


class Job(models.Model):
    """The same work on a stack of scans, asked for by one person. `options` says how it is done."""

    STEPS, PUBLISH, READ, UNPACK, IIIF = "steps", "publish", "read", "unpack", "iiif"
    ACTS = (
        (STEPS, "Turn, crop and tone"),
        (PUBLISH, "Publish"),
        (READ, "Read with Tesseract"),
        (UNPACK, "Take in the pages of a document"),
        (IIIF, "Bring over from another institution"),
    )

    book = models.ForeignKey(Book, models.CASCADE, related_name="jobs")
    act = models.CharField(max_length=10, choices=ACTS)
    options = models.JSONField(default=dict)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="jobs")
    signed = models.CharField(max_length=80)
    made = models.DateTimeField(default=timezone.now)
    stopped = models.BooleanField(default=False)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.get_act_display()}, by {self.signed}"

    def get_absolute_url(self) -> str:
        return reverse("job", args=[self.book.slug, self.pk])


class JobPage(models.Model):
    """One scan of a job. `words` says what became of it. One that a job makes is not there before; `given`
    says from what it is made, and its title until then."""

    WAITING, DONE, FAILED, STOPPED = "waiting", "done", "failed", "stopped"

    job = models.ForeignKey(Job, models.CASCADE, related_name="pages")
    scan = models.ForeignKey(Scan, models.CASCADE, null=True, related_name="job_pages")
    given = models.JSONField(default=dict, db_default={})
    order = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, default=WAITING, db_index=True)
    words = models.TextField(blank=True)
    finished = models.DateTimeField(null=True)

    class Meta:
        ordering = ["job", "order"]

    def __str__(self) -> str:
        return f"{self.job_id}, {self.order}: {self.state}"

    @property
    def title(self) -> str:
        return self.scan.title if self.scan else str(self.given.get("title", ""))

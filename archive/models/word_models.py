"""Where words stood when a page was first read: by a machine, or as a file from elsewhere says."""

from __future__ import annotations

from django.db import models
from django.utils import timezone

from archive.models.books import PageImage


class FirstReading(models.Model):
    """What was read on a scan of a leaf that had no text: `words` as in PageImage.words, with the numbers the
    lines have in the text that was proposed. They light the lines while that text is mended, and when it is
    published they become the places of its words."""

    image = models.OneToOneField(PageImage, models.CASCADE, related_name="first_reading")
    by = models.CharField(max_length=40)
    words = models.JSONField(default=list)
    made = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.image_id}, by {self.by}"

"""Counts of the rate limiter: how often something was done under one key in one window of time."""

from django.db import models


class Count(models.Model):
    """One kind, key and window. Keys (`address`) are hashes under the site's key, kept while they count."""

    kind = models.CharField(max_length=24)
    address = models.CharField(max_length=64)
    window = models.BigIntegerField()
    count = models.PositiveIntegerField(default=0)
    until = models.BigIntegerField(db_index=True)
    """The second after which this row no longer counts."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "address", "window"], name="turnstile_count_once")
        ]

    def __str__(self) -> str:
        return f"{self.count} × {self.kind}"

"""How often something was done from one address in one stretch of time: the whole memory of all limits."""

from django.db import models


class Count(models.Model):
    """Addresses are kept as hashes under the site's key, and only as long as they matter."""

    kind = models.CharField(max_length=24)
    address = models.CharField(max_length=64)
    window = models.BigIntegerField()
    count = models.PositiveIntegerField(default=0)
    until = models.BigIntegerField(db_index=True)
    """The second after which this row says nothing any more."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["kind", "address", "window"], name="turnstile_count_once")
        ]

    def __str__(self) -> str:
        return f"{self.count} × {self.kind}"

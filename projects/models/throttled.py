"""How often somebody did something lately."""

from django.db import models


class Throttled(models.Model):
    """A count in a window of time. `projects.throttle` writes it."""

    key = models.CharField(max_length=120, primary_key=True)
    """The limit and whose it is, hashed: no address stands here."""
    count = models.PositiveIntegerField()
    ends_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return f"{self.key}: {self.count}"

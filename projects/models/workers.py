"""The workers that are there, as they say themselves."""

from django.db import models


class Worker(models.Model):
    """A process that does what waits in some queues. It says every few seconds that it lives."""

    key = models.CharField(max_length=64, primary_key=True)
    """What the tasks that it takes up are marked with."""
    queues = models.CharField(max_length=100)
    """Their names, separated by commas."""
    seen_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"worker of {self.queues}"

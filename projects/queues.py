"""How long the queues are, for those who watch the site."""

from collections.abc import Iterable
from typing import TypedDict

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Count, Min
from django.utils import timezone
from django_tasks_db.models import DBTaskResult
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from projects import workers


class Queue(TypedDict):
    queue_name: str
    waiting: int
    oldest_seconds: float


def queues() -> list[Queue]:
    """The queues in which something waits that may begin now."""
    now = timezone.now()
    found = DBTaskResult.objects.ready().order_by().values("queue_name")
    return [
        Queue(
            queue_name=each["queue_name"],
            waiting=each["waiting"],
            oldest_seconds=max(0.0, (now - each["oldest"]).total_seconds()),
        )
        for each in found.annotate(waiting=Count("pk"), oldest=Min("enqueued_at"))
    ]


class FromDatabase(Collector):
    """What the database knows, asked anew each time: the same whichever host is asked."""

    def collect(self) -> Iterable[Metric]:
        up = GaugeMetricFamily("keywright_database_up", "Whether the database answers.")
        waiting = GaugeMetricFamily(
            "keywright_queue_waiting", "What waits for a worker.", labels=["queue"]
        )
        oldest = GaugeMetricFamily(
            "keywright_queue_oldest_seconds",
            "How long the oldest of it has waited.",
            labels=["queue"],
        )
        seen = GaugeMetricFamily(
            "keywright_workers", "Workers that were seen within a minute.", labels=["queue"]
        )
        try:
            for each in queues():
                waiting.add_metric([each["queue_name"]], each["waiting"])
                oldest.add_metric([each["queue_name"]], each["oldest_seconds"])
            for queue in settings.QUEUES:
                seen.add_metric([queue], workers.seen(queue))
            up.add_metric([], 1)
        except DatabaseError:
            up.add_metric([], 0)
        finally:
            # The thread that asks ends; within a transaction it is somebody else's.
            if not connection.in_atomic_block:
                connection.close()
        return [up, waiting, oldest, seen]

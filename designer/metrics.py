"""What the site counts for those who watch it, in Prometheus's terms. `manage.py metrics` serves it.

With PROMETHEUS_MULTIPROC_DIR in the environment, as `tools/serve.py` sets it, every process writes its figures into
that folder, and they are summed over all of them. Without it each process counts for itself, and nobody asks.

No label may hold what a person typed: each value of a label is a series of its own, kept for ever.
"""

from prometheus_client import Counter, Histogram

# Each has a label, also where one figure would do: a metric without labels opens its file when it is imported, in
# every process that is ever started.

REQUESTS = Histogram(
    "keywright_request_seconds",
    "Time to answer a request, by view and class of status.",
    ["view", "status"],
    buckets=(0.01, 0.025, 0.05, 0.1, 0.15, 0.25, 0.5, 1, 2.5, 5, 10, 30),
)
PLANNING = Histogram(
    "keywright_planning_seconds",
    "Time to work out something from a design, by what it was and how it ended (ok, stopped, failed).",
    ["kind", "outcome"],
    buckets=(0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10, 20, 60),
)
PROOFS = Counter("keywright_proofs", "Proofs that ended, by how (passed, ...).", ["outcome"])
REFUSED = Counter(
    "keywright_refused",
    "Work that was refused, by reason (throttle, quota, bound, busy, stopped).",
    ["reason"],
)
LETTERS = Counter("keywright_letters", "E-mails, by whether they were sent or failed.", ["outcome"])


def answered(view: str, status: int, seconds: float) -> None:
    """A request was answered. `view` is the name of an address, never the address itself."""
    REQUESTS.labels(view, f"{status // 100}xx").observe(seconds)


def planned(kind: str, outcome: str, seconds: float) -> None:
    """Something was worked out from a design: `outcome` is ok, stopped (at a limit) or failed."""
    PLANNING.labels(kind, outcome).observe(seconds)


def proven(outcome: str) -> None:
    """A proof ended: passed, failed, stopped (at a limit, or by a worker's end) or broken."""
    PROOFS.labels(outcome).inc()


def refused(reason: str) -> None:
    """Somebody was told no: throttle (too often), quota (too much kept), bound (too large), busy (nothing was free to
    do it), stopped (ran too long).
    """
    REFUSED.labels(reason).inc()


def mailed(outcome: str) -> None:
    """The mail server took a letter (sent), or did not (failed)."""
    LETTERS.labels(outcome).inc()

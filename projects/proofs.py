"""Proofs of designs, run in the background: asked for by a page, done by a worker, kept with what they prove.

A worker runs each in a child process with limits, and says every few seconds that it is still at it, so that a proof
whose worker was killed is told from one that takes long.
"""

import logging
import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django_tasks import task
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from designer import metrics
from designer.core.design.document import Design
from designer.core.design.meaning import meaning
from designer.core.errors import DesignError
from designer.core.messages import Message, say, text
from designer.core.plan import ALL_STYLES, Style
from designer.core.planner import VERSION
from designer.processes import Limits, forkserver
from projects import plans, revisions, shares, workers
from projects.models import Draft, Proof, ProvenPattern
from projects.shares import Share

log = logging.getLogger(__name__)

QUEUE = "proofs"
LIMITS = Limits(settings.PROOF_SECONDS, 3.0 * settings.PROOF_SECONDS, settings.PROOF_MEMORY_MB)
BEAT = 5.0
"""Seconds between two signs that somebody is at work."""
TIDYING = 3.0
"""Seconds that a proof which is ended has to remove its tables."""
LOST = timedelta(minutes=2)
"""After this time without a sign of its worker a proof was cut off; another worker begins it anew before that."""
KEPT = 6
"""Proofs kept of one style of a draft."""
OF_A_VISITOR = 3
OF_A_TEAM = 12
OF_ALL_VISITORS = 30
"""Proofs that may wait or run at once: of what a visitor has in sandboxes, of a team's designs, of all sandboxes."""


@dataclass(frozen=True)
class Shown:
    """The proof of one style of a design that counts, and how it stands."""

    style: Style
    proof: Proof | None
    standing: str
    is_stale: bool
    """It proves what the design meant before, or what an older planner planned."""

    @property
    def is_live(self) -> bool:
        return self.standing in ("waiting", "running")


def shown(draft: Draft, design: Design) -> list[Shown]:
    """For each style the newest proof of what the design means now; where there is none, the newest at all."""
    found = list(draft.proofs.order_by("-pk")) if draft.is_saved else []
    return [
        _shown(style, design, [each for each in found if each.style == style])
        for style in ALL_STYLES
    ]


def _shown(style: Style, design: Design, newest_first: list[Proof]) -> Shown:
    now = [each for each in newest_first if _proves(each, design)]
    proof = next(iter((*now, *newest_first)), None)
    return Shown(
        style, proof, "" if proof is None else _standing(proof), proof is not None and not now
    )


def _proves(proof: Proof, design: Design) -> bool:
    return (proof.meaning, proof.planner) == (meaning(design), VERSION)


def _standing(proof: Proof) -> str:
    if proof.standing == Proof.Standing.RUNNING and proof.beat_at < timezone.now() - LOST:
        return Proof.Standing.CUT_OFF.value
    return proof.standing


def is_nobody_at_work(now: Iterable[Shown]) -> bool:
    """Whether a proof waits though no worker takes any up."""
    return any(each.is_live for each in now) and not workers.is_at_work(QUEUE)


@transaction.atomic
def start(draft: Draft, style: Style) -> Proof:
    """Ask for a proof of the design as it is now; one that is asked for already, and lives, is not asked for twice.

    DesignError when as many as may be are waiting or running.
    """
    Draft.objects.select_for_update().get(pk=draft.pk)
    revision = revisions.current(draft)
    design = revisions.design_of(revision)
    of_style = draft.proofs.filter(style=style)
    for each in of_style.filter(standing__in=[Proof.Standing.WAITING, Proof.Standing.RUNNING]):
        if _proves(each, design) and _standing(each) != Proof.Standing.CUT_OFF:
            return each
        each.delete()  # its worker notices, and stops
    _refuse_too_many(draft)
    of_style.filter(standing=Proof.Standing.CUT_OFF).delete()
    kept = of_style.order_by("-pk").values_list("pk", flat=True)[: KEPT - 1]
    of_style.exclude(pk__in=list(kept)).delete()
    proof = Proof.objects.create(
        draft=draft,
        style=style,
        revision=revision.number,
        meaning=meaning(design),
        planner=VERSION,
    )
    share = shares.of(draft)
    run.using(priority=share.priority(_ahead(share))).enqueue(proof.pk, share=share.key)
    return proof


def _live() -> QuerySet[Proof]:
    """Proofs that wait or run."""
    at_work = Q(standing=Proof.Standing.RUNNING, beat_at__gt=timezone.now() - LOST)
    return Proof.objects.filter(Q(standing=Proof.Standing.WAITING) | at_work)


def _ahead(share: Share) -> int:
    """How many live proofs were asked for in this share, whichever teams or sandboxes they are of."""
    asked = DBTaskResult.objects.filter(
        queue_name=QUEUE,
        status__in=[TaskResultStatus.READY, TaskResultStatus.RUNNING],
        args_kwargs__kwargs__share=share.key,
    )
    numbers = [args[0] for args in asked.values_list("args_kwargs__args", flat=True)]
    return _live().filter(pk__in=numbers).count()


TOO_MANY = "too-many-proofs"


def _refuse_too_many(draft: Draft) -> None:
    live = _live()
    if draft.project is not None:
        if live.filter(draft__project__team=draft.project.team_id).count() >= OF_A_TEAM:
            raise DesignError(TOO_MANY, say("proofs-of-team", most=OF_A_TEAM))
        return
    of_sandboxes = live.filter(draft__project=None)
    if of_sandboxes.filter(draft__sandbox_key=draft.sandbox_key).count() >= OF_A_VISITOR:
        raise DesignError(TOO_MANY, say("proofs-of-visitor", most=OF_A_VISITOR))
    if of_sandboxes.count() >= OF_ALL_VISITORS:
        raise DesignError(TOO_MANY, say("proofs-of-visitors", most=OF_ALL_VISITORS))


class _UnwantedError(Exception):
    """Another proof was asked for instead."""


@task(queue_name=QUEUE)
def run(number: int, share: str = "") -> None:
    """Run the proof of this number, and keep what came of each pattern as soon as it is known. One that was cut off
    begins anew. `share` says in whose share it was asked for, to whoever counts what waits.
    """
    mine = Proof.objects.filter(pk=number)
    to_do = mine.exclude(standing=Proof.Standing.ENDED)
    if not to_do.update(standing=Proof.Standing.RUNNING, beat_at=timezone.now(), problem=""):
        return
    ProvenPattern.objects.filter(proof=number).delete()
    try:
        _prove(mine.select_related("draft").get())
    except _UnwantedError:
        return
    except Exception:
        log.exception("Proof %s failed", number)
        metrics.proven("broken")
        mine.update(
            standing=Proof.Standing.ENDED,
            problem="The proof stopped unexpectedly. That is our mistake, not yours; it was logged.",
        )
    except BaseException:
        # The worker is told to stop; another one begins it anew.
        mine.update(standing=Proof.Standing.WAITING)
        raise


def _prove(proof: Proof) -> None:
    # Only a worker needs an engine: the pages do without boto3.
    from designer.proof.child import prove_here, prove_in_child

    revision = proof.draft.revisions.get(number=proof.revision)
    design = revisions.design_of(revision)
    style = next(style for style in ALL_STYLES if style == proof.style)
    what = (settings.PROOF_ENDPOINT, design, style, plans.known(design, style))
    if not settings.POOL_PROCESSES:
        prove_here(partial(_heard, proof), *what)
        return
    context = forkserver("designer.proof.child")
    ours, theirs = context.Pipe(duplex=False)
    child = context.Process(target=prove_in_child, args=(theirs, LIMITS, *what))
    child.start()
    theirs.close()
    try:
        _hear(proof, ours)
    finally:
        child.terminate()  # it removes its tables
        child.join(TIDYING)
        child.kill()
        child.join()


def _hear(proof: Proof, child: Connection) -> None:
    """Keep what a proof says until it ends, or is ended."""
    end = time.monotonic() + LIMITS.wall_seconds
    beat = 0.0
    while time.monotonic() < end:
        if time.monotonic() > beat:
            beat = time.monotonic() + BEAT
            _still_wanted(proof)
        try:
            if child.poll(1.0) and _heard(proof, child.recv()):
                return
        except EOFError:
            _stopped(proof, say("process-ended"))
            return
    _stopped(proof, say("time-at-limit", seconds=round(LIMITS.wall_seconds)))


def _heard(proof: Proof, told: tuple[str, Any]) -> bool:
    """Keep what a proof told; whether that was the last."""
    mine = Proof.objects.filter(pk=proof.pk)
    kind, said = told
    if kind == "failed":
        raise RuntimeError(said)
    if kind == "engine":
        mine.update(engine=said)
    elif kind == "pattern":
        examples = said.pop("examples")
        with transaction.atomic():
            _still_wanted(proof)
            ProvenPattern.objects.create(
                proof=proof, number=said["pattern"], examples=examples, verdict=said
            )
    else:
        metrics.proven("passed" if said["passed"] else "failed")
        mine.update(standing=Proof.Standing.ENDED, **said)
    return kind == "ended"


def _still_wanted(proof: Proof) -> None:
    """Say that somebody is at work, unless the proof is not wanted any more."""
    if not Proof.objects.filter(pk=proof.pk).update(beat_at=timezone.now()):
        raise _UnwantedError


def _stopped(proof: Proof, why: Message) -> None:
    metrics.proven("stopped")
    problem = text(say("proof-stopped", reason=why))
    mine = Proof.objects.filter(pk=proof.pk)
    mine.update(standing=Proof.Standing.ENDED, passed=False, problem=problem)

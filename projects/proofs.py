"""Proofs of designs, run in the background: asked for by a page, done by a worker, kept with what they prove.

A worker says every few seconds that it is still at it, so that a proof whose worker was killed is told
from one that takes long.
"""

import logging
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from threading import Event, Thread

from django.conf import settings
from django.db import DatabaseError, connections, transaction
from django.db.models import Q
from django.utils import timezone
from django_tasks import task

from designer.core.design.document import Design
from designer.core.design.meaning import meaning
from designer.core.errors import DesignError
from designer.core.plan import ALL_STYLES, Style
from designer.core.planner import VERSION, plan
from projects import plans, revisions
from projects.models import Draft, Proof, ProvenPattern

log = logging.getLogger(__name__)

BEAT = timedelta(seconds=5)
LOST = timedelta(seconds=30)
"""After this time without a sign of its worker a proof was cut off."""
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
    """Whether a proof waits, and has waited for a while, though no worker is at another one."""
    long_ago = timezone.now() - LOST
    waits = any(
        each.standing == "waiting" and each.proof is not None and each.proof.asked_at < long_ago
        for each in now
    )
    at_work = Proof.objects.filter(standing=Proof.Standing.RUNNING, beat_at__gt=long_ago)
    return waits and not at_work.exists()


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
    run.enqueue(proof.pk)
    return proof


def _refuse_too_many(draft: Draft) -> None:
    at_work = Q(standing=Proof.Standing.RUNNING, beat_at__gt=timezone.now() - LOST)
    live = Proof.objects.filter(Q(standing=Proof.Standing.WAITING) | at_work)
    if draft.project is not None:
        if live.filter(draft__project__team=draft.project.team_id).count() >= OF_A_TEAM:
            raise _too_many(f"{OF_A_TEAM} proofs of your team's designs")
        return
    of_sandboxes = live.filter(draft__project=None)
    if of_sandboxes.filter(draft__sandbox_key=draft.sandbox_key).count() >= OF_A_VISITOR:
        raise _too_many(f"{OF_A_VISITOR} proofs of yours")
    if of_sandboxes.count() >= OF_ALL_VISITORS:
        raise _too_many(f"{OF_ALL_VISITORS} proofs of visitors")


def _too_many(many: str) -> DesignError:
    return DesignError(
        "too-many-proofs",
        f"{many} are waiting or running already. Ask for this one when another has ended.",
    )


class _UnwantedError(Exception):
    """Another proof was asked for instead."""


@task()
def run(number: int) -> None:
    """Run the proof of this number, and keep what came of each pattern as soon as it is known."""
    mine = Proof.objects.filter(pk=number)
    if not mine.filter(standing=Proof.Standing.WAITING).update(
        standing=Proof.Standing.RUNNING, beat_at=timezone.now()
    ):
        return
    try:
        with _beating(number):
            _prove(mine.select_related("draft").get())
    except _UnwantedError:
        return
    except Exception:
        log.exception("Proof %s failed", number)
        mine.update(
            standing=Proof.Standing.ENDED,
            problem="The proof broke off. That is our mistake, not yours; it was logged.",
        )
    except BaseException:
        # The worker is told to stop.
        mine.update(standing=Proof.Standing.CUT_OFF)
        raise


def _prove(proof: Proof) -> None:
    # Only a worker needs an engine: the pages do without boto3.
    from designer.proof.engine import EngineError, engine
    from designer.proof.prove import PatternVerdict, prove_on

    revision = proof.draft.revisions.get(number=proof.revision)
    design = revisions.design_of(revision)
    style = next(style for style in ALL_STYLES if style == proof.style)
    mine = Proof.objects.filter(pk=proof.pk)

    def keep(verdict: PatternVerdict) -> None:
        said = verdict.model_dump(mode="json")
        with transaction.atomic():
            if not mine.update(beat_at=timezone.now()):
                raise _UnwantedError
            ProvenPattern.objects.create(
                proof=proof, number=verdict.pattern, examples=said.pop("examples"), verdict=said
            )

    try:
        chosen = engine(settings.PROOF_ENDPOINT)
    except EngineError:
        log.exception("No engine for proofs")
        problem = "The DynamoDB on which this site proves plans does not answer; its log says more."
        mine.update(standing=Proof.Standing.ENDED, problem=problem)
        return
    mine.update(engine=chosen.name)
    made = plans.known(design, style) or plan(design, style, reasons="findings")
    verdict = prove_on(chosen, design, made, progress=keep, examples=True)
    mine.update(standing=Proof.Standing.ENDED, passed=verdict.passed, problem=verdict.problem)


@contextmanager
def _beating(number: int) -> Iterator[None]:
    """Say every few seconds that somebody is at work."""
    done = Event()

    def beat() -> None:
        while not done.wait(BEAT.total_seconds()):
            try:
                Proof.objects.filter(pk=number).update(beat_at=timezone.now())
            except DatabaseError:
                log.warning("Could not say that proof %s is at work", number, exc_info=True)
        connections.close_all()

    thread = Thread(target=beat, name="proof-beat", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()

"""A migration as a document in Markdown, to be carried out from the top down."""

from collections.abc import Iterator

from designer.core.migration.base import Estimate, Migration, Placed, Risk
from designer.core.words import figures

RISKS: dict[Risk, str] = {"data": "Data", "availability": "Availability", "note": "Note"}
"""What is at stake, in a word."""


def document(migration: Migration, title: str) -> str:
    """The whole way as Markdown."""
    return "\n".join(_lines(migration, title)) + "\n"


def summary(migration: Migration) -> str:
    """How much there is to do, in a sentence."""
    steps = len(migration.steps)
    if not steps:
        return "There is nothing to do: the deployed tables already fit this revision."
    stages = sum(placed.stage is not None for placed in migration.steps)
    said = f"{figures.count(steps, 'step')}, {deployments(steps, stages)}"
    if migration.usd:
        usd = float(migration.usd)
        # Cents would pretend to know more of an estimate.
        about = f"${usd:,.0f}" if usd >= 10 else figures.money(usd)
        said += f"; a one-time cost of about {about} for reads and writes"
    return f"{said}."


def deployments(steps: int, stages: int) -> str:
    """How many of the steps deploy a template: `12 of which deploy a template`. Others may deploy the application."""
    if steps == 1:
        return "which deploys a template" if stages else "which deploys no template"
    if not stages:
        return "none of which deploys a template"
    if stages == steps:
        return "all of which deploy a template"
    return f"{figures.number(stages)} of which {'deploys' if stages == 1 else 'deploy'} a template"


def estimated(estimate: Estimate) -> str:
    """What a step takes, in a line; empty where it takes nothing or no count is stated."""
    if not estimate.items:
        return ""
    parts = [figures.count(round(estimate.items), "item")]
    if estimate.read_units:
        parts.append(f"{figures.number(float(estimate.read_units))} read units")
    if estimate.write_units:
        parts.append(f"{figures.number(float(estimate.write_units))} write units")
    if estimate.usd:
        parts.append(f"a one-time cost of {figures.money(float(estimate.usd))}")
    if estimate.usd_per_month:
        parts.append(
            f"{figures.money(float(estimate.usd_per_month))} a month for additional storage"
        )
    return "; ".join(parts)


def _lines(migration: Migration, title: str) -> Iterator[str]:
    yield from (f"# {title}", "", summary(migration), "")
    if migration.change.called:
        yield from ("What is deployed keeps its names:", "")
        yield from (f"- {said}" for said in migration.change.called)
        yield ""
    for phase, steps in migration.phases:
        yield from (f"## {phase.value}", "")
        for placed in steps:
            yield from _step(placed)


def _step(placed: Placed) -> Iterator[str]:
    step = placed.step
    yield from (f"### {placed.number}. {step.title}", "")
    yield from (f"- {_untagged(said)}" for said in step.does)
    if placed.stage is not None:
        yield f"- Template: that of step {placed.number}."
    yield ""
    for caution in step.cautions:
        yield from (f"> **{RISKS[caution.risk]}.** {_untagged(caution.says)}", "")
    said = estimated(step.estimate)
    if said:
        yield from (f"{said}.", "")
    if step.listing:
        yield from ("```sql", step.listing, "```", "")
    for source in step.sources:
        yield from (f"Source: <{source}>", "")


def _untagged(text: str) -> str:
    """A text whose angle brackets are no tags."""
    return text.replace("<", "\\<")

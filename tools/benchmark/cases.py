"""Reading the cases of a folder, and one case's design under another mix of its patterns."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import yaml
from pydantic import Field

from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.patterns.document import Document, Line
from designer.core.patterns.figures import Rate
from designer.core.rational import Fraction


class Mixes(Document):
    """How often each pattern runs in each mix of interactions, such as browsing and bidding.

    A pattern runs in the interactions that name it, so many times in each.
    """

    interactions: Annotated[float, Field(gt=0)]
    """All interactions a second, of every kind together."""
    weights: dict[Line, dict[Line, Annotated[float, Field(ge=0)]]]
    """For each mix, how much each kind of interaction weighs in it."""
    runs: dict[int, dict[Line, int]]
    """For each pattern, the kinds of interaction that run it, and how many times each does."""

    def rates(self, mix: str) -> dict[int, float]:
        """Runs a second of each pattern in a mix, to a thousandth."""
        weights = {kind: Fraction(str(weight)) for kind, weight in self.weights[mix].items()}
        one = Fraction(str(self.interactions)) / sum(weights.values())
        return {
            number: float(
                round(one * sum(weights.get(kind, 0) * times for kind, times in kinds.items()), 3)
            )
            for number, kinds in self.runs.items()
        }


@dataclass(frozen=True)
class Case:
    """One published design's patterns."""

    slug: str
    design: Design
    mixes: Mixes | None = None

    def mixed(self, mix: str) -> Design:
        """The design with the rates of a mix. KeyError when there is no such mix."""
        if self.mixes is None:
            raise KeyError(mix)
        rates = self.mixes.rates(mix)
        return self.design.model_copy(
            update={
                "patterns": tuple(
                    pattern.model_copy(update={"rate": Rate(average=rates[pattern.number])})
                    for pattern in self.design.patterns
                )
            }
        )


def slugs(folder: Path) -> tuple[str, ...]:
    """The names of a folder's cases, sorted."""
    return tuple(sorted(path.stem for path in folder.glob("*.yaml") if "." not in path.stem))


def read(folder: Path, slug: str) -> Case:
    """A case of a folder. DesignError when its document can't be read, KeyError when there is none."""
    path = folder / f"{slug}.yaml"
    if slug not in slugs(folder):
        raise KeyError(slug)
    mixes = folder / f"{slug}.mixes.yaml"
    return Case(
        slug,
        load(path.read_bytes(), path.name),
        Mixes.model_validate(yaml.safe_load(mixes.read_text("utf-8"))) if mixes.exists() else None,
    )

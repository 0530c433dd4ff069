"""Answers that take longer than the team asks for."""

from collections.abc import Iterator

from designer.core.design.document import Design
from designer.core.monitoring.base import RECOMMENDED, Alarm, Kind, tables_of
from designer.core.plan import Operation, Plan
from designer.core.words.english import numbered


class Latency(Kind):
    """Only what DynamoDB itself takes is measured: neither the network nor the application."""

    slug = "latency"
    place = 4
    title = "Latency"
    then = "See whether items or pages have grown, whether requests wait for others, and whether the SDK retries."
    source = RECOMMENDED
    otherwise = "Latency: no access pattern states a maximum latency."

    def alarms(self, design: Design, plan: Plan) -> Iterator[Alarm]:
        allowed: dict[tuple[str, str], dict[int, float]] = {}
        for operation in plan.operations:
            wish = design.pattern(operation.pattern).latency_ms
            if wish is None or not operation.steps:
                continue
            each = wish / in_turn(operation)
            for step in operation.steps:
                for table in tables_of(step):
                    found = allowed.setdefault((table, step.call), {})
                    found[operation.pattern] = min(each, found.get(operation.pattern, each))
        for (table, call), wishes in allowed.items():
            least = min(wishes.values())
            strictest = sorted(number for number, each in wishes.items() if each == least)
            steps = max(in_turn(o) for n in strictest for o in plan.operations_for(n))
            shared = ", divided among the steps" if steps > 1 else ""
            yield Alarm(
                self.slug,
                table,
                None,
                "SuccessfulRequestLatency",
                "Average",
                max(1, int(least)),
                "ms",
                10,
                f"The maximum latency of {numbered(tuple(strictest)).lower()}{shared}.",
                call,
            )


def in_turn(operation: Operation) -> int:
    """Steps that wait for one another: others go in the request of one of these."""
    return sum(step.goes_with is None for step in operation.steps)

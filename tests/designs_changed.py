"""A design made up at random, and what a team makes of it later."""

from random import Random

from designer.core.design.check import check
from designer.core.design.document import Design
from designer.core.design.write import plain
from designer.core.plan import ALL_STYLES, Style
from tests.designs_generated import generated


def changed(random: Random) -> tuple[Design, Style, Design, Style]:
    """A design and a style, and the design and the style that come after; the same for the same source of chance."""
    while True:
        one = generated(random)
        document = plain(one)
        for _ in range(random.randint(1, 3)):
            random.choice(CHANGES)(random, document)
        other = Design.model_validate(document)
        if other == one or check(other) or not other.patterns:
            continue
        # As often as not the team had less before than it has after.
        before, after = (one, other) if random.random() < 0.5 else (other, one)
        style: Style = random.choice(ALL_STYLES)
        later: Style = style if random.random() < 0.8 else random.choice(ALL_STYLES)
        return before, style, after, later


def without_a_pattern(random, document):
    document["patterns"].pop(random.randrange(len(document["patterns"])))


def another_attribute(random, document):
    entity = random.choice(document["entities"])
    kind = random.choice(({"bytes": 20}, {"type": "N"}, {"type": "BOOL"}))
    entity["attributes"].append({"name": "note", **kind})


def another_prefix(random, document):
    entity = random.choice(document["entities"])
    entity["prefix"] = f"NEW{entity['name'].upper()}"


def other_rates(random, document):
    for pattern in document["patterns"]:
        if "rate" in pattern:
            pattern["rate"] = {"average": random.choice((0.1, 1, 20)), "peak": 40}


def another_setting(random, document):
    name, value = random.choice(
        (
            ("composite_index_keys", "multi-attribute"),
            ("items", "as-stated"),
            ("objective", "indexes"),
            ("key_names", {"single": "natural"}),
        )
    )
    document.setdefault("planner", {})[name] = value


def another_name(random, document):
    document["name"] = "Generated anew"


CHANGES = (
    without_a_pattern,
    without_a_pattern,
    another_attribute,
    another_prefix,
    other_rates,
    another_setting,
    another_name,
)

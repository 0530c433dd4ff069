"""How hot every table and index runs, in the words and figures of the heat page."""

from designer.core.dynamodb.limits import PARTITION_READS, PARTITION_WRITES
from designer.core.heat.keys import KeyHeat
from designer.core.heat.remedies import remedy
from designer.core.report.blocks import (
    Block,
    Heading,
    Listed,
    Paragraph,
    Section,
    Table,
    key_code,
    numbered,
    template_code,
)
from designer.core.report.facts import Facts
from designer.core.sentences.assumptions import EVEN
from designer.core.words import figures
from designer.core.words.english import joined

MOST_MAKERS = 4
"""So many patterns are named for a key, those that heat it most."""


def heat(facts: Facts) -> Section:
    """The keys of every table and index against what a partition serves, with who heats them and what helps."""
    return Section("heat", "Heat", (*limits(facts), keys(facts), *helps(facts)))


def limits(facts: Facts) -> tuple[Block, ...]:
    """What heat is held against, and what is not in it."""
    said = [
        "Heat is the load on the busiest value of each key when every access pattern is at its peak. "
        f"{EVEN} A partition "
        f"serves {PARTITION_READS:,} read units and {PARTITION_WRITES:,} write units a second, however much capacity "
        "the table has. All items with one partition key value share this limit, unless DynamoDB splits the "
        "collection at a sort key "
        "(https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/bp-partition-key-design.html)."
    ]
    if facts.heat.without_rate:
        said.append(
            f"Not included, because they have no rate: {numbered(facts.heat.without_rate)}."
        )
    return tuple(map(Paragraph, said))


def keys(facts: Facts) -> Block:
    """Every key with its busiest value's units a second."""
    head = (
        "Table or index",
        "Key",
        "Values",
        "Read units / s",
        "Write units / s",
        "Used",
        "Status",
        "Caused by",
    )
    rows = tuple(_key(key) for key in facts.heat.keys)
    if not rows:
        return Paragraph("There is no key yet.")
    return Table(head, rows, (18, 24, 9, 9, 9, 9, 9, 13), frozenset((2, 3, 4, 5)))


def helps(facts: Facts) -> tuple[Block, ...]:
    """What is done, or to be done, about hot keys; nothing where none is hot."""
    said = tuple(said for key in facts.heat.keys if (said := _helps(facts, key)))
    return (Heading("Shards and hot keys"), Listed(said)) if said else ()


def _key(key: KeyHeat) -> tuple[str, ...]:
    makers = sorted(key.loads, key=lambda load: -key.share_of(load))
    causes = dict.fromkeys(load.pattern or f"upkeep after {load.cause}" for load in makers)
    more = len(causes) - MOST_MAKERS
    # A line for a single other one would say less than its own.
    named = list(causes)[:MOST_MAKERS] if more > 1 else list(causes)
    patterns = sorted(one for one in named if isinstance(one, int))
    said = [numbered(tuple(patterns))] if patterns else []
    if more > 1 and all(isinstance(one, int) for one in causes):
        said = [f"patterns {joined([*map(str, patterns), f'{more} others'])}"]
    else:
        said += [one for one in named if isinstance(one, str)]
        said += [f"{more} other sources"] if more > 1 else []
    return (
        key.name,
        template_code(key.key),
        figures.number(key.values),
        figures.little(float(key.reads)),
        figures.little(float(key.writes)),
        figures.little_share(float(key.used)),
        key.level,
        "; ".join(said),
    )


def _helps(facts: Facts, key: KeyHeat) -> str:
    """What is done, or to be done, about a key; empty where nothing is."""
    advice = remedy(facts.plan, key)
    words = list(advice.words)
    if advice.more_per_month is not None:
        words.append(f"The shards {figures.money_added(advice.more_per_month)}.")
    words += [
        f"{one.choice}: {figures.money_more(one.more_per_month)} a month." for one in advice.others
    ]
    return f"{key_code(key.key)} of {key.name}: {' '.join(words)}" if words else ""

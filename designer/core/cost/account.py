"""How a bill is made out: from a plan's operations, what lies in its tables, and prices."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal

from designer.core.cost.bill import NOTHING, Bill, Charge, PatternLine, StructureLine, total_of
from designer.core.cost.extras import EXTRAS, Extra, TableUse
from designer.core.cost.modes import MODES, Load, Mode
from designer.core.cost.options import Changes, Options, Rate, exact
from designer.core.cost.stored import Stored, stored
from designer.core.cost.usage import Place, Use, uses, without_rate
from designer.core.design.document import Design
from designer.core.dynamodb.prices import REGIONS, ClassPrices, Prices, prices_of
from designer.core.plan import Plan, Table
from designer.core.rational import Fraction

Kind = Literal["reads", "writes"]
KINDS: tuple[Kind, ...] = ("reads", "writes")
Loads = Mapping[tuple[Place, Kind], Load]


def bill(
    design: Design, plan: Plan, options: Options | None = None, changes: Changes | None = None
) -> Bill:
    """The bill of a plan, as it stands or with other rates and counts.

    Other counts change what is stored; what each request reads and writes stays as planned.
    """
    return Account(design, plan).bill(options or Options(), changes or Changes())


class Account:
    """A design and its plan, of which several bills are asked: what lies where is worked out once."""

    def __init__(self, design: Design, plan: Plan) -> None:
        self.design = design
        self.plan = plan
        self._stored = stored(design, plan)
        self._used: dict[tuple[tuple[int, Rate], ...], _Used] = {}
        self._requests: dict[tuple[Options, tuple[tuple[int, Rate], ...]], Fraction] = {}

    def bill(self, options: Options, changes: Changes) -> Bill:
        """The bill with these options, rates and counts."""
        made = self._making(options, changes)
        structures = made.structures(made.used.loads)
        at_peak = made.structures(made.used.peak_loads)
        charges, left_out = made.charges(made.used.loads)
        peak_charges, _ = made.charges(made.used.peak_loads)
        return Bill(
            options,
            made.prices.region,
            structures,
            tuple(made.pattern_lines(structures, at_peak)),
            charges,
            total_of(at_peak) + total_of(peak_charges),
            without_rate(self.design, self.plan, changes),
            (*self._region_left_out(options), *made.left_out, *left_out),
        )

    def total(self, options: Options, changes: Changes) -> tuple[Fraction, Fraction]:
        """All US dollars of that bill, and the bytes that are stored."""
        made = self._making(options, changes)
        asked = options, _rates(changes)
        if asked not in self._requests:  # other counts change what is stored alone
            self._requests[asked] = made.usd_of_requests(made.used.loads)
        sizes = [
            (made.bytes_in(place), pool.prices) for pool in made.pools for place in pool.places
        ]
        usd = sum((size * prices.byte_month for size, prices in sizes), self._requests[asked])
        usd += total_of(made.charges(made.used.loads)[0])
        return usd, sum((size for size, _ in sizes), NOTHING)

    def without(self, options: Options) -> tuple[str, ...]:
        """What that total leaves out, as there is no price for it: `without the replicas`."""
        made = self._making(options, Changes())
        return tuple(dict.fromkeys(extra.without for extra, _ in made.unpriced(made.used.loads)))

    def _making(self, options: Options, changes: Changes) -> "_Making":
        rates = _rates(changes)
        if rates not in self._used:
            self._used[rates] = _Used(tuple(uses(self.design, self.plan, changes)))
        prices = prices_of(options.region or self.design.region)
        return _Making(
            self.plan, options, prices, self._used[rates], tuple(self._with_counts(changes))
        )

    def _with_counts(self, changes: Changes) -> Iterable[Stored]:
        for each in self._stored:
            now = changes.items.get(each.entity)
            if now is None:
                yield each
                continue
            before = self.design.entity[each.entity].items
            yield replace(each, items=each.items * now / before if before else float(now))

    def _region_left_out(self, options: Options) -> tuple[str, ...]:
        region = options.region or self.design.region
        if region in REGIONS:
            return ()
        return (f"We have no prices for {region}: the figures are those of us-east-1.",)


def _rates(changes: Changes) -> tuple[tuple[int, Rate], ...]:
    return tuple(sorted(changes.rates.items()))


@dataclass(frozen=True)
class _Used:
    """Everything that runs, and the units a second that it takes."""

    all: tuple[Use, ...]

    @cached_property
    def loads(self) -> Loads:
        """Units a second of each place."""
        found: dict[tuple[Place, Kind], Load] = {}
        for use in self.all:
            for place, units in use.reads.items():
                _add(found, (place, "reads"), units, use.rate)
            for place, units in use.writes.items():
                _add(found, (place, "writes"), units, use.rate)
        return found

    @cached_property
    def peak_loads(self) -> Loads:
        """The same if all were at its peak all the time."""
        return {at: Load(load.peak, load.peak) for at, load in self.loads.items()}


@dataclass(frozen=True)
class _Pool:
    """Places that share capacity, and what their table's class asks."""

    table: Table
    prices: ClassPrices
    places: tuple[Place, ...]

    def unit_prices(self, kind: Kind) -> tuple[Fraction, Fraction]:
        """Of a request unit, and of a capacity unit for an hour."""
        if kind == "reads":
            return self.prices.read_unit, self.prices.read_capacity_hour
        return self.prices.write_unit, self.prices.write_capacity_hour


@dataclass(frozen=True)
class _Making:
    """A bill that is being made out."""

    plan: Plan
    options: Options
    prices: Prices
    used: _Used
    lying: tuple[Stored, ...]

    @property
    def mode(self) -> Mode:
        return MODES[self.options.mode]

    def class_of(self, table: Table) -> tuple[Table, ClassPrices]:
        """The table in the class that is asked for, as far as that has prices."""
        wanted = self.options.table_class
        asked = table.table_class if wanted == "as-planned" else wanted
        known = asked if asked in self.prices.classes else "standard"
        if known != table.table_class:
            table = table.model_copy(update={"table_class": known})
        return table, self.prices.classes[known]

    @property
    def left_out(self) -> tuple[str, ...]:
        """Why some tables are not in the class asked for."""
        wanted = self.options.table_class
        asked = {t.table_class if wanted == "as-planned" else wanted for t in self.plan.tables}
        if asked <= self.prices.classes.keys():
            return ()
        return (f"We have no Standard-IA prices for {self.prices.region}: these are Standard.",)

    @cached_property
    def pools(self) -> tuple["_Pool", ...]:
        """Of each table, itself with its local indexes, and each global index."""
        found = []
        for table in self.plan.tables:
            placed, prices = self.class_of(table)
            local = [Place(table.name, each.name) for each in table.indexes if each.kind == "local"]
            found.append(_Pool(placed, prices, (Place(table.name), *local)))
            found += [
                _Pool(placed, prices, (Place(table.name, each.name),))
                for each in table.indexes
                if each.kind == "global"
            ]
        return tuple(found)

    def structures(self, loads: Loads) -> tuple[StructureLine, ...]:
        """A line for each table and each of its indexes."""
        found = {line.place: line for pool in self.pools for line in self._lines(pool, loads)}
        return tuple(
            found[Place(table.name, name)]
            for table in self.plan.tables
            for name in (None, *(index.name for index in table.indexes))
        )

    def usd_of_requests(self, loads: Loads) -> Fraction:
        """What all lines have for reads and writes."""
        return sum(
            (self._paid(pool, kind, loads)[0] for pool in self.pools for kind in KINDS), NOTHING
        )

    def _lines(self, pool: "_Pool", loads: Loads) -> Iterable[StructureLine]:
        reads, read_capacity, read_shares = self._paid(pool, "reads", loads)
        writes, write_capacity, write_shares = self._paid(pool, "writes", loads)
        for at, place in enumerate(pool.places):
            size = self.bytes_in(place)
            yield StructureLine(
                place,
                "table" if place.index is None else "local index" if at else "global index",
                pool.table.table_class,
                loads.get((place, "reads"), Load(NOTHING, NOTHING)),
                loads.get((place, "writes"), Load(NOTHING, NOTHING)),
                None if at else read_capacity,
                None if at else write_capacity,
                size,
                reads * read_shares[at],
                writes * write_shares[at],
                size * pool.prices.byte_month,
            )

    def _paid(
        self, pool: "_Pool", kind: Kind, loads: Loads
    ) -> tuple[Fraction, int | None, list[Fraction]]:
        """What a pool pays for one kind of units, its capacity, and the share of each of its places."""
        each = [loads.get((place, kind), Load(NOTHING, NOTHING)) for place in pool.places]
        load = _all(each)
        utilisation = self.options.utilisation
        usd = self.mode.usd_per_month(load, utilisation, *pool.unit_prices(kind))
        capacity = self.mode.capacity(load, utilisation)
        if not load.average:
            return usd, capacity, [Fraction(not at) for at in range(len(each))]
        return usd, capacity, [one.average / load.average for one in each]

    def bytes_in(self, place: Place) -> Fraction:
        """Billed bytes of a table's items or an index's entries."""
        return self._sizes.get(place, NOTHING)

    @cached_property
    def _sizes(self) -> Mapping[Place, Fraction]:
        found: dict[Place, float] = {}
        for each in self.lying:
            place = Place(each.table, each.index)
            found[place] = found.get(place, 0.0) + each.bytes
        return {place: exact(round(size)) for place, size in found.items()}

    @cached_property
    def _items(self) -> Mapping[str, Fraction]:
        """Items and index entries of each table."""
        found: dict[str, float] = {}
        for each in self.lying:
            found[each.table] = found.get(each.table, 0.0) + each.items
        return {table: exact(round(items)) for table, items in found.items()}

    def pattern_lines(
        self, structures: tuple[StructureLine, ...], at_peak: tuple[StructureLine, ...]
    ) -> Iterable[PatternLine]:
        """For each operation what it pays of each place; those of one pattern's cases together."""
        lines = {line.place: line for line in structures}
        peak_lines = {line.place: line for line in at_peak}
        by: dict[tuple[tuple[int, ...], str, str], list[Use]] = {}
        for use in self.used.all:
            by.setdefault((use.patterns, use.upkeep, use.keeps), []).append(use)
        for (patterns, upkeep, keeps), of in by.items():
            yield PatternLine(
                patterns,
                upkeep,
                keeps,
                Rate(
                    sum((use.rate.average for use in of), NOTHING),
                    sum((use.rate.peak for use in of), NOTHING),
                ),
                sum((sum(use.reads.values(), NOTHING) for use in of), NOTHING) / len(of),
                sum((sum(use.writes.values(), NOTHING) for use in of), NOTHING) / len(of),
                sum((_share(use, use.rate.average, lines) for use in of), NOTHING),
                sum((_share(use, use.rate.peak, peak_lines) for use in of), NOTHING),
            )

    def charges(self, loads: Loads) -> tuple[tuple[Charge, ...], tuple[str, ...]]:
        """What comes besides, and what of it has no price."""
        charges: list[Charge] = []
        left_out: dict[str, None] = {}
        for extra in EXTRAS.values():
            for table in self.plan.tables:
                if not extra.is_asked(table, self.options):
                    continue
                usd = extra.usd_per_month(self._table_use(table, loads), self.options, self.prices)
                if usd is None:
                    left_out[extra.missing.format(region=self.prices.region)] = None
                    continue
                charges.append(Charge(extra.label, table.name, usd))
                left_out |= dict.fromkeys(extra.left_out(self.options))
        return tuple(charges), tuple(left_out)

    def unpriced(self, loads: Loads) -> Iterator[tuple[Extra, Table]]:
        """What comes besides and has no price, with each table that is to have it."""
        for extra in EXTRAS.values():
            for table in self.plan.tables:
                if extra.is_asked(table, self.options):
                    use = self._table_use(table, loads)
                    if extra.usd_per_month(use, self.options, self.prices) is None:
                        yield extra, table

    def _table_use(self, table: Table, loads: Loads) -> TableUse:
        placed, _ = self.class_of(table)
        own = [Place(table.name)]
        own += [Place(table.name, each.name) for each in table.indexes if each.kind == "local"]
        others = [Place(table.name, each.name) for each in table.indexes if each.kind == "global"]

        def written(place: Place) -> Load:
            return loads.get((place, "writes"), Load(NOTHING, NOTHING))

        return TableUse(
            placed,
            sum(map(self.bytes_in, own), NOTHING),
            sum(map(self.bytes_in, others), NOTHING),
            self._items.get(table.name, NOTHING),
            _all(map(written, own)),
            tuple(map(written, others)),
        )


def _add(
    to: dict[tuple[Place, Kind], Load], at: tuple[Place, Kind], units: Fraction, rate: Rate
) -> None:
    before = to.get(at, Load(NOTHING, NOTHING))
    to[at] = Load(before.average + units * rate.average, before.peak + units * rate.peak)


def _all(loads: Iterable[Load]) -> Load:
    """Several loads at once; their peaks may fall together."""
    found = Load(NOTHING, NOTHING)
    for load in loads:
        found = Load(found.average + load.average, found.peak + load.peak)
    return found


def _share(use: Use, per_second: Fraction, lines: Mapping[Place, StructureLine]) -> Fraction:
    """What an operation pays of the places that it uses: by the units that it takes there."""
    usd = NOTHING
    for place, units in use.reads.items():
        if lines[place].reads.average:
            usd += lines[place].usd_reads * units * per_second / lines[place].reads.average
    for place, units in use.writes.items():
        if lines[place].writes.average:
            usd += lines[place].usd_writes * units * per_second / lines[place].writes.average
    return usd

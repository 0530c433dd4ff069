"""What the planner chooses from: access structures, and ways to answer an entity read with them."""

from dataclasses import dataclass, fields, replace
from functools import cached_property

from designer.core.planner.model.shard_attributes import is_shard
from designer.core.rational import Fraction

Guarded = tuple[str, ...]
"""The attributes whose values a guard item keeps unique together, the scope first; empty for an identifier's guard."""

Pieces = tuple[tuple[str, str], ...]
"""A key's text: ("text", ...), ("attribute", ...) or ("inverse", ...): an attribute that sorts the other way round."""

Projection = frozenset[str] | None
"""Names an index must hold besides keys; None for all."""


@dataclass(frozen=True)
class Structure:
    """An access structure of one entity: its base key, an index, or edge items under the other side (a copy)."""

    entity: str
    kind: str
    """`base`, `index` (a global one), `local` (an index under the base's own partition key) or `copy`."""
    partition: tuple[str, ...]
    """Attributes that must be known; empty: one constant partition for all."""
    sort: tuple[str, ...]
    only: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Sparse on purpose: items are in it only when these attributes have one of these values."""
    own: bool = False
    """Its key attributes are the items' own, one for each attribute (in a shared table those of the sort key only)."""
    inverse: tuple[str, ...] = ()
    """Sort attributes that are written so that they sort the other way round."""
    bare: bool = False
    """In a shared table: its sort key ends without the identifier, so that items of one key have no order."""
    nowhere: bool = False
    """It stands for every base key, where the least is asked for."""

    def __eq__(self, other: object) -> bool:
        # Structures are looked up more than anything else, and most are the same object.
        if self is other:
            return True
        if not isinstance(other, Structure):
            return NotImplemented
        return self._hash == other._hash and self._fields == other._fields

    def __hash__(self) -> int:
        return self._hash

    @cached_property
    def _fields(self) -> tuple[object, ...]:
        return tuple(getattr(self, one.name) for one in fields(self))

    @cached_property
    def _hash(self) -> int:
        return hash(
            (self.entity, self.kind, self.partition, self.sort, self.only, self.inverse, self.bare)
        )

    @property
    def is_index(self) -> bool:
        return self.kind in ("index", "local")

    @property
    def attributes(self) -> tuple[str, ...]:
        return (*self.partition, *self.sort)

    @property
    def plain(self) -> "Structure":
        """The same key without shards: one partition for each of its values."""
        names = tuple(name for name in self.partition if not is_shard(name))
        return self if len(names) == len(self.partition) else replace(self, partition=names)

    @property
    def label(self) -> str:
        only = "".join(f" only {name} {'/'.join(values)}" for name, values in self.only)
        own = " own" * self.own
        inverse = f" inverse {', '.join(self.inverse)}" if self.inverse else ""
        bare = " bare" * self.bare
        keys = f"{' + '.join(self.partition) or 'all'} | {', '.join(self.sort) or '-'}"
        return f"{keys}{only}{own}{inverse}{bare}"


@dataclass(frozen=True)
class Access:
    """One way to answer an entity read, each time it is asked."""

    structure: Structure | None
    """None: through a guard item."""
    call: str
    """`get`, `query`, `query then get`, `guard then get`, or `guard` alone."""
    bound: int = 0
    """Leading sort attributes fixed by equality."""
    ranged: bool = False
    prefix: str = ""
    """The known attribute that says how the next sort attribute begins, which is a range, too."""
    ordered: bool = True
    backwards: bool = False
    left: tuple[str, ...] = ()
    """Known attributes that no key uses: they filter."""
    found: float = 0.0
    """Items that a query's key condition finds, in all its partitions and however few it then reads."""
    shards: int = 1
    """Partitions that the items of one answer are spread over: each is asked."""
    period: str = ""
    """The hour, date, month or year in the partition key: each that the read's range of time touches is asked."""
    guard: Guarded = ()
    """For `guard` and `guard then get`: whose guard it is."""
    way: int = 0
    """Which of the entity read's `ways` it takes, where a key can serve this or that range or list."""
    projection: Projection = frozenset()
    late: frozenset[str] = frozenset()
    """With a second read: the attributes that are tested once the items came, as the index does not hold them."""
    spells: bool = False
    """Some of what is wanted is not held by the index, and read from the text of its keys."""
    requests: float = 1.0
    read: float = 1.0
    bytes: float = 0.0
    stated: float = 0.0
    """Bytes of each item that a query reads, as stated: `EntityModel.stated_entry_bytes`."""
    padding: float = 0.0
    """Bytes of a query that are not there, but count where choices are compared: `EntityModel.padding`."""
    filled: float = 0.0
    """Bytes that a page behind a test has beyond what the read needs on average, as its steps of 4 KB have room."""
    units: Fraction = Fraction(1, 2)
    busiest_units: Fraction | None = None
    """Units of a query for the busiest value of its partition key, which has more items; None: as on average."""
    page: int | None = None
    """Items of a page of a query at most, where a limit behind a test ends it; None: as DynamoDB gives them."""
    then: tuple[float, float, float, Fraction] | None = None
    """Of these, what a second read takes: requests, items, bytes, units."""


Projections = dict[Structure, Projection]
"""The structures of an entity besides its base key, with what each holds."""

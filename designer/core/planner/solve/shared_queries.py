"""Which entity reads one Query may answer together, in a collection of the table or in an index that entities share."""

from collections.abc import Iterable
from functools import cached_property

from designer.core.plan import Constant
from designer.core.planner.candidates.chains import chain_of, model_order
from designer.core.planner.model.chosen import SharedQuery
from designer.core.planner.model.key_text import partition_text, root_of
from designer.core.planner.model.reads_and_writes import EntityRead, PatternRead
from designer.core.planner.model.structures import Structure
from designer.core.planner.pricing.key_matching import contains_answer
from designer.core.planner.solve.candidate_lists import CandidateLists
from designer.core.planner.workload.tables import connected


class SharedQueries(CandidateLists):
    """The collections in which parts of a pattern may lie together."""

    def tokens(self, entity: str, partition: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
        """Where the values of a partition key come from; equal for items that share a partition."""
        model = self.models[entity]
        return tuple(root_of(model, name) for name in partition)

    def collection(self, entity_read: EntityRead, structure: Structure) -> object | None:
        """The item collection in which an entity read's items lie together, if its structure keeps them so."""
        if (
            self.models[entity_read.entity].style != "single"
            or set(entity_read.equals) != set(structure.partition)
            or entity_read.list_of is not None
            or not structure.partition
            or structure.inverse
            or entity_read.consistency == "transactional"
        ):
            return None
        if not entity_read.allows(structure):
            return None
        if (
            entity_read.limit is not None
            and not entity_read.one
            and not entity_read.is_sorted_by(structure.sort)
        ):
            return None  # what is read whole can be sorted by the caller
        values = tuple(_expression(entity_read.equals[name]) for name in structure.partition)
        if any(isinstance(value, str) and "{s1." in value for value in values):
            return None
        text = partition_text(self.models[entity_read.entity], structure)
        table = self.requirements.table_of(entity_read.entity)
        return (table, self.tokens(entity_read.entity, structure.partition), text, values)

    def shared_keys(self, q: int) -> dict[int, tuple[Structure, ...]]:
        """For each part of a pattern, the index keys with which one Query on a shared index would answer it all.

        Empty when there are none, or when it reads strongly or two newest-N.
        """
        pattern_read = self.requirements.pattern_reads[q]
        entity_reads = pattern_read.entity_reads
        limited = [
            entity_read
            for entity_read in entity_reads
            if entity_read.limit is not None and not entity_read.one
        ]
        entities = {entity_read.entity for entity_read in entity_reads}
        if entity_reads[0].strong or len(limited) > 1 or len(entities) < len(entity_reads):
            return {}
        found: dict[int, dict[object, list[Structure]]] = {}
        for at, entity_read in enumerate(entity_reads):
            plain = Structure(
                entity_read.entity,
                "index",
                model_order(self.models[entity_read.entity], entity_read.equals),
                chain_of(entity_read) if entity_read.order else (),
            )
            pins = self.models[entity_read.entity].pins
            # What is pinned is there anyway, so it comes first where only a few are tried.
            there = pins.of_structure if pins is not None else ()
            mine: dict[object, list[Structure]] = {}
            for structure in dict.fromkeys((*there, plain, *self.indexes(entity_read.entity))):
                if self._holds_all(entity_read, structure):
                    mine.setdefault(self.collection(entity_read, structure), []).append(structure)
            found[at] = mine
        common = set.intersection(*(set(mine) for mine in found.values()))
        kept = {
            at: tuple(s for key, structures in mine.items() if key in common for s in structures)
            for at, mine in found.items()
        }
        return kept if all(kept.values()) else {}

    def _holds_all(self, entity_read: EntityRead, structure: Structure) -> bool:
        """Whether an index keeps all that an entity read asks for together."""
        model = self.models[entity_read.entity]
        return (
            structure.kind == "index"
            and not structure.bare
            and not structure.only
            and not structure.own
            and model.can_be_kept(structure)
            and self.collection(entity_read, structure) is not None
            and contains_answer(model, structure, entity_read)
            and all(map(model.may_be_index_key, structure.attributes))
        )

    def clash(self, groups: Iterable[SharedQuery]) -> bool:
        """Whether patterns joined in indexes want two keys of one entity in the same index, or one index two names."""
        groups = [group for group in groups if group.index]
        if not groups:
            return False
        named = self.pinned_indexes
        sets: list[set[tuple[str, Structure]]] = []
        for mine in (*named.values(), *(set(group.structures) for group in groups)):
            sets = [one for one in sets if not one & mine] + [
                mine.union(*(o for o in sets if o & mine))
            ]
        twice = any(len({name for name, _ in one}) < len(one) for one in sets)
        return twice or any(sum(bool(one & mine) for mine in named.values()) > 1 for one in sets)

    def in_order(self, q: int, at: int, collection: object) -> bool:
        """Whether pinned sort keys let a Query that reads the first few of one part have another part too (rule 7).

        The few are read last, so all else in their collection lies on the far side of them.

        See docs/modelling-rules.md.
        """
        entity_reads = self.requirements.pattern_reads[q].entity_reads
        few = next((d for d in entity_reads if d.limit is not None and not d.one), None)
        if few is None or few is entity_reads[at] or not few.order:
            return True
        tokens = [self._pinned_token(entity_read.entity) for entity_read in (entity_reads[at], few)]
        if None in tokens:
            return True
        if all(self.collection(few, base) != collection for base in self.bases(few.entity)):
            return True
        other, newest = map(str, tokens)
        return other > newest if few.order[0].descending else other < newest

    def _pinned_token(self, entity: str) -> str | None:
        """What an entity's pinned sort key starts with."""
        pins = self.models[entity].pins
        text = pins.base.sort if pins is not None else None
        return None if text is None else text.token

    @cached_property
    def joint(self) -> tuple[int, ...]:
        """Patterns that one request might answer in a shared collection."""
        return tuple(
            q
            for q, pattern_read in enumerate(self.requirements.pattern_reads)
            if self._shares(pattern_read)
        )

    def _shares(self, pattern_read: PatternRead) -> bool:
        """Whether two of the entities that a pattern asks for lie in one table."""
        tables = [
            self.requirements.table_of(entity_read.entity)
            for entity_read in pattern_read.entity_reads
            if self.models[entity_read.entity].style == "single"
        ]
        return len(set(tables)) < len(tables)

    def components(self) -> tuple[tuple[str, ...], ...]:
        """Entities that are asked for together, in the design's order."""
        pattern_reads = (self.requirements.pattern_reads[q] for q in self.joint)
        return connected(
            self.models,
            ([entity_read.entity for entity_read in one.entity_reads] for one in pattern_reads),
        )


def _expression(value: object) -> object:
    return value.value if isinstance(value, Constant) else value

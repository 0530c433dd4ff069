"""What an update does to the keys of indexes, which the application writes itself."""

from designer.core.plan import Expression, Member, Table
from designer.core.sentences.templates import expression, only_if, without_condition
from designer.core.words.english import joined


def index_keys_changed(table: Table, member: Member) -> str:
    """`, setting GSI2PK = STATUS#<status>`: the keys that the plan adds, and the update sets or removes.

    An attribute of the entity that is such a key is part of what the pattern itself says that it sets.
    """
    added = next((shape.set for shape in table.items if shape.shape == member.shape), {})
    keys = [
        part.name
        for index in table.indexes
        for part in (*index.partition, *index.sort)
        if member.verb == "update" and part.name in added
    ]
    by_condition: dict[str, list[str]] = {}
    for name in dict.fromkeys(keys):
        if name in member.set:
            value = member.set[name]
            condition = only_if(value) if isinstance(value, str) else ""
            by_condition.setdefault(condition, []).append(name)
    removes = [name for name in dict.fromkeys(keys) if name in member.remove]
    said = "".join(
        f", setting {joined([f'{name} = {_value(member.set[name])}' for name in names])}"
        + (f" if {condition}, otherwise removing {joined(names)}" if condition else "")
        for condition, names in by_condition.items()
    )
    return said + (f", removing {joined(removes)}" if removes else "")


def _value(value: Expression) -> str:
    return without_condition(value) if isinstance(value, str) else expression(value)

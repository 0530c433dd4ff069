"""What an update does to the keys of indexes, which the application writes itself."""

from designer.core.plan import Member, Table
from designer.core.sentences.templates import expression
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
    sets = [f"{name} = {expression(member.set[name])}" for name in keys if name in member.set]
    removes = [name for name in keys if name in member.remove]
    said = f", setting {joined(list(dict.fromkeys(sets)))}" if sets else ""
    return said + (f", removing {joined(list(dict.fromkeys(removes)))}" if removes else "")

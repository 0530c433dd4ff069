"""Columns that are unique only together: an attribute that is unique within the others."""

from designer.core.design.attributes import KEY_TYPES
from designer.core.design.uniqueness import MOST_IN_SCOPE
from designer.core.importers.base import Line
from designer.core.importers.model import Model, Thing
from designer.core.importers.relational import Key
from designer.core.messages import Message, say


def keep_together(model: Model, thing: Thing, unique: Key) -> None:
    """State that the columns of a key are unique together, or say why the design does not."""
    about = unique.name or thing.table.full_name
    if set(unique.columns) == set(thing.identifier):
        return
    reason = _why_not(thing, unique)
    if reason:
        said = say("unique-together-left-out", columns=unique.columns, reason=reason)
        model.lines.append(Line("dropped", said, about, unique.line))
        return
    key = max(_free(thing, unique), key=lambda each: _suits(thing, unique, each))
    scope = [thing.attributes[each]["name"] for each in unique.columns if each != key]
    thing.attributes[key]["unique_within"] = scope
    said = say(
        "unique-together",
        entity=thing.name,
        attribute=thing.attributes[key]["name"],
        scope=tuple(scope),
    )
    model.taken_line(said, about, unique.line)


def _why_not(thing: Thing, unique: Key) -> Message | None:
    """Why a design cannot say it, or need not; None where it can."""
    columns = set(unique.columns)
    if any(key not in thing.attributes for key in columns):
        return say("together-not-all-kept")
    if columns.issuperset(thing.identifier):
        return say("together-unique-without", columns=thing.identifier)
    alone = [key for key in unique.columns if thing.attributes[key].get("unique")]
    if alone:
        return say("together-unique-without", columns=(alone[0],))
    unfit = [key for key in unique.columns if thing.attributes[key]["type"] not in KEY_TYPES]
    if unfit:
        return say("together-unfit", column=unfit[0])
    if len(columns) > MOST_IN_SCOPE + 1:
        return say("together-too-many", most=MOST_IN_SCOPE)
    if not _free(thing, unique):
        return say("together-taken")
    return None


def _free(thing: Thing, unique: Key) -> list[str]:
    return [key for key in unique.columns if "unique_within" not in thing.attributes[key]]


def _suits(thing: Thing, unique: Key, key: str) -> tuple[bool, int]:
    """How well a column is what is unique, and not its scope: no reference and no list of values, else the last."""
    refers = any(key in foreign.columns for foreign in thing.table.foreign)
    is_own = not refers and "values" not in thing.attributes[key]
    return is_own, unique.columns.index(key)

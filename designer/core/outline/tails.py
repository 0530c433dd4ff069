"""What follows a sentence after commas: `newest first`, `20 at a time`, `5 a second`."""

import re
from typing import Any

from designer.core.design.entities import Entity
from designer.core.errors import MisfitError
from designer.core.messages import Message, say
from designer.core.outline.asked import BY, OF, Asked, no_attribute, short
from designer.core.proposing import Parts
from designer.core.proposing.patterns import begun, ways_to
from designer.core.words.spoken import words

SECONDS = {"second": 1, "s": 1, "minute": 60, "hour": 3600, "day": 86_400}

_FALLING = ("highest", "greatest", "largest", "biggest", "longest", "top", "most")
_RISING = ("lowest", "smallest", "shortest", "least", "fewest")

_TAILS: tuple[tuple[str, str], ...] = (
    ("newest", r"(?:the )?(?:newest|latest|most recent|last)(?: ones?)? first"),
    ("oldest", r"(?:the )?(?:oldest|earliest)(?: ones?)? first"),
    (
        "limit",
        r"(?:at most |up to |the )?(?P<limit>\d{1,7}) (?:at a time|at once|a page|per page|each time|at most|items?)",
    ),
    ("limit", r"(?:at most|up to|the first|first|only|limit) (?P<limit>\d{1,7})"),
    (
        "rate",
        r"(?P<average>\d{1,9}(?:\.\d{1,6})?)(?: times)?(?: an? | per |/)(?P<unit>second|s|minute|hour|day)"
    ),
    ("peak", r"(?:at )?peaks? (?:at |of )?(?P<peak>\d{1,9}(?:\.\d{1,6})?)"),
    ("peak", r"(?P<peak>\d{1,9}(?:\.\d{1,6})?)(?:/s)? at peak"),
    ("alphabet", r"(?:in )?(?:(?P<back>reverse )?alphabetical(?:ly| order)|a(?: to |-)z|(?P<falls>z(?: to |-)a))"),
    ("strong", r"(?:strongly )?consistent(?:ly)?|the last write seen"),
    ("order", r"(?:sorted |ordered |in order )?by (?P<by>.+?) (?P<way>ascending|descending|asc|desc)"),
    ("order", r"(?:sorted|ordered|in order) (?:by|of) (?P<by>.+?)"),
    ("order", rf"(?P<way>{'|'.join((*_FALLING, *_RISING))}) (?P<by>.+?) first"),
    ("unknown order", r"(?:the )?(?:best|worst)(?: [\w-]+){0,3} first|(?:the )?[a-z-]+ (?:ones? )?first"),
)  # fmt: skip
TAILS = tuple((what, re.compile(form, re.IGNORECASE)) for what, form in _TAILS)
"""What may stand between commas after the sentence itself."""
_ENDING = tuple(
    re.compile(rf"(?:^| )({form})$", re.IGNORECASE)
    for form in (re.sub(r"\?P<\w+>", "?:", form) for _, form in _TAILS)
)
"""The same at the end of a text."""
MOST_ENDS = 12
"""Tails without a comma at the end of a text: each is looked for in all of it."""
_NAMES = ("name", "title", "label", "surname", "lastname", "username")
_DESCENDS = frozenset({"descending", "desc", *_FALLING})


def parted(text: str) -> tuple[str, list[str]]:
    """The sentence itself, and what follows: after commas, and without one at its end."""
    first, *parts = [part.strip() for part in text.split(",")]
    tails: list[str] = []
    for part in parts:
        rest, ends = _ends(part)
        if rest and not tails:
            word = rest.split(" ", 1)[0].lower()
            first += f" {rest}" if word in BY | OF else f" and {rest}"
            tails += ends
        else:
            tails += [rest, *ends] if rest else ends
    first, ends = _ends(first)
    return first, [*ends, *tails]


def _ends(text: str) -> tuple[str, list[str]]:
    """A text without the tails that end it, and these in their order."""
    ends: list[str] = []
    while True:
        found = next(filter(None, (form.search(text) for form in _ENDING)), None)
        if found is None or len(ends) == MOST_ENDS:
            return text, ends
        ends.insert(0, found[1])
        text = text[: found.start()].strip()


def _order_of_nothing(of: Entity, words: str) -> Message:
    """What to write instead: best with a number, of which one is the highest."""
    listed = of.attributes[:12]
    beside = [each for each in listed if each.name not in of.identifier]
    example = next((each for each in beside if each.type == "N"), (*beside, *listed)[0])
    known = tuple(each.name for each in listed)
    return say("order-of-nothing", words=words, entity=of.name, known=known, example=example.name)


def take_tail(asked: Asked, tail: str) -> str:
    """Take what it says. Returned is what a name says of it: orders yes, pages and rates no."""
    for what, form in TAILS:
        found = form.fullmatch(tail)
        if found is None:
            continue
        said = found.groupdict()
        if what in ("newest", "oldest", "order", "limit"):
            _must_be_first(asked, "limit" if what == "limit" else "order")
        if what in ("newest", "oldest"):
            way = "descending" if what == "newest" else "ascending"
            asked.values["order"] = [f"{time_of(asked)} {way}"]
            return tail.lower()
        if what == "unknown order":
            raise MisfitError(_order_of_nothing(asked.of, short(tail)))
        if what == "order":
            return _ordered(asked, said, tail)
        if what == "alphabet":
            return _alphabetical(asked, tail, falls=bool(said["back"] or said["falls"]))
        if what == "limit":
            asked.values["limit"] = int(said["limit"])
        elif what == "rate":
            asked.values["rate"] = _rate(said)
        elif what == "peak":
            average = asked.values.get("rate", {}).get("average", 0)
            asked.values["rate"] = {
                "average": average,
                "peak": max(average, float(said["peak"])),
            }
        else:
            asked.values["consistency"] = "strong"
        return ""
    raise MisfitError(say("tail-unknown", words=short(tail)))


def _must_be_first(asked: Asked, part: str) -> None:
    if part in asked.values:
        raise MisfitError(say("said-twice", part=part))


def _ordered(asked: Asked, said: dict[str, Any], tail: str) -> str:
    found = asked.named.attribute_at(said["by"].split(), asked.of)
    if found is None or found.count != len(said["by"].split()):
        raise no_attribute(asked, said["by"])
    way = "descending" if (said.get("way") or "").lower() in _DESCENDS else "ascending"
    asked.values["order"] = [f"{found.name} {way}"]
    return tail


def _alphabetical(asked: Asked, tail: str, *, falls: bool) -> str:
    """By what it is called; by what the sentence sorts it by, if it says that too."""
    way = "descending" if falls else "ascending"
    by = str(asked.values["order"][0]).split()[0] if "order" in asked.values else _called(asked)
    asked.values["order"] = [f"{by} {way}"]
    return tail


def _called(asked: Asked) -> str:
    """The attribute that a list of names shows: a name or a title, else the only text that is no reference."""
    texts = [
        each.name
        for each in asked.of.stored
        if each.type == "S" and each.format in (None, "text") and not each.values
    ]
    named = [name for name in texts if (words(name) or [""])[-1] in _NAMES]
    refers = {
        name
        for held in asked.design.held.get(asked.of.name, ())
        for by in ways_to(held)
        for name in by
    }
    own = [name for name in texts if name not in refers]
    found = named or (own if len(own) == 1 else [])
    if not found:
        raise MisfitError(say("no-attribute-of-names", entity=asked.of.name))
    return found[0]


def _rate(said: dict[str, Any]) -> Parts:
    return {"average": round(float(said["average"]) / SECONDS[said["unit"].lower()], 9)}


def time_of(asked: Asked) -> str:
    """The attribute that says what is newer: the one since when it is there, another time, a ULID in its identifier."""
    entity = asked.of
    known = [each.name for each in entity.stored if each.format in ("datetime", "date", "epoch")]
    made = [each for each in entity.identifier if entity.by_name[each].format in ("ulid", "ksuid")]
    found = next((name for name in (begun(entity), *known, *made) if name), None)
    if found is None:
        raise MisfitError(say("no-attribute-of-time", entity=entity.name))
    return found

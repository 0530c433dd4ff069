"""Names as people say them: `FilmActor` is a film actor, and several are film actors."""

import re
import unicodedata

from designer.core.words import english

_IRREGULAR = {"people": "person", "children": "child", "men": "man", "women": "woman", "movies": "movie",
    "series": "series", "news": "news", "data": "data", "media": "media", "species": "species",
    "cookies": "cookie", "indices": "index", "vertices": "vertex", "aliases": "alias", "buses": "bus",
    "statuses": "status", "gas": "gas", "staff": "staff", "bonuses": "bonus", "campuses": "campus",
    "viruses": "virus"}  # fmt: skip
_WORDS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[0-9]+")


def words(name: str) -> list[str]:
    """The words of a name, in small letters and ASCII."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode()
    return [word.lower() for word in _WORDS.findall(plain)]


def one_word(text: str, *, capital: bool) -> str:
    """A name of several words as one: `guest booking` is GuestBooking with a capital, else guestBooking. A name of one
    word stays as it is, and so does what no name may have.
    """
    first, *others = text.split() or [""]
    if not others or re.fullmatch(r"[A-Za-z][\w\s]*", text, re.ASCII) is None:
        return text
    begins = (
        first[:1].upper()
        if capital
        else first[:1].lower()
        if not first[1:2].isupper()
        else first[:1]
    )
    return begins + first[1:] + "".join(f"{each[:1].upper()}{each[1:]}" for each in others)


def singular(word: str) -> str:
    """One of what an English word names many of."""
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if word.endswith("ies") and len(word) > 4:
        return f"{word[:-3]}y"
    if re.search(r"(?:ss|x|ch|sh|z)es$", word):
        return word[:-2]
    if word.endswith("s") and not re.search(r"(?:ss|us|is|as)$", word) and len(word) > 2:
        return word[:-1]
    return word


def plural(word: str) -> str:
    """Many of what an English word names.

    >>> plural("person"), plural("category"), plural("status"), plural("preferences")
    ('people', 'categories', 'statuses', 'preferences')
    """
    for many, one in _IRREGULAR.items():
        if word == one:
            return many
    return english.plural(word)


def spoken(entity: str) -> str:
    """`FilmActor` as people say it: film actor."""
    return " ".join(words(entity)) or entity


def spoken_many(entity: str) -> str:
    """film actors."""
    found = words(entity) or [entity]
    return " ".join([*found[:-1], plural(found[-1])])


def article_of(name: str) -> str:
    """The article of an entity.

    >>> article_of("OrderItem"), article_of("User")
    ('an', 'a')
    """
    return with_article(spoken(name)).partition(" ")[0]


def several(name: str) -> str:
    """Several of an entity.

    >>> several("OrderItem"), several("Person")
    ('OrderItems', 'People')
    """
    *_, last = words(name) or [name]
    if not name.lower().endswith(last):
        return f"{name}s"
    own, many = name[-len(last) :], plural(last)
    return name[: -len(last)] + (many.capitalize() if own[:1].isupper() else many)


def with_article(spoken: str) -> str:
    return english.a(spoken)

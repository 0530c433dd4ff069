"""Words for example values: people, products, places, by what the entity and the attribute are
called.
"""

_PEOPLE = (
    "Ada Byron", "Ben Okafor", "Chloe Martin", "Dev Patel", "Elena Rossi", "Farid Haddad",
    "Grace Kim", "Hugo Lindgren", "Ines Duarte", "Jonas Weber",
)  # fmt: skip

_THINGS: dict[str, tuple[str, ...]] = {
    "person": _PEOPLE,
    "product": ("Desk lamp", "Oak table", "Wool blanket", "Tea pot", "Wall clock", "Book end"),
    "book": ("The Long Harvest", "A Quiet Harbour", "Letters from Ghent", "North of Winter", "The Clockmaker",
             "Nine Bridges"),
    "film": ("The Night Ferry", "Paper Moons", "A House in Turin", "Last Train North", "The Orchard", "Seven Days"),
    "music": ("Slow River", "Morning Lines", "Blue Hours", "Harbour Lights", "Winter Waltz", "Open Road"),
    "document": ("Getting started", "Release plan", "Meeting notes", "House rules", "Price list", "Annual report"),
    "event": ("Spring concert", "Open day", "Book fair", "Harvest market", "Winter run", "Film night"),
    "task": ("Write the outline", "Call the printer", "Check the figures", "Book the room", "Send the invoice",
             "Fix the gate"),
    "dish": ("Lentil soup", "Roast peppers", "Mushroom risotto", "Apple cake", "Fish stew", "Green salad"),
    "genre": ("Novel", "History", "Poetry", "Crime", "Travel", "Science"),
    "category": ("Lighting", "Furniture", "Textiles", "Kitchen", "Clocks", "Books"),
    "brand": ("Nordlys", "Alder & Sons", "Lanolin", "Kyusu", "Meridian", "Folio"),
    "class": ("Linear algebra", "Organic chemistry", "World history", "Statistics", "Drawing", "Logic"),
    "lesson": ("Introduction", "First steps", "Practice", "In depth", "Review", "Examination"),
    "organisation": ("Northwind", "Fabrikam", "Contoso", "Tailspin", "Litware", "Proseware"),
    "department": ("Engineering", "Sales", "Research", "Support", "Finance", "People"),
    "team": ("Backend", "Frontend", "Platform", "Mobile", "Data", "Design"),
    "place": ("Lisbon", "Oslo", "Turin", "Ghent", "Porto", "Graz"),
    "hotel": ("Hotel Tivoli", "Grand Hotel", "Hotel Mole", "Hotel Gravensteen", "Hotel Ribeira", "Hotel Schlossberg"),
    "thread": ("Which key comes first?", "Welcome", "Release notes", "Reading list", "Ideas", "Help"),
    "post": ("Thank you, that helps.", "I would do the same.", "Here is how.", "Good question.",
             "See above.", "Agreed."),
    "device": ("Roof sensor", "Cellar sensor", "Gate sensor", "Hall sensor", "Well sensor", "Lift sensor"),
    "game": ("Chess", "Go", "Backgammon", "Draughts", "Reversi", "Hex"),
}  # fmt: skip

_ENTITY_WORDS: tuple[tuple[str, str], ...] = (
    ("user person customer student employee teacher instructor member author patient player driver"
     " seller buyer friend contact profile account doctor tenant guest rider worker owner", "person"),
    ("product item part sku", "product"),
    ("book novel ebook magazine publication", "book"),
    ("film movie video show series episode", "film"),
    ("song track album playlist", "music"),
    ("document article page file report paper folder section attachment", "document"),
    ("event concert conference meeting session", "event"),
    ("task todo issue ticket card job step", "task"),
    ("dish meal recipe", "dish"),
    ("genre", "genre"),
    ("category topic tag", "category"),
    ("brand manufacturer", "brand"),
    ("class course subject", "class"),
    ("lesson chapter module unit", "lesson"),
    ("organisation organization company merchant supplier vendor client partner", "organisation"),
    ("department division", "department"),
    ("team group squad project channel", "team"),
    ("warehouse store shop branch city location site region address airport", "place"),
    ("hotel inn hostel lodge resort", "hotel"),
    ("thread discussion forum board question", "thread"),
    ("post message reply comment review answer note", "post"),
    ("sensor device machine meter gateway", "device"),
    ("game match", "game"),
)  # fmt: skip

_ATTRIBUTES: dict[str, tuple[str, ...]] = {
    "city": _THINGS["place"],
    "country": ("PT", "NO", "IT", "BE", "PT", "AT"),
    "street": ("12 Rua Augusta", "4 Storgata", "7 Via Po", "31 Veldstraat", "9 Rua das Flores", "2 Sackstrasse"),
    "zip": ("1100", "0155", "10124", "9000", "4000", "8010"),
    "postcode": ("1100", "0155", "10124", "9000", "4000", "8010"),
    "phone": ("+351 555 0101", "+47 555 0102", "+39 555 0103", "+32 555 0104", "+351 555 0105", "+43 555 0106"),
    "currency": ("EUR", "NOK", "EUR", "USD", "GBP", "CHF"),
    "color": ("blue", "green", "red", "black", "white", "grey"),
    "colour": ("blue", "green", "red", "black", "white", "grey"),
    "language": ("en", "pt", "no", "it", "nl", "de"),
    "brand": _THINGS["brand"],
    "category": _THINGS["category"],
    "genre": _THINGS["genre"],
    "region": ("north", "south", "east", "west", "centre", "islands"),
    "description": ("Made to last.", "Oiled by hand.", "Warm and light.", "Pours well.", "Keeps time.", "Holds firm."),
    "text": _THINGS["post"],
    "body": _THINGS["post"],
    "comment": _THINGS["post"],
    "content": _THINGS["post"],
    "message": _THINGS["post"],
    "username": ("ada", "ben", "chloe", "dev", "elena", "farid"),
    "firstname": tuple(name.split()[0] for name in _PEOPLE),
    "lastname": tuple(name.split()[1] for name in _PEOPLE),
    "author": _PEOPLE,
    "role": ("member", "lead", "member", "guest", "member", "lead"),
    "reason": ("asked by the customer", "late", "damaged", "changed mind", "duplicate", "other"),
    "tracking": ("TR-1042", "TR-1043", "TR-1044", "TR-1045", "TR-1046", "TR-1047"),
    "sku": ("LMP-01", "TBL-02", "BLK-03", "POT-04", "CLK-05", "BKE-06"),
}  # fmt: skip


def person(number: int) -> str:
    """A person's name; after the tenth they come again with a number."""
    return _again(_PEOPLE, number)


def by_name(entity: str, attribute: str, number: int) -> str | None:
    """A text that suits an attribute of that name, None when its name says nothing to us."""
    word = attribute.lower().replace("_", "").replace("-", "")
    if word in ("roomno", "roomnumber", "roomnr", "tableno", "tablenumber", "gateno"):
        # Two on each floor: 101, 102, 201.
        return str(100 * (number // 2 + 1) + number % 2 + 1)
    for known, words in _ATTRIBUTES.items():
        if word == known or word.endswith(known):
            return _again(words, number)
    if (
        word in ("name", "title", "fullname", "displayname", "label")
        or word == f"{entity.lower()}name"
    ):
        return _again(_things(entity), number) if _things(entity) else f"{entity} {number + 1}"
    if word.endswith(("name", "title")):
        things = _things(attribute[: -len("name")]) if word.endswith("name") else ()
        return _again(things, number) if things else None
    return None


def _things(entity: str) -> tuple[str, ...]:
    """Names for things of that kind, by the last known word in the entity's name."""
    spaced = (
        "".join(f" {c}" if c.isupper() else c for c in entity).lower().replace("_", " ").split()
    )
    for word in reversed(spaced):
        for words, kind in _ENTITY_WORDS:
            if word in words.split() or word.removesuffix("s") in words.split():
                return _THINGS[kind]
    return ()


def _again(words: tuple[str, ...], number: int) -> str:
    word = words[number % len(words)]
    return word if number < len(words) else f"{word} {number // len(words) + 1}"

"""What is said of keys: why they are so, and why not otherwise, without saying two things of one key."""

import re

import pytest

from designer.core.design import gallery
from designer.core.plan import ALL_STYLES, STYLES
from designer.core.planner import KeyAsked, patterns_of_key, plan, why_not
from designer.core.sentences.plans import optimality
from tests.core.test_planner import design, is_
from tests.messages import reasons_of
from tests.planned import planned

NOTE = {
    "name": "Note",
    "identifier": ["roomId", "noteId"],
    "items": 100_000_000,
    "attributes": [
        {"name": "roomId", "format": "ulid", "distinct": 300_000},
        {"name": "noteId", "format": "ulid"},
        {"name": "replyTo", "format": "ulid", "present": 0.15},
        {"name": "state", "values": ["NEW", "READ"], "shares": [0.01, 0.99], "mutable": True},
        {"name": "body", "bytes": 180, "mutable": True},
    ],
}
CREATE = {"kind": "create", "entity": "Note", "rate": {"average": 30}}
OLDER = {
    "kind": "list",
    "returns": "Note",
    "where": [is_("roomId"), {"attribute": "noteId", "below": {"param": "before"}}],
    "order": ["noteId descending"],
    "limit": 30,
    "rate": {"average": 20},
}
REPLIES = {
    "kind": "list",
    "returns": "Note",
    "where": [is_("replyTo")],
    "order": ["noteId ascending"],
    "rate": {"average": 4},
}
NOTES = [OLDER, REPLIES, CREATE]
DESIGN = design([NOTE], NOTES)


def asked_of(partition, sort=(), style="single", of=DESIGN):
    return why_not(of, style, KeyAsked("Note", partition, sort, index=True))


def index_decision(of, style="single", pattern=2):
    return next(
        one
        for one in plan(of, style).decisions
        if one.about.startswith("index ") and pattern in one.serves
    )


# What was not chosen


def test_what_was_not_chosen_holds_what_is_read_there_as_what_was_chosen_would() -> None:
    """Entries with what is wanted come to more than 64 KB here, and without it to less."""
    good = {
        "name": "Good",
        "identifier": ["goodId"],
        "items": 20_000,
        "attributes": [
            {"name": "goodId", "bytes": 8},
            {"name": "name", "bytes": 24, "mutable": True},
            {"name": "shelf", "bytes": 7, "distinct": 25},
            {"name": "price", "type": "N", "digits": 8, "scale": 2, "mutable": True},
            {"name": "text", "bytes": 600},
        ],
    }
    cheapest = {
        "kind": "list",
        "returns": "Good",
        "where": [is_("shelf")],
        "attributes": ["goodId", "name", "price"],
        "order": ["price ascending"],
        "limit": 50,
        "rate": {"average": 60},
    }
    create = {"kind": "create", "entity": "Good", "rate": {"average": 0.001}}
    decision = index_decision(design([good], [cheapest, create]), pattern=1)
    (other,) = [one for one in decision.instead_of if one.chosen.id == "through"]
    gets = 60 * 800 * 0.5 * 0.125e-6 * 2_628_000
    assert 0 < other.per_month < gets / 20


# A key that somebody has in mind


def test_a_shorter_text_than_the_planner_writes_is_named_as_what_saves():
    found = asked_of("{replyTo}", "{noteId}#")
    (rival,) = found.rivals
    assert rival.per_month < found.per_month
    # No plan over the candidates is cheaper, and this key among them is not, as they are written.
    assert "With these candidates and prices, no other plan" in optimality(plan(DESIGN, "single"))
    assert found.listed
    assert found.listing.startswith(
        "This key was among the candidates. With this key as the planner writes it"
    )
    assert found.listing.endswith("The saving comes from the text of the key.")
    usual = asked_of(("replyTo",), ("noteId",))
    price = usual.per_month if usual.has else usual.rivals[0].per_month
    assert f"would cost ${price:,.2f} a month" in found.listing
    assert price >= found.per_month


def test_a_key_for_which_another_was_listed_names_it():
    found = asked_of(("replyTo",), ())
    answers = patterns_of_key(DESIGN, "single", "Note", ("replyTo",))
    assert {one.pattern: one.verdict for one in answers}[2] != "no"
    assert found.listed is False
    assert found.listing.startswith(
        "This key was not a candidate, because the planner prefers a key by replyTo, then noteId:"
    )
    assert "no access pattern needs" not in found.listing


def test_a_key_that_is_used_in_part_says_who_could_use_it():
    written = {"name": "wroteAt", "format": "datetime"}
    note = {**NOTE, "attributes": [*NOTE["attributes"], written]}
    asked = {**REPLIES, "order": ["wroteAt descending"], "limit": 20}
    of = design([note], [OLDER, asked, CREATE])
    found = asked_of(("replyTo",), ("noteId",), of=of)
    said = "This key was not a candidate: pattern 2 can use it, but does not need every part of it."
    assert found.listing == said


def test_a_key_without_the_tenant_is_said_to_lack_it():
    of = design([{**NOTE, "needs": {"tenant": "roomId"}}], [OLDER, CREATE])
    said = (
        "This key was not a candidate: its partition key lacks roomId, which keeps tenants apart."
    )
    assert asked_of(("noteId",), (), of=of).listing == said


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_key_of_no_use_is_said_to_be_of_none(style):
    found = asked_of(("body",), (), style)
    assert found.listing == "This key was not a candidate: no access pattern needs it."


@pytest.mark.parametrize("style", ALL_STYLES)
def test_an_index_in_words_may_end_with_what_is_asked_by_range(style):
    found = asked_of(("replyTo",), ("noteId",), style)
    assert found.forbidden == ""
    assert found.has or found.rivals


@pytest.mark.parametrize("style", ALL_STYLES)
def test_each_key_that_is_priced_as_a_rival_may_be_asked_for(style):
    seen = 0
    for rival in why_not(DESIGN, style, "pattern 1").rivals:
        named = re.fullmatch(
            r"Note: an index by (\w+)(?:, then (\w+)(?: and (\w+))?)?", rival.choice
        )
        if named is None:
            continue
        seen += 1
        first, *rest = (name for name in named.groups() if name)
        found = asked_of((first,), tuple(rest), style)
        assert found.forbidden == ""
        assert found.has or found.rivals
    assert seen


@pytest.mark.parametrize("style", ALL_STYLES)
def test_a_partition_key_is_asked_for_whole_though_ranges_of_it_are_asked_elsewhere(style):
    found = why_not(DESIGN, style, KeyAsked("Note", ("noteId",), ("roomId",)))
    assert found.forbidden == ""
    said = {rival.choice: rival.per_month for rival in why_not(DESIGN, style, "key Note").rivals}
    assert found.rivals[0].per_month == said["by noteId, then roomId"]


def test_no_rival_is_listed_twice():
    made = plan(DESIGN, "single")
    for decision in made.decisions:
        if decision.about.startswith(("index ", "key ")):
            rivals = why_not(DESIGN, "single", decision.about).rivals
            of = [(one.choice, one.per_month and round(one.per_month, 2)) for one in rivals]
            assert len(of) == len(set(of))


PLACES = ("country", "state", "city", "postcode")
STORE = {
    "name": "Store",
    "identifier": ["storeNumber"],
    "items": 25_000,
    "attributes": [
        {"name": "storeNumber", "bytes": 12},
        {"name": "body", "bytes": 76},
        *({"name": name, "bytes": 8, "distinct": 10} for name in PLACES),
    ],
}
IN_PLACES = [
    {
        "kind": "list",
        "returns": "Store",
        "where": [is_(name) for name in PLACES[:many]],
        "rate": {"average": 10},
    }
    for many in (1, 2, 3, 4)
]
STORES = design(
    [STORE], [*IN_PLACES, {"kind": "create", "entity": "Store", "rate": {"average": 1}}]
)


def test_keys_that_a_decision_names_as_not_chosen_have_a_price_among_many():
    """Only so many are priced, and those that come nearest are what somebody asks about."""
    (decision,) = [one for one in plan(STORES, "single").decisions if one.about == "key Store"]
    found = why_not(STORES, "single", "key Store")
    named = {one.choice for one in decision.instead_of}
    assert named and named <= {one.choice for one in found.rivals}
    prices = [one.per_month for one in found.rivals]
    assert prices == sorted(prices)


def test_a_key_is_said_to_list_items_only_where_a_pattern_does():
    made = plan(gallery.load("tenants"), "multi")
    said = {one.about: reasons_of(one) for one in made.decisions}
    assert said["key Invoice"]["collection-unlisted"]["sort"] == ("invoiceId",)
    assert said["key Customer"]["collection-listed"]["sort"] == ("customerId",)


def test_an_index_that_begins_as_a_pinned_table_key_does_is_not_said_to_begin_otherwise():
    pins = [
        {"entity": "Store", "key": {"partition": "{country}", "sort": "{state}#{storeNumber}"}},
        {"entity": "Store", "index": "ByCity", "key": {"partition": "{country}", "sort": "{city}"}},
    ]
    asked = [*IN_PLACES[:2], {**IN_PLACES[0], "where": [is_("country"), is_("city")]}]
    of = design([STORE], asked, planner={"pins": pins})
    made = plan(of, "multi")
    (held,) = [one for one in made.decisions if one.about == "index Stores/ByCity"]
    found = reasons_of(held)
    assert found["found-by-partition-sorted"]["sort"] == ("city",)
    # The pattern gives the city, too.
    assert found["found-by-partition-sorted"]["attributes"] == ("country", "city")
    assert "found-by" not in found
    assert "no other plan of this style that follows the pins is cheaper" in optimality(made)


# Decisions


def under_one_key(*sort):
    text = "#".join(f"{{{name}}}" for name in sort) + "#"
    pin = {"entity": "Note", "index": "Replies", "key": {"partition": "REPLY", "sort": text}}
    return design([NOTE], NOTES, planner={"pins": [pin]})


@pytest.mark.parametrize("style", STYLES)
def test_a_key_for_all_items_says_what_its_patterns_give_all_the_same(style):
    found = reasons_of(index_decision(under_one_key("replyTo", "noteId"), style))
    said = found["one-partition-sorted"]
    assert (said["patterns"], said["attributes"]) == ((2,), ("replyTo",))
    assert (said["writes"], said["reads"]) == (1000, 3000)
    assert found["units-a-second"]["reads"] > 0
    assert "one-partition-nothing-given" not in found


@pytest.mark.parametrize("style", STYLES)
def test_a_key_for_all_items_is_asked_for_by_patterns_that_give_nothing(style):
    new = {"kind": "list", "returns": "Note", "where": [{"attribute": "replyTo", "exists": True}]}
    asked = {**new, "order": ["replyTo ascending"], "limit": 9, "rate": {"average": 1}}
    found = reasons_of(index_decision(design([NOTE], [OLDER, asked, CREATE]), style))
    assert found["one-partition-nothing-given"] == {"patterns": (2,)}


def test_a_key_over_shards_is_not_said_to_be_one_partition():
    made = planned(gallery.load("event-log"), "single")
    (said,) = (d.because for d in made.decisions if d.about.startswith("index ") and 1 in d.serves)
    assert "so without shards one partition key value of this index would hold all" in said
    assert "so one partition key value of this index holds" not in said


VISIT = {
    "name": "Visit",
    "identifier": ["doctorId", "startsAt"],
    "items": 2_000_000,
    "attributes": [
        {"name": "doctorId", "bytes": 8, "distinct": 400},
        {"name": "startsAt", "format": "datetime"},
        {"name": "clinicId", "bytes": 6, "distinct": 200},
        {"name": "state", "values": ["BOOKED", "HERE"], "shares": [0.999, 0.001], "mutable": True},
        {"name": "note", "bytes": 200},
    ],
}


def waiting(*pins):
    here = {"value": "HERE"}
    asked = {"kind": "list", "returns": "Visit", "order": ["startsAt ascending"]}
    asked |= {"where": [is_("clinicId"), {"attribute": "state", "is": here}]}
    arrive = {"kind": "update", "entity": "Visit", "set": {"state": here}, "rate": {"average": 0.5}}
    create = {"kind": "create", "entity": "Visit", "rate": {"average": 1}}
    patterns = [{**asked, "rate": {"average": 5}}, arrive, create]
    planner = {"composite_index_keys": "multi-attribute", "pins": pins}
    return design([VISIT], patterns, planner=planner)


def test_keys_of_which_only_some_are_the_items_own_are_not_all_called_so():
    partition = 'VISIT#{clinicId}#{only(state, "HERE")}'
    key = {"partition": partition, "sort": "{startsAt}"}
    pin = {"entity": "Visit", "index": "Waiting", "key": key, "names": {"sort": "startsAt"}}
    of = waiting(pin)
    (arrival,) = plan(of, "single").operations_for(2)
    assert [step.call for step in arrival.steps] == ["GetItem", "UpdateItem"]
    found = reasons_of(index_decision(of, pattern=1))
    assert found["some-keys-are-attributes"] == {"attributes": ("startsAt",)}
    assert found["composing-reads-item"] == {"attributes": ("clinicId",)}
    assert "keys-are-attributes" not in found


def test_an_index_that_is_said_to_leave_items_out_has_a_key_that_does():
    made = plan(waiting(), "single")
    (index,) = made.tables[0].indexes
    assert index.sparse
    keys = {part.name for part in (*index.partition, *index.sort)}
    texts = [text for name, text in made.tables[0].items[0].set.items() if name in keys]
    assert any('when(state, "HERE")' in text for text in texts)


def test_a_sparse_sort_key_does_not_show_what_all_its_entries_have_alike():
    (table,) = plan(waiting(), "single").tables
    (index,) = table.indexes
    assert "HERE" in table.items[0].set[index.sort[0].name]  # it waits for that
    assert "{only" not in table.items[0].set[index.sort[0].name]


def test_a_list_that_an_index_shares_has_to_be_added_to():
    def entity(name, *attributes):
        own = {"name": f"{name.lower()}Id", "format": "uuid"}
        return {
            "name": name,
            "identifier": [own["name"]],
            "items": 1000,
            "attributes": [own, {"name": "city", "bytes": 12, "distinct": 500}, *attributes],
        }

    large = {"name": "history", "bytes": 3000, "mutable": True}
    of_city = {"kind": "list", "where": [is_("city")], "rate": {"average": 9}}
    patterns = [
        {**of_city, "returns": "Shop", "attributes": ["city"]},
        {**of_city, "returns": "Guest"},
        {"kind": "list", "returns": "Guest", "where": [is_("mail")], "rate": {"average": 9}},
        {"kind": "update", "entity": "Shop", "set": {"history": {"param": "history"}}},
        *({"kind": "create", "entity": name} for name in ("Shop", "Guest")),
        *(
            {"kind": "get", "returns": name, "where": [is_(f"{name.lower()}Id")]}
            for name in ("Shop", "Guest")
        ),
    ]
    rated = [{"rate": {"average": 50}, **pattern} for pattern in patterns]
    mail = {"name": "mail", "bytes": 20, "distinct": 900}
    made = design(
        [entity("Shop", large), entity("Guest", mail)], rated, planner={"objective": "cost"}
    )
    found = index_decision(made)
    (other,) = [one for one in found.instead_of if one.chosen.id == "all-projected"]
    said = {"entity": "Guest", "others": ("Shop",)}
    assert reasons_of(other) == {"holds-other-keys-shared": said}


def test_reasons_have_no_words_of_the_file_s_format():
    made = plan(gallery.load("tea-shop"), "single")
    reasons = [other.because for one in made.decisions for other in one.instead_of]
    assert any("raise that limit" in each for each in reasons)
    assert not any("`" in each for each in reasons)


@pytest.mark.parametrize(
    ("bound", "said"),
    [
        (113.62, "saves more than $0.02 a month (under 0.1 %)"),
        (113.636, "saves more than a cent a month (under 0.1 %)"),
    ],
)
def test_a_gap_is_rounded_to_what_matters(bound, said):
    made = plan(DESIGN, "single")
    gap = (113.64 - bound) / bound
    cost = made.cost.model_copy(
        update={"per_month": 113.64, "bound": bound, "gap": gap, "cheapest": 113.64}
    )
    assert said in optimality(made.model_copy(update={"cost": cost}))

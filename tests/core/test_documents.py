"""The two Markdown documents: what they say, that free text stays text, and checklists that nobody ticks."""

from collections.abc import Callable
from typing import Any

import pytest
from markdown_it import MarkdownIt

from designer.core.comparison.compare import compared
from designer.core.comparison.totals import totals
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.load import load
from designer.core.er_picture.mermaid import er_diagram
from designer.core.exporters import EXPORTERS, Options
from designer.core.exporters.markdown import begun, inline
from designer.core.grid.shown import STYLE_LABELS
from designer.core.plan import ALL_STYLES, Plan, Style
from designer.core.planner import plan
from designer.core.report import checklist, data_model
from designer.core.report.blocks import Paragraph, Table
from designer.core.report.facts import Facts
from designer.core.report.stated import patterns
from designer.core.sentences.plans import index_bound
from tests.core.orders import ORDERS
from tests.core.orders import PLAN as ORDERS_PLAN
from tests.core.plans import DESIGN, PLANS
from tests.planned import planned

DOCUMENTS = ("requirements", "data-model")
SECTIONS = {
    "requirements": (
        "Application",
        "Access patterns",
        "Entities and relationships",
        "Design considerations",
        "Checklist",
    ),
    "data-model": (
        "Entities and relationships",
        "Approach",
        "Tables and indexes",
        "How each access pattern is served",
        "Access patterns without a key",
        "Heat",
        "Cost",
        "What is assumed",
        "Trade-offs",
        "Recovery, services, permissions",
        "Monitoring",
        "Findings",
        "Checklist",
    ),
}


def written(slug: str, design: Design, made: Plan) -> str:
    return str(EXPORTERS[slug].export(design, made).content)


@pytest.mark.parametrize("slug", DOCUMENTS)
def test_documents_are_as_they_were_approved(slug: str, golden: Callable[[str, str], None]) -> None:
    export = EXPORTERS[slug].export(ORDERS, ORDERS_PLAN)
    assert export.content_type == "text/markdown"
    golden(f"exports/{export.filename}", str(export.content))


@pytest.mark.parametrize("style", ["single", "multi", "grouped"])
@pytest.mark.parametrize("slug", gallery.SLUGS)
def test_documents_of_the_gallery_are_whole(slug: str, style: Any) -> None:
    design = gallery.load(slug)
    made = planned(design, style)
    for name in DOCUMENTS:
        read = Read(written(name, design, made))
        assert read.headings["h2"] == list(SECTIONS[name])
        assert read.foreign == []
        assert read.diagrams == [f"{er_diagram(design)}\n"]
        assert "None" not in read.text
        for entity in design.entities:
            assert entity.name in read.text
        for pattern in design.patterns:
            assert flattened(pattern.name) in read.text


def test_styles_are_compared_where_their_plans_are_given() -> None:
    design = gallery.load("merchant-orders")
    made, *others = (plan(design, style) for style in ALL_STYLES)
    beside = {other.style: other for other in others}
    text = str(EXPORTERS["data-model"].export(design, made, Options(beside=beside)).content)
    read = Read(text)
    at = list(SECTIONS["data-model"]).index("Recovery, services, permissions")
    assert read.headings["h2"][at] == "Comparison of the styles" and read.foreign == []
    found = compared(design, {made.style: made, **beside})
    for total in totals(found):
        assert list(total.cells) in [cells[1:] for cells in read.cells]
    for one in found.recommendation.answered:
        says = one.answer.says
        said = says if one.answer.is_stated else f"not stated: {says}"
        assert [one.title, said] in [cells[:2] for cells in read.cells]
    differing = {str(row.pattern.number) for row in found.rows if row.differs}
    assert differing and differing <= {cells[0] for cells in read.cells if len(cells) == 5}
    assert STYLE_LABELS[found.recommendation.style] in read.text.split("Best for this design: ")[1]
    # With one plan alone there is nothing to compare.
    assert "Comparison" not in written("data-model", design, made)


def test_every_attribute_of_a_key_is_named_with_its_type() -> None:
    catalogue = gallery.load("catalogue")
    setting = catalogue.planner.model_copy(update={"composite_index_keys": "multi-attribute"})
    design = catalogue.model_copy(update={"planner": setting})
    text = written("data-model", design, plan(design, "multi"))
    assert "Sort key: `brand` (S), `price` (N), holding `<brand>`, `<price>` (Product)." in text


# --- free text ------------------------------------------------------------------------------------

NASTY = "a | b `c` *d* _e_ <script>f</script> [g](h) ![i](j) # k &amp; ~~l~~ \\ m\n- n\n1. o\n\n> p \u202e q"


class Read:
    """What an independent reader makes of a document: headings, texts, and what is markup but should not be."""

    def __init__(self, text: str) -> None:
        self.headings: dict[str, list[str]] = {}
        self.cells: list[list[str]] = []
        self.foreign: list[str] = []
        self.diagrams: list[str] = []
        texts: list[str] = []
        tokens = (
            MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).parse(text)
        )
        for at, token in enumerate(tokens):
            if token.type == "heading_open":
                self.headings.setdefault(token.tag, []).append(plain(tokens[at + 1]))
            elif token.type == "tr_open":
                self.cells.append([])
            elif token.type in ("th_open", "td_open"):
                self.cells[-1].append(plain(tokens[at + 1]))
            elif token.type == "fence" and token.info == "mermaid":
                self.diagrams.append(token.content)
            elif token.type in (
                "html_block",
                "fence",
                "code_block",
                "blockquote_open",
                "ordered_list_open",
            ):
                self.foreign.append(token.type)
            for child in token.children or ():
                if child.type not in ("text", "text_special", "code_inline", "softbreak"):
                    self.foreign.append(child.type)
            if token.type == "inline":
                texts.append(plain(token))
        self.text = "\n".join(texts)


def plain(token: Any) -> str:
    return "".join(child.content for child in token.children or ())


def flattened(text: str) -> str:
    """As it is read: on one line, and without the signs that make code of what is between them."""
    return " ".join("".join(c if c.isprintable() else " " for c in text).split()).replace("`", "")


def test_free_text_stays_text() -> None:
    pattern = ORDERS.pattern(1).model_copy(
        update={"name": NASTY, "why": NASTY, "considerations": NASTY}
    )
    entity = ORDERS.entities[0].model_copy(update={"description": NASTY})
    design = ORDERS.model_copy(
        update={
            "name": NASTY,
            "description": NASTY,
            "entities": (entity, *ORDERS.entities[1:]),
            "patterns": (pattern, *ORDERS.patterns[1:]),
        }
    )
    for slug in DOCUMENTS:
        before, after = (
            Read(written(slug, ORDERS, ORDERS_PLAN)),
            Read(written(slug, design, ORDERS_PLAN)),
        )
        assert after.foreign == []
        assert len(after.cells) == len(before.cells)
        assert [len(row) for row in after.cells] == [len(row) for row in before.cells]
        assert after.headings["h2"] == list(SECTIONS[slug])
        assert flattened(NASTY) in after.text


@pytest.mark.parametrize(
    "text",
    ["# a", "- a", "+ a", "* a", "> a", "1. a", "12) a", "=== a", "--- a", "~~~ a", "| a", "    a"],
)
def test_the_beginning_of_a_line_is_no_markup(text: str) -> None:
    for line in (begun(inline(text)), f"- {begun(inline(text))}"):
        tokens = MarkdownIt("commonmark").enable("table").parse(line)
        inner = [t for t in tokens if t.type not in ("bullet_list_open", "bullet_list_close")]
        kinds = {t.type.removesuffix("_open").removesuffix("_close") for t in inner}
        assert kinds <= {"paragraph", "inline", "list_item"}
        assert plain(next(t for t in tokens if t.type == "inline")) == text.strip()


# --- checklists -----------------------------------------------------------------------------------


def said(check: Callable[[Facts], checklist.Line], design: Design, made: Plan) -> checklist.Line:
    return check(Facts(design, made))


def stated(**changes: Any) -> Design:
    return Design.model_validate({**ORDERS.model_dump(by_alias=True, exclude_none=True), **changes})


def with_patterns(**fields: Any) -> Design:
    patterns = tuple(p.model_copy(update=fields) for p in ORDERS.patterns)
    return ORDERS.model_copy(update={"patterns": patterns})


def with_entities(**fields: Any) -> Design:
    entities = tuple(e.model_copy(update=fields) for e in ORDERS.entities)
    return ORDERS.model_copy(update={"entities": entities})


RATE = {"average": 1.0, "peak": 2.0}
EMPTY = Design.model_validate({"keywright": 1, "name": "Nothing"})
EMPTY_PLAN = plan(EMPTY, "single")


def test_a_line_says_true_false_or_not_stated() -> None:
    lines = [checklist.Line("", holds, "") for holds in (True, False, None)]
    assert [line.said for line in lines] == ["yes", "no", "not stated"]


@pytest.mark.parametrize("check", [*checklist.REQUIREMENTS, *checklist.DATA_MODEL])
def test_nothing_is_ticked_for_a_design_that_says_nothing(
    check: Callable[[Facts], checklist.Line],
) -> None:
    vacuous = {
        checklist.no_index_for_nothing,
        checklist.cheapest,
        checklist.no_errors,
        checklist.of_this_design,
    }
    line = said(check, EMPTY, EMPTY_PLAN)
    assert line.holds is (True if check in vacuous else None), line
    assert line.evidence


def test_what_there_need_not_be_is_not_said_to_be_missing() -> None:
    lines = [
        said(check, EMPTY, EMPTY_PLAN)
        for check in (checklist.references, checklist.fan_out, checklist.counts)
    ]
    assert [line.said for line in lines] == ["not applicable", "not applicable", "not stated"]
    assert said(checklist.references, ORDERS, ORDERS_PLAN).said == "yes"


def test_the_purpose_is_stated_in_three_parts() -> None:
    whole = stated(context={"domain": "shop", "business": "none lost", "scale": "small"})
    part = stated(context={"domain": "shop"})
    assert said(checklist.purpose, whole, ORDERS_PLAN).holds is True
    assert said(checklist.purpose, part, ORDERS_PLAN).evidence == "Not stated: business and scale."
    assert said(checklist.purpose, part, ORDERS_PLAN).holds is False
    assert said(checklist.purpose, ORDERS, ORDERS_PLAN).holds is None


def test_counts_are_stated_for_every_entity() -> None:
    assert said(checklist.counts, ORDERS, ORDERS_PLAN).holds is True
    without = said(checklist.counts, with_entities(items=None), ORDERS_PLAN)
    assert (without.holds, without.evidence) == (False, "Missing for User and Order.")


def test_references_are_relationships() -> None:
    assert said(checklist.references, ORDERS, ORDERS_PLAN).holds is True
    apart = ORDERS.model_copy(update={"relationships": ()})
    found = said(checklist.references, apart, ORDERS_PLAN)
    assert (found.holds, found.evidence) == (False, "Missing for Order.userId.")


def test_relationships_say_how_many() -> None:
    found = said(checklist.fan_out, ORDERS, ORDERS_PLAN)
    assert (found.holds, found.evidence) == (False, "Missing for “places”.")
    whole = tuple(one.model_copy(update={"most": 30}) for one in ORDERS.relationships)
    assert said(
        checklist.fan_out, ORDERS.model_copy(update={"relationships": whole}), ORDERS_PLAN
    ).holds


def test_rates_are_stated_with_their_peaks() -> None:
    found = said(checklist.rates, ORDERS, ORDERS_PLAN)
    assert found.holds is False
    assert found.evidence == "Without a rate: patterns 2, 3, 4 and 6."
    rate = ORDERS.pattern(1).rate
    assert rate is not None
    stated = said(checklist.rates, with_patterns(rate=rate), ORDERS_PLAN)
    assert (stated.holds, stated.evidence) == (True, "All 5 that DynamoDB serves have both.")
    flat = said(
        checklist.rates, with_patterns(rate=rate.model_copy(update={"peak": None})), ORDERS_PLAN
    )
    assert flat.holds is False
    assert flat.evidence.startswith("Without a peak: patterns 1, 2")
    assert said(checklist.rates, with_patterns(rate=None), ORDERS_PLAN).holds is None


def test_heat_is_known_where_rates_are() -> None:
    assert said(checklist.heat_known, ORDERS, ORDERS_PLAN).holds is False
    assert said(checklist.heat_known, with_patterns(rate=None), ORDERS_PLAN).holds is None
    assert said(checklist.cool, ORDERS, ORDERS_PLAN).holds is None
    rate = ORDERS.pattern(1).rate
    known = said(checklist.heat_known, with_patterns(rate=rate), ORDERS_PLAN)
    assert (known.holds, known.evidence[:21]) == (True, "The hottest key takes")
    assert rate is not None
    storm = with_patterns(rate=rate.model_copy(update={"average": 1e8, "peak": 1e8}))
    hot = said(checklist.cool, storm, ORDERS_PLAN)
    assert hot.holds is False
    assert "of orders" in hot.evidence


def test_an_embedded_item_says_why_it_is_inside_the_other() -> None:
    design = gallery.load("user-preferences")
    facts = Facts(design, planned(design, "single"))
    (table,) = facts.plan.tables
    rows = {shape.shape: data_model._item(facts, table, shape) for shape in table.items}
    assert "need both" in rows["Preferences"][-1]


def test_decisions_without_an_alternative_are_counted() -> None:
    design = gallery.load("running-totals")
    made = planned(design, "single")
    line = said(checklist.weighed, design, made)
    assert line.holds is True
    assert line.evidence.endswith("; 1 decision has none.")
    (alone,) = [one for one in made.decisions if not one.instead_of]
    others = tuple(one for one in made.decisions if one is not alone)
    every = said(checklist.weighed, design, made.model_copy(update={"decisions": others}))
    assert "none" not in every.evidence.replace("none of them, with", "")


def test_the_evidence_that_indexes_are_needed_is_about_these_indexes() -> None:
    design = gallery.load("workspaces")
    line = said(checklist.no_index_for_nothing, design, planned(design, "single"))
    assert line.evidence.startswith("GSI1 serves patterns 6 and 7.")
    two = said(checklist.no_index_for_nothing, design, planned(design, "multi"))
    assert "need different key" not in line.evidence + two.evidence


def test_one_index_is_not_1_of_1() -> None:
    design = gallery.load("folder-tree")
    line = said(checklist.no_index_for_nothing, design, planned(design, "single"))
    assert line.evidence.endswith("The decisions say what would happen without it.")


def test_a_key_that_several_item_types_have_alike_is_said_once() -> None:
    design = gallery.load("folder-tree")
    document = written("data-model", design, planned(design, "single"))
    assert "holding `DRIVE#<driveId>` (Drive and Node)" in document


def test_a_delete_of_several_asks_for_what_the_caller_gives() -> None:
    design = gallery.load("folder-tree")
    document = written("requirements", design, planned(design, "single"))
    assert "| write | driveId, folder |" in document


def test_one_value_in_shards_is_not_each() -> None:
    design = gallery.load("event-log")
    document = written("data-model", design, planned(design, "single"))
    assert " has 1 value, in 7 shards;" in document
    assert "values, in 2 shards each;" in document


def test_a_cut_list_of_causes_of_heat_says_how_many_more_there_are() -> None:
    design = gallery.load("workspaces")
    document = written("data-model", design, planned(design, "single"))
    assert "patterns 1, 2, 10, 11 and 6 others" in document


def test_what_the_plan_filters_is_said_beside_the_least_number_of_indexes() -> None:
    design = gallery.load("workspaces")
    bound = index_bound(planned(design, "single"))
    needed = (
        "At least 1 index is needed to serve patterns 2 and 3 in one request each. The reads of"
    )
    assert bound.startswith(needed)
    assert "For pattern 3, this plan filters the items that it reads." in bound
    shards = index_bound(planned(gallery.load("event-log"), "single"))
    assert "For pattern 1, this plan queries each shard of the key." in shards


def test_what_the_team_declines_is_no_gap() -> None:
    open_ = said(checklist.both_ways, ORDERS, ORDERS_PLAN)
    assert open_.holds is False
    rules = [{"rule": rule, "because": "written by another team"} for rule in checklist.UNMATCHED]
    declined = said(checklist.both_ways, stated(ignored_findings=rules), ORDERS_PLAN)
    assert declined.holds is True
    assert declined.evidence.endswith("Declined: written by another team.")


def test_what_is_answered_elsewhere_has_an_alternative() -> None:
    found = said(checklist.elsewhere, DESIGN, PLANS["single"])
    assert (found.holds, found.evidence) == (True, "Pattern 4.")
    silent = Plan.model_validate(
        PLANS["single"].as_json() | {"operations": [{"pattern": 4, "answer": "elsewhere"}]}
    )
    assert said(checklist.elsewhere, DESIGN, silent).holds is False
    served = ORDERS_PLAN.model_copy(update={"operations": ORDERS_PLAN.operations[:1]})
    assert said(checklist.elsewhere, ORDERS, served).holds is None


def test_a_pattern_that_is_not_served_is_named() -> None:
    refused = [{"pattern": 2, "answer": "not served", "because": "No key can."}]
    made = Plan.model_validate(PLANS["single"].as_json() | {"operations": refused})
    found = said(checklist.served, DESIGN, made)
    assert (found.holds, found.evidence) == (
        False,
        "Neither served nor given another way: pattern 2.",
    )
    assert said(checklist.served, DESIGN, PLANS["single"]).holds is True


def test_a_pattern_that_is_served_only_on_average_is_counted() -> None:
    first, *others = PLANS["single"].operations
    partly = first.model_copy(update={"beyond": ("pages",)})
    made = PLANS["single"].model_copy(update={"operations": (partly, *others)})
    found = said(checklist.served, DESIGN, made)
    assert found.holds is True
    assert found.evidence.endswith("; 1 only on average.")
    assert "only" not in said(checklist.served, DESIGN, PLANS["single"]).evidence
    kept = tuple(each for each in made.operations if each.answer != "elsewhere")
    all_served = made.model_copy(update={"operations": kept})
    (block,) = data_model.unsolved(Facts(DESIGN, all_served)).blocks
    assert block == Paragraph(
        "There are none: these tables serve every access pattern, 1 only on average."
    )


def test_status_and_considerations_and_recovery() -> None:
    assert said(checklist.agreed, with_patterns(status="agreed"), ORDERS_PLAN).holds is True
    half = (ORDERS.patterns[0].model_copy(update={"status": "declined"}), *ORDERS.patterns[1:])
    assert (
        said(checklist.agreed, ORDERS.model_copy(update={"patterns": half}), ORDERS_PLAN).holds
        is False
    )
    assert said(checklist.agreed, ORDERS, ORDERS_PLAN).holds is None
    assert (
        said(checklist.considerations, with_patterns(considerations="Why not?"), ORDERS_PLAN).said
        == "yes"
    )
    one = (
        ORDERS.patterns[0].model_copy(update={"considerations": "Why not?"}),
        *ORDERS.patterns[1:],
    )
    some = said(checklist.considerations, ORDERS.model_copy(update={"patterns": one}), ORDERS_PLAN)
    assert (some.said, some.evidence) == ("in part", "For pattern 1.")
    found = said(checklist.recovery, DESIGN, PLANS["single"])
    assert (found.holds, found.evidence) == (True, "Recovery: Scan. Personal data: Member.")


def test_an_index_that_serves_nothing_and_a_key_without_reasons_are_named() -> None:
    tables = tuple(
        table.model_copy(
            update={"indexes": tuple(i.model_copy(update={"serves": ()}) for i in table.indexes)}
        )
        for table in ORDERS_PLAN.tables
    )
    made = ORDERS_PLAN.model_copy(update={"tables": tables, "decisions": ()})
    assert said(checklist.no_index_for_nothing, ORDERS, made).evidence.endswith(
        "serves no access pattern."
    )
    assert said(checklist.no_index_for_nothing, ORDERS, made).holds is False
    assert said(checklist.justified, ORDERS, made).holds is False
    design = gallery.load("starter")
    assert said(checklist.justified, design, plan(design, "multi")).holds is True


def test_the_plan_of_another_design_is_noticed() -> None:
    assert said(checklist.of_this_design, ORDERS, ORDERS_PLAN).holds is False
    assert said(checklist.of_this_design, EMPTY, EMPTY_PLAN).holds is True


def test_a_rate_that_only_an_unserved_pattern_has_is_not_denied() -> None:
    assert said(checklist.billed, with_patterns(rate=None), ORDERS_PLAN).evidence == (
        "No access pattern has a rate."
    )
    unserved = {"answer": "not served", "steps": (), "requests": 0.0}
    refused = tuple(one.model_copy(update=unserved) for one in ORDERS_PLAN.operations)
    plan = ORDERS_PLAN.model_copy(update={"operations": refused})
    assert said(checklist.billed, ORDERS, plan).evidence == (
        "No access pattern that is served has a rate."
    )


def test_bill_bound_and_errors_are_read_from_the_plan() -> None:
    assert said(checklist.billed, ORDERS, ORDERS_PLAN).holds is False
    rate = ORDERS.pattern(1).rate
    assert said(checklist.billed, with_patterns(rate=rate), ORDERS_PLAN).holds is True
    loose = ORDERS_PLAN.model_copy(
        update={"cost": ORDERS_PLAN.cost.model_copy(update={"gap": 0.02})}
    )
    assert said(checklist.cheapest, ORDERS, loose).evidence == "Gap to the bound: 2 %."
    assert said(checklist.cheapest, ORDERS, loose).holds is False
    finding = ORDERS_PLAN.findings[0].model_copy(update={"severity": "error"})
    wrong = ORDERS_PLAN.model_copy(update={"findings": (finding,)})
    assert said(checklist.no_errors, ORDERS, wrong).holds is False


def test_a_checklist_is_a_table_of_claims_with_evidence() -> None:
    (block,) = checklist.section(Facts(ORDERS, ORDERS_PLAN), "x", checklist.REQUIREMENTS).blocks
    assert isinstance(block, Table)
    assert len(block.rows) == len(checklist.REQUIREMENTS)
    assert {row[1] for row in block.rows} == {"yes", "no", "not stated"}


@pytest.mark.parametrize("style", ALL_STYLES)
@pytest.mark.parametrize("slug", DOCUMENTS)
def test_what_is_answered_elsewhere_is_told_with_its_alternative(slug: str, style: Style) -> None:
    design = gallery.load("catalogue")
    said = written(slug, design, plan(design, style))
    assert "Products that match a search" in said
    assert "OpenSearch" in said and "zero-ETL" in said
    assert "These tables serve every access pattern" not in said


def test_one_pattern_without_a_rate_has_none_and_counts_say_nothing() -> None:
    text = """
keywright: 1
name: Parcels
entities:
  - name: Parcel
    identifier: [parcelId]
    attributes:
      - {name: parcelId, format: uuid}
      - {name: state}
      - {name: weight, type: N}
patterns:
  - {number: 1, name: Send, kind: create, entity: Parcel, set: {state: {value: NEW}}, rate: {average: 1, peak: 1}}
  - {number: 2, name: How many, kind: count, returns: Parcel, where: [{attribute: state, is: {param: state}}]}
  - number: 3
    name: Weigh
    kind: list
    returns: Parcel
    where: [{attribute: state, is: {param: state}}]
    result: {sum: weight}
    rate: {average: 1, peak: 1}
  - {number: 4, name: Change, kind: update, entity: Parcel, set: {state: {param: state}}, rate: {average: 1, peak: 1}}
"""
    design = load(text)
    made = planned(design, "multi")
    facts = Facts(design, made)
    (table,) = patterns(facts).blocks
    assert isinstance(table, Table)
    assert [row[5] for row in table.rows] == ["all", "none", "weight", "state"]
    assert "; 1 of 4 access patterns has no rate" in written("requirements", design, made)
    sought = "  - {number: 5, name: Find, kind: elsewhere, returns: Parcel, because: geo, rate: {average: 1}}\n"
    design = load(text + sought)
    said_of_five = written("requirements", design, planned(design, "multi"))
    assert "; 1 of 4 access patterns that DynamoDB serves has no rate" in said_of_five
    # Nobody says how many parcels there are.
    assert "not stated" in written("data-model", design, made).partition("## How each")[0]


def test_stated_shares_stand_in_the_documents_in_per_cent() -> None:
    text = """
keywright: 1
name: Parcels
entities:
  - name: Parcel
    identifier: [parcelId]
    items: 1000
    attributes:
      - {name: parcelId, format: uuid}
      - {name: state, values: [NEW, DONE], shares: [0.025, 0.975]}
      - {name: stars, type: N, values: [1, 2]}
      - {name: fragile, type: BOOL, shares: [0.1, 0.9]}
      - {name: frozen, type: BOOL, shares: [0.4, 0.6], present: 0.8}
      - {name: shopId, bytes: 20, distinct: 50, busiest: 0.33}
      - {name: sentAt, format: datetime, present: 0.5}
patterns:
  - {number: 1, name: Send, kind: create, entity: Parcel, hottest: 0.2}
"""
    design = load(text)
    document = written("requirements", design, planned(design, "multi"))
    facts = (
        "one of NEW (2.5 %), DONE (97.5 %)",
        "one of 1, 2",
        "true in 10 % of the items",
        "true in 40 % of the items that have it",
        "its busiest value in 33 % of the items",
        "in 50 % of the items",
        "20 % of its traffic is on its hottest key value",
    )
    assert [each for each in facts if each not in document] == []
    assert "0.33" not in document and "0.025" not in document

"""Exports say exactly what the plan says, and free text stays text."""

import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from designer.core.capacity.tables import peak_capacity
from designer.core.design.document import Design
from designer.core.exporters import EXPORTERS, Export, Options, cloudformation, deployment
from designer.core.exporters.quoting import flat
from designer.core.monitoring import alarms
from designer.core.plan import STYLES, Plan
from designer.core.planner import plan
from designer.core.report.standing import Standing
from tests.core.orders import ORDERS
from tests.core.orders import PLAN as ORDERS_PLAN
from tests.core.plans import DESIGN, MULTI, PLANS, SINGLE
from tests.designs_generated import generated
from tests.independent import templates
from tests.independent.templates import READERS

DOCS = Path(__file__).resolve().parents[2] / "docs"
PROVISIONED = DESIGN.model_copy(update={"billing": "provisioned"})


def exported(slug: str, design: Design, plan: Plan) -> Export:
    return EXPORTERS[slug].export(design, plan)


def said(slug: str, design: Design, plan: Plan) -> dict[str, dict[str, Any]]:
    return READERS[slug](str(exported(slug, design, plan).content))


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("slug", READERS)
def test_templates_are_as_they_were_approved(
    slug: str, plan: Plan, golden: Callable[[str, str], None]
) -> None:
    export = exported(slug, DESIGN, plan)
    golden(f"exports/{export.filename}", str(export.content))


@pytest.mark.parametrize("design", [DESIGN, PROVISIONED], ids=["on-demand", "provisioned"])
@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@pytest.mark.parametrize("slug", READERS)
def test_a_template_says_what_the_plan_says(slug: str, plan: Plan, design: Design) -> None:
    assert said(slug, design, plan) == templates.said_by_plan(design, plan)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(20))
def test_templates_of_any_design_say_what_its_plan_says(seed: int) -> None:
    design = generated(Random(seed))
    if seed % 2:
        setting = design.planner.model_copy(update={"composite_index_keys": "multi-attribute"})
        design = design.model_copy(update={"planner": setting})
    for style in STYLES:
        planned = plan(design, style)
        for slug in READERS:
            assert said(slug, design, planned) == templates.said_by_plan(design, planned)


def test_a_template_takes_another_prefix() -> None:
    cloudformation = str(exported("cloudformation", DESIGN, MULTI).content)
    terraform = str(exported("terraform", DESIGN, MULTI).content)
    expected = {"eu.Members", "eu.Loans", "eu.Scans"}
    assert set(templates.said_by_cloudformation(cloudformation, TablePrefix="eu.")) == expected
    assert set(templates.said_by_terraform(terraform, table_prefix="eu.")) == expected


def test_names_without_the_prefix_stay_whole() -> None:
    design = DESIGN.model_copy(update={"table_prefix": "other-"})
    for slug in READERS:
        assert set(said(slug, design, SINGLE)) == {"library-main"}


def test_a_name_without_the_prefix_changes_nothing_about_the_others() -> None:
    members, *others = MULTI.tables
    pinned = (members.model_copy(update={"name": "Members"}), *others)
    mixed = MULTI.model_copy(update={"tables": pinned})
    cloudformation, terraform = (
        exported(slug, DESIGN, mixed) for slug in ("cloudformation", "terraform")
    )
    names = {"Members", "eu.Loans", "eu.Scans"}
    text = str(cloudformation.content)
    assert set(templates.said_by_cloudformation(text, TablePrefix="eu.")) == names
    assert set(templates.said_by_terraform(str(terraform.content), table_prefix="eu.")) == names
    for export in (cloudformation, terraform):
        assert [left for left in export.left_out if "pinned" in left] == [
            "Table Members is pinned under a name without the prefix library-: it gets no prefix."
        ]
    resources = templates.read_cloudformation(text)["Resources"]
    assert list(resources) == ["MembersTable", "LoansTable", "ScansTable"]


def test_outputs_name_each_table_and_stream() -> None:
    template = templates.read_cloudformation(str(exported("cloudformation", DESIGN, MULTI).content))
    values = {name: output["Value"] for name, output in template["Outputs"].items()}
    assert values == {
        "MembersTableName": {"Ref": "MembersTable"},
        "MembersTableArn": {"Fn::GetAtt": ["MembersTable", "Arn"]},
        "LoansTableName": {"Ref": "LoansTable"},
        "LoansTableArn": {"Fn::GetAtt": ["LoansTable", "Arn"]},
        "LoansTableStreamArn": {"Fn::GetAtt": ["LoansTable", "StreamArn"]},
        "ScansTableName": {"Ref": "ScansTable"},
        "ScansTableArn": {"Fn::GetAtt": ["ScansTable", "Arn"]},
    }


def test_both_writings_of_cloudformation_say_the_same() -> None:
    for one in PLANS.values():
        yaml = templates.read_cloudformation(str(exported("cloudformation", DESIGN, one).content))
        json = templates.read_cloudformation(
            str(exported("cloudformation-json", DESIGN, one).content)
        )
        del json["Metadata"]
        for resource in json["Resources"].values():
            del resource["Metadata"]
        assert yaml == json


def test_each_exporter_is_in_the_pages_about_exports_and_commands() -> None:
    docs = Path(__file__).resolve().parents[2] / "docs"
    exports = (docs / "exports.md").read_text("utf-8")
    commands = (docs / "commands.md").read_text("utf-8")
    listed = commands.split("manage.py export DESIGN --to ")[1].split(" ")[0].split("\\|")
    assert [slug for slug in EXPORTERS if f"| `{slug}` |" not in exports] == []
    assert sorted(listed) == sorted(EXPORTERS)


@pytest.mark.parametrize("slug", sorted(set(EXPORTERS) - {"pdf"}))
def test_an_export_says_how_the_design_stands_and_nothing_else_of_it(slug: str) -> None:
    standing = Standing("approved", 12, ORDERS_PLAN.design.meaning, ("Ana", "Ben"))
    without = str(exported(slug, ORDERS, ORDERS_PLAN).content).splitlines()
    stands = Options(standing=standing)
    lines = str(EXPORTERS[slug].export(ORDERS, ORDERS_PLAN, stands).content).splitlines()
    more = [line for line in lines if line not in without]
    assert "Revision r12: approved. Approved by Ana and Ben." in "\n".join(more)
    assert len(more) <= 2


@pytest.mark.parametrize("slug", READERS)
def test_an_export_names_what_it_leaves_out(slug: str) -> None:
    assert exported(slug, DESIGN, SINGLE).left_out == (
        "Pattern 4 “Search books by words” is served without keys, so nothing is created for it. "
        "It is a full-text search: use OpenSearch.",
    )


def test_a_case_that_is_not_served_is_named() -> None:
    case = {"pattern": 1, "answer": "not served", "because": "No key can."}
    operations = [case | {"given": ["since", "until"]}, case | {"given": []}]
    plan = Plan.model_validate(SINGLE.as_json() | {"operations": operations})
    assert exported("terraform", DESIGN, plan).left_out == (
        "Pattern 1 “Loans of a member”, when only “since” and “until” are given, is not served by these tables. "
        "No key can.",
        "Pattern 1 “Loans of a member”, when no optional parameter is given, is not served by these tables. "
        "No key can.",
    )


def test_every_exporter_is_explained() -> None:
    explained = (DOCS / "exports.md").read_text(encoding="utf-8")
    assert [slug for slug in EXPORTERS if f"| `{slug}` |" not in explained] == []
    commands = (DOCS / "commands.md").read_text(encoding="utf-8")
    (listed,) = re.findall(r"manage.py export DESIGN --to (\S+)", commands)
    assert sorted(listed.split("\\|")) == sorted(EXPORTERS)


def test_capacity_is_what_the_peaks_take() -> None:
    # Reads: 90 x 1.5 on the table, 2 x 0.5 on the index. Writes: 20 x 1 and 20 x 2. Seven tenths of it are used.
    assert peak_capacity(DESIGN, SINGLE) == {
        ("library-main", None): (193, 29),
        ("library-main", "GSI1"): (2, 58),
    }


def test_capacity_of_a_local_index_is_its_tables() -> None:
    through = {"pattern": 1, "answer": "in one request", "steps": [
        {"id": "s1", "call": "Query", "table": "library-main", "index": "LSI1", "expects": {"units": 2.0}}
    ]}  # fmt: skip
    plan = Plan.model_validate(SINGLE.as_json() | {"operations": [through]})
    assert peak_capacity(DESIGN, plan)["library-main", None] == (258, 1)


def test_the_dearest_case_of_a_pattern_decides_its_capacity() -> None:
    cases = [
        {"pattern": 1, "answer": "in one request", "given": given, "steps": [
            {"id": "s1", "call": "Query", "table": "library-main", "expects": {"units": units}}
        ]}
        for given, units in (([], 4.0), (["since"], 1.0))
    ]  # fmt: skip
    plan = Plan.model_validate(SINGLE.as_json() | {"operations": cases})
    assert peak_capacity(DESIGN, plan)["library-main", None] == (515, 1)


@pytest.mark.parametrize("slug", READERS)
def test_provisioned_capacity_is_written_and_its_limits_are_said(slug: str) -> None:
    without_rate = PROVISIONED.pattern(2).model_copy(update={"rate": None})
    patterns = tuple(without_rate if p.number == 2 else p for p in PROVISIONED.patterns)
    export = exported(slug, PROVISIONED.model_copy(update={"patterns": patterns}), SINGLE)
    assert "193" in str(export.content)
    assert export.left_out[1:] == (
        "Table library-main has fixed capacity, of which its patterns use 70 % at their peaks; "
        "auto scaling is not set up.",
        "The capacity leaves out the patterns without a rate: 2 and 4.",
    )


def test_a_table_is_provisioned_only_when_all_in_it_are() -> None:
    member = DESIGN.entity["Member"]
    assert member.needs is not None
    needs = member.needs.model_copy(update={"billing": "provisioned"})
    entities = (member.model_copy(update={"needs": needs}), *DESIGN.entities[1:])
    design = DESIGN.model_copy(update={"entities": entities})
    billing = {name: t["billing"] for name, t in said("terraform", design, MULTI).items()}
    assert billing == {
        "library-Members": "PROVISIONED",
        "library-Loans": "PAY_PER_REQUEST",
        "library-Scans": "PAY_PER_REQUEST",
    }
    assert said("terraform", design, SINGLE)["library-main"]["billing"] == "PAY_PER_REQUEST"
    assert exported("terraform", design, SINGLE).left_out[1:] == (
        "Table library-main is on demand: only some of its entities ask for provisioned capacity, and a "
        "table has one mode.",
    )


@pytest.mark.parametrize("slug", READERS)
def test_a_tag_that_cannot_be_written_is_changed_and_said(slug: str) -> None:
    design = DESIGN.model_copy(update={"name": "Books & “Borrowers”"})
    assert said(slug, design, SINGLE)["library-main"]["tags"]["keywright:design"] == (
        "Books - -Borrowers-"
    )
    assert any("“Books - -Borrowers-”" in text for text in exported(slug, design, SINGLE).left_out)


def test_names_that_look_alike_stay_apart() -> None:
    names = ["a-b", "a.b", "A-B", "a_b2", "é-1", "---", "a-b-2"]
    tables = tuple(MULTI.tables[2].model_copy(update={"name": f"library-{name}"}) for name in names)
    plan = MULTI.model_copy(update={"tables": tables, "operations": ()})
    for slug in READERS:
        assert set(said(slug, DESIGN, plan)) == {f"library-{name}" for name in names}


@pytest.mark.slow
def test_a_template_for_too_many_tables_says_so() -> None:
    tables = tuple(
        MULTI.tables[1].model_copy(update={"name": f"library-{n:03}"}) for n in range(501)
    )
    plan = MULTI.model_copy(update={"tables": tables, "operations": ()})
    export = exported("cloudformation", DESIGN, plan)
    assert len(templates.read_cloudformation(str(export.content))["Outputs"]) == 200
    assert [text.split(":")[0] for text in export.left_out] == [
        "1303 of 1503 outputs",
        "A CloudFormation template has at most 500 resources, and this one has 501 tables",
        "The template has more than 51,200 bytes, which the AWS CLI refuses without a bucket",
    ]


# --- alarms ---------------------------------------------------------------------------------------

ALARMS = Options(alarms="every")


@pytest.mark.parametrize("slug", templates.ALARM_READERS)
def test_templates_with_alarms_are_as_they_were_approved(
    slug: str, golden: Callable[[str, str], None]
) -> None:
    export = EXPORTERS[slug].export(ORDERS, ORDERS_PLAN, ALARMS)
    golden(f"exports/with-alarms/{export.filename}", str(export.content))


@pytest.mark.parametrize("slug", templates.ALARM_READERS)
def test_alarms_are_those_of_the_design(slug: str) -> None:
    for style in STYLES:
        made = plan(DESIGN, style)
        export = EXPORTERS[slug].export(DESIGN, made, ALARMS)
        said = templates.ALARM_READERS[slug](str(export.content))
        expected = alarms(DESIGN, made)
        assert len(said) == len(expected) > 5
        assert len({one["name"] for one in said}) == len(said)
        for one, alarm in zip(said, expected, strict=True):
            assert one["looks_at"] == [
                {
                    "metric": (alarm.namespace, metric.name, alarm.statistic),
                    "dimensions": metric.dimensions if metric.table else {"FunctionName": "reader"},
                }
                for metric in alarm.metrics
            ]
            assert one["when"] == (alarm.period, alarm.periods, alarm.threshold)
            assert one["compares"] == ("GreaterThanThreshold", "notBreaching")
            assert one["says"].startswith(alarm.because)
            assert one["name"].startswith("library-")


@pytest.mark.parametrize("slug", templates.ALARM_READERS)
def test_alarms_change_nothing_of_the_tables(slug: str) -> None:
    made = plan(DESIGN, "single")
    with_alarms = str(EXPORTERS[slug].export(DESIGN, made, ALARMS).content)
    assert READERS[slug](with_alarms) == templates.said_by_plan(DESIGN, made)
    assert templates.ALARM_READERS[slug](str(exported(slug, DESIGN, made).content)) == []


def test_alarms_of_indexes_that_look_alike_stay_apart() -> None:
    made = plan(DESIGN, "single")
    (table,) = made.tables
    index = table.indexes[0]
    alike = tuple(
        index.model_copy(update={"name": name}) for name in ("GSI-1", "GSI.1", index.name)
    )
    operations = []
    for operation in made.operations:
        steps = tuple(
            step.model_copy(update={"index": alike[at % 2].name}) if step.index else step
            for at, step in enumerate(operation.steps * 2)
        )
        operations.append(operation.model_copy(update={"steps": steps}))
    table = table.model_copy(update={"indexes": alike})
    made = made.model_copy(update={"tables": (table,), "operations": tuple(operations)})
    for slug, reader in templates.ALARM_READERS.items():
        found = reader(str(EXPORTERS[slug].export(DESIGN, made, ALARMS).content))
        assert len(found) == len(alarms(DESIGN, made))


def test_more_resources_than_a_template_holds_are_said() -> None:
    made = plan(DESIGN, "multi")
    index = made.tables[0].indexes or made.tables[1].indexes
    assert index
    few = cloudformation.MOST_RESOURCES
    try:
        cloudformation.MOST_RESOURCES = 10
        left_out = EXPORTERS["cloudformation"].export(DESIGN, made, ALARMS).left_out
    finally:
        cloudformation.MOST_RESOURCES = few
    number = len(alarms(DESIGN, made))
    assert any(f"{len(made.tables)} tables and {number} alarms" in said for said in left_out)


# --- free text ------------------------------------------------------------------------------------

NASTY = [
    "${x}", "$${x}", "%{if true}", "%%{", "#", "*/", "//", "<<EOF", "EOF", '"', "'", "\\", "\\n",
    "${TablePrefix}", "${!x}", "${", "}", "{{resolve:ssm:secret}}", "!Ref A", "!Sub x", "&a", "*a",
    "- a", "a: b", "{a: b}", "[a]", "|", ">", "?", "@", "`", "---", "...", "%YAML 1.1", "=", "~",
    "null", "yes", "N", "0x1", "1e3", "2026-01-01", "<script>alert(1)</script>", "<!--", "]]>",
    "\u2028", "\u2029", "\u0085", "\ufeff", "\u202e", "\u200d", "👩‍🚀", "ß", "é", "日本", " ", "  ",
]  # fmt: skip
LINES = ["\n", "\r\n", "\t", "\x0b", "\x00", "\x1b[31m", "\x7f"]

characters = st.characters(exclude_categories=["Cs"])
pieces = st.one_of(st.sampled_from(NASTY), st.text(characters, max_size=5))
anything = st.lists(st.one_of(pieces, st.sampled_from(LINES)), max_size=6).map("".join)
# The reader of HCL looks for the end of an escaped `${` even where there is none: close it.
names = (
    st.lists(st.one_of(pieces, st.sampled_from(LINES)), min_size=1, max_size=4)
    .map(lambda parts: "".join(parts) or "name")
    .map(lambda text: re.sub(r"([$%]\{[^}]*)$", r"\1}", text))
)


@settings(max_examples=60, deadline=None)
@example(
    line="".join(NASTY),
    text="\u2028" + "".join(NASTY + LINES),
    table="${x}",
    attributes=["%{if true}", 'a"', "b\\", "N"],
)
@given(
    line=anything,
    text=anything,
    table=names,
    attributes=st.lists(names, min_size=4, max_size=4, unique=True),
)
@pytest.mark.slow
def test_free_text_never_leaves_its_place(
    line: str, text: str, table: str, attributes: list[str]
) -> None:
    # Wider than the documents allow: no control character gets past them.
    partition, sort, index, projected = attributes
    key = {"partition": {"name": partition, "type": "S"}, "sort": {"name": sort, "type": "N"}}
    planned = Plan.model_validate(SINGLE.as_json() | {
        "tables": [{
            "name": f"p-{table}",
            "key": key,
            "ttl": projected,
            "serves": [1],
            "indexes": [{
                "name": index,
                "partition": [{"name": sort, "type": "N"}],
                "projection": {"type": "INCLUDE", "attributes": [projected]},
                "serves": [2],
            }],
            "items": [{
                "shape": "Loan", "entity": "Loan", "set": {partition: "{{a}}", sort: "{b}"},
            }],
        }],
        "decisions": [{"about": f"table p-{table}", "because": text}],
    })  # fmt: skip
    patterns = tuple(p.model_copy(update={"name": line}) for p in DESIGN.patterns)
    changes = {"name": line, "description": text, "patterns": patterns, "table_prefix": "p-"}
    design = DESIGN.model_copy(update=changes)
    expected = templates.said_by_plan(design, planned)
    for one in expected.values():
        one["tags"]["keywright:design"] = deployment.tag_value(line)
        if not one["tags"]["keywright:design"]:
            del one["tags"]["keywright:design"]
    for slug in READERS:
        assert said(slug, design, planned) == expected
        if slug.startswith("cloudformation"):
            content = str(exported(slug, design, planned).content)
            description = templates.read_cloudformation(content)["Description"]
            shown = flat(f"of {line},").replace("{{resolve:", "{ {resolve:")
            assert shown in description
            assert "{{resolve:" not in description


@given(text=anything)
def test_flat_text_is_one_line_of_printable_characters(text: str) -> None:
    assert flat(text).isprintable()
    assert len(f"# {flat(text)}".splitlines()) == 1
    assert [c for c in flat(text) if c != " "] == [c for c in text if c.isprintable() and c != " "]


@given(text=anything)
def test_a_tag_value_has_only_what_tags_may_have(text: str) -> None:
    value = deployment.tag_value(text)
    assert len(value) <= 256
    assert all(c.isalnum() or c in " _.:/=+-@" for c in value)

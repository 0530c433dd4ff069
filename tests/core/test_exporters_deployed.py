"""Templates before the tools they are for: a linter, an emulator, and Terraform's formatter."""

import itertools
import re
import shutil
import subprocess
from collections.abc import Callable, Iterator
from typing import Any

import boto3
import cfnlint
import pytest

from designer.core.capacity.tables import peaks
from designer.core.design import gallery
from designer.core.design.document import Design
from designer.core.design.entities import Needs
from designer.core.exporters import EXPORTERS, Options
from designer.core.plan import STYLES, Plan, Style
from tests import planned as plans
from tests.core.plans import DESIGN, MULTI, PLANS
from tests.independent import templates

Case = Callable[[], tuple[Design, Plan]]

CLOUDFORMATION = ["cloudformation", "cloudformation-json"]
PROVISIONED = DESIGN.model_copy(update={"billing": "provisioned"})
HAND_WRITTEN = [
    pytest.param(lambda design=design, style=style: (design, PLANS[style]), id=f"{name}-{style}")
    for name, design in {"on-demand": DESIGN, "provisioned": PROVISIONED}.items()
    for style in STYLES
]


FROM_GALLERY = [
    pytest.param(
        lambda slug=slug, style=style: planned(slug, style),
        id=f"{slug}-{style}",
        marks=pytest.mark.slow,
    )
    for slug in gallery.SLUGS
    for style in STYLES
]
every_case = pytest.mark.parametrize("case", HAND_WRITTEN + FROM_GALLERY)


def planned(slug: str, style: Style) -> tuple[Design, Plan]:
    design = gallery.load(slug)
    return design, plans.outlined(design, style)


stacks = itertools.count(1)


@pytest.fixture
def aws(moto_server: str) -> Iterator[Any]:
    """Makes clients of an emulator without tables."""

    def client(service: str) -> Any:
        keys = {"aws_access_key_id": "testing", "aws_secret_access_key": "testing"}
        return boto3.client(service, endpoint_url=moto_server, region_name="us-east-1", **keys)

    yield client
    dynamodb = client("dynamodb")
    for name in dynamodb.list_tables()["TableNames"]:
        dynamodb.update_table(TableName=name, DeletionProtectionEnabled=False)
        dynamodb.delete_table(TableName=name)


def deployed(aws: Any, template: str, **parameters: str) -> dict[str, dict[str, Any]]:
    """Create a stack and describe its tables."""
    given = [{"ParameterKey": key, "ParameterValue": value} for key, value in parameters.items()]
    aws("cloudformation").create_stack(
        StackName=f"stack-{next(stacks)}", TemplateBody=template, Parameters=given
    )
    dynamodb = aws("dynamodb")
    names = dynamodb.list_tables()["TableNames"]
    tables = [dynamodb.describe_table(TableName=name)["Table"] for name in names]
    return templates.by_name([templates.said_by_description(table) for table in tables])


@pytest.mark.slow
@pytest.mark.parametrize("case", [*HAND_WRITTEN, *FROM_GALLERY[::3]])
def test_the_linter_finds_nothing(case: Case) -> None:
    """The other templates of the gallery are made of the same resources, and deployed below."""
    template = EXPORTERS["cloudformation"].export(*case()).content
    assert cfnlint.lint(str(template)) == []


@pytest.mark.slow
@pytest.mark.parametrize("case", HAND_WRITTEN)
def test_the_linter_finds_nothing_in_json(case: Case) -> None:
    """That it says the same as the other template is shown for every case by those who read and deploy both."""
    template = EXPORTERS["cloudformation-json"].export(*case()).content
    assert cfnlint.lint(str(template)) == []


@pytest.mark.slow
@pytest.mark.parametrize("slug", CLOUDFORMATION)
@every_case
def test_what_is_deployed_is_what_was_planned(slug: str, case: Case, aws: Any) -> None:
    template = EXPORTERS[slug].export(*case()).content
    said = templates.said_by_plan(*case())
    kept = {
        name: {part: table[part] for part in templates.DEPLOYED} for name, table in said.items()
    }
    assert deployed(aws, str(template)) == kept


@pytest.mark.slow
@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("slug", ["shop", "running-totals"])
def test_alarms_disturb_no_tool(slug: str, style: Style) -> None:
    case = (*planned(slug, style), Options(alarms="every"))
    for exporter in CLOUDFORMATION:
        template = str(EXPORTERS[exporter].export(*case).content)
        assert "AWS::CloudWatch::Alarm" in template
        assert cfnlint.lint(template) == []
    assert_formatted(str(EXPORTERS["terraform"].export(*case).content))


@pytest.mark.parametrize("style", STYLES)
def test_a_maximum_is_four_times_the_stated_peak(style: Style) -> None:
    case = (*planned("shop", style), Options(maximum=True))
    stated = {
        place: [max(100, 4 * peak) for peak in units if peak]
        for place, units in peaks(*case[:2]).items()
    }
    for exporter in CLOUDFORMATION:
        template = str(EXPORTERS[exporter].export(*case).content)
        assert cfnlint.lint(template) == []
        limits = re.findall(r"Max(?:Read|Write)RequestUnits\W+(\d+)", template)
        assert len(limits) == sum(map(len, stated.values()))
        # Rounded up to two digits.
        assert sum(map(int, limits)) == pytest.approx(sum(map(sum, stated.values())), rel=0.1)
    hcl = str(EXPORTERS["terraform"].export(*case).content)
    assert_formatted(hcl)
    assert re.findall(r"max_\w+_request_units += (\d+)", hcl) != []
    assert sorted(re.findall(r"max_\w+_request_units += (\d+)", hcl)) == sorted(limits)
    assert "RequestUnits" not in str(EXPORTERS["cloudformation"].export(*case[:2]).content)


def test_provisioned_tables_have_no_maximum_and_patterns_without_a_rate_are_named() -> None:
    asked = Options(maximum=True)
    assert "RequestUnits" not in str(
        EXPORTERS["cloudformation"].export(PROVISIONED, PLANS["single"], asked).content
    )
    design, made = planned("shop", "single")
    first, *others = design.patterns
    unrated = design.model_copy(
        update={"patterns": (first.model_copy(update={"rate": None}), *others)}
    )
    left_out = EXPORTERS["terraform"].export(unrated, made, asked).left_out
    assert f"These limits leave out the access patterns without a rate: {first.number}." in left_out


@pytest.mark.slow
def test_deletion_protection_can_be_left_off(aws: Any) -> None:
    template = EXPORTERS["cloudformation"].export(DESIGN, PLANS["multi"]).content
    tables = deployed(aws, str(template), DeletionProtection="false")
    assert {name: table["protected"] for name, table in tables.items()} == {
        "library-Members": False,
        "library-Loans": False,
        "library-Scans": False,
    }


@every_case
def test_terraform_would_format_nothing(case: Case) -> None:
    assert_formatted(str(EXPORTERS["terraform"].export(*case()).content))


def assert_formatted(text: str) -> None:
    assert templates.untidy(text) == []
    # Where Terraform is installed it has the last word.
    if terraform := shutil.which("terraform"):
        done = subprocess.run(
            [terraform, "fmt", "-"], input=text, capture_output=True, text=True, check=True
        )
        assert done.stdout == text


@every_case
@pytest.mark.parametrize("slug", templates.READERS)
def test_a_reader_finds_what_was_planned(slug: str, case: Case) -> None:
    text = str(EXPORTERS[slug].export(*case()).content)
    assert templates.READERS[slug](text) == templates.said_by_plan(*case())


@pytest.mark.slow
def test_free_text_disturbs_no_tool(aws: Any) -> None:
    odd = (
        "👩‍🚀 \"x\" 'y' ${x} %{if} # */ <b> \\ {{resolve:ssm:a}} {{ resolve:x}} !Ref \u2028 - a: b"
    )
    patterns = tuple(p.model_copy(update={"name": odd}) for p in DESIGN.patterns)
    team = DESIGN.entities[0].model_copy(update={"needs": Needs(team=odd)})
    changes = {"name": odd, "description": odd, "patterns": patterns}
    design = DESIGN.model_copy(update=changes | {"entities": (team, *DESIGN.entities[1:])})
    for slug in CLOUDFORMATION:
        assert cfnlint.lint(str(EXPORTERS[slug].export(design, MULTI).content)) == []
    assert len(deployed(aws, str(EXPORTERS["cloudformation"].export(design, MULTI).content))) == 3
    assert_formatted(str(EXPORTERS["terraform"].export(design, MULTI).content))

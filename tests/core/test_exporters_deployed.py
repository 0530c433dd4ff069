"""Templates before the tools they are for: a linter, an emulator, and Terraform's formatter."""

import itertools
import shutil
import subprocess
from collections.abc import Iterator
from typing import Any

import boto3
import cfnlint
import pytest

from designer.core.exporters import EXPORTERS
from tests.core.plans import DESIGN, PLANS
from tests.independent import templates

CLOUDFORMATION = ["cloudformation", "cloudformation-json"]
PROVISIONED = DESIGN.model_copy(update={"billing": "provisioned"})
CASES = [(design, plan) for design in (DESIGN, PROVISIONED) for plan in PLANS.values()]
IDS = [f"{design.billing}-{plan.style}" for design, plan in CASES]

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


@pytest.mark.parametrize("slug", CLOUDFORMATION)
@pytest.mark.parametrize(("design", "plan"), CASES, ids=IDS)
def test_the_linter_finds_nothing(slug: str, design: Any, plan: Any) -> None:
    template = EXPORTERS[slug].export(design, plan).content
    assert cfnlint.lint(str(template)) == []


@pytest.mark.parametrize("slug", CLOUDFORMATION)
@pytest.mark.parametrize(("design", "plan"), CASES, ids=IDS)
def test_what_is_deployed_is_what_was_planned(slug: str, design: Any, plan: Any, aws: Any) -> None:
    template = EXPORTERS[slug].export(design, plan).content
    said = templates.said_by_plan(design, plan, "test-")
    kept = {
        name: {part: table[part] for part in templates.DEPLOYED} for name, table in said.items()
    }
    assert deployed(aws, str(template), TablePrefix="test-") == kept


def test_deletion_protection_can_be_left_off(aws: Any) -> None:
    template = EXPORTERS["cloudformation"].export(DESIGN, PLANS["multi"]).content
    tables = deployed(aws, str(template), DeletionProtection="false")
    assert {name: table["protected"] for name, table in tables.items()} == {
        "library-Members": False,
        "library-Loans": False,
        "library-Scans": False,
    }


@pytest.mark.parametrize(("design", "plan"), CASES, ids=IDS)
def test_terraform_would_format_nothing(design: Any, plan: Any) -> None:
    text = str(EXPORTERS["terraform"].export(design, plan).content)
    assert templates.untidy(text) == []
    # Where Terraform is installed it has the last word.
    if terraform := shutil.which("terraform"):
        done = subprocess.run(
            [terraform, "fmt", "-"], input=text, capture_output=True, text=True, check=True
        )
        assert done.stdout == text

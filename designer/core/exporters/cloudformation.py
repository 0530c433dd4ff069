"""CloudFormation templates: plain data and notes, written as YAML with comments or as JSON."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from designer.core.capacity.tables import Structure, is_provisioned, peak_capacity
from designer.core.design.document import Design
from designer.core.exporters import alarms, commented_yaml, deployment, notes
from designer.core.exporters.base import NOTHING_BESIDES, Export, Exporter, Options, filename
from designer.core.exporters.commented_yaml import Notes, Path
from designer.core.exporters.quoting import flat
from designer.core.monitoring import Alarm, Metric
from designer.core.plan import Index, KeyAttribute, Plan, Projection, Table

TABLE = "AWS::DynamoDB::Table"
MOST_OUTPUTS = 200
MOST_RESOURCES = 500
DIRECT_BYTES = 51_200
"""A larger template is passed by way of an S3 bucket.

Source of all three: https://docs.aws.amazon.com/AWSCloudFormation/latest/UserGuide/cloudformation-limits.html
"""


@dataclass
class Template:
    """A template as plain data, with notes about some of its places."""

    heading: tuple[str, ...]
    data: dict[str, Any]
    notes: Notes = field(default_factory=dict)
    left_out: tuple[str, ...] = ()


class CloudFormation(Exporter):
    slug = "cloudformation"
    label = "CloudFormation (YAML)"
    is_template = True
    has_alarms = True

    def export(self, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
        template = build(design, plan, options)
        heading = [f"# {line}" for line in notes.wrapped(template.heading)]
        lines = [*heading, *commented_yaml.lines_of(template.data, template.notes)]
        return _export(design, plan, template, "yaml", "application/yaml", "\n".join(lines) + "\n")


class CloudFormationJson(Exporter):
    slug = "cloudformation-json"
    label = "CloudFormation (JSON)"
    is_template = True
    has_alarms = True

    def export(self, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
        template = build(design, plan, options)
        for name, resource in template.data["Resources"].items():
            if resource["Type"] != TABLE:
                continue
            # A list of texts: names of ours as keys could be mistaken for functions (`Ref`).
            resource["Metadata"] = {
                "Keywright": [
                    _unresolved(note.strip())
                    for path, about in template.notes.items()
                    if path[:2] == ("Resources", name)
                    for note in about
                ]
            }
        heading = [_unresolved(note) for note in template.heading]
        template.data["Metadata"] = {"Keywright": heading}
        text = json.dumps(template.data, indent=2, ensure_ascii=False) + "\n"
        return _export(design, plan, template, "json", "application/json", text)


def _export(
    design: Design, plan: Plan, template: Template, ending: str, content_type: str, text: str
) -> Export:
    left_out = template.left_out
    if len(text.encode()) > DIRECT_BYTES:
        left_out = (
            *left_out,
            "The template has more than 51,200 bytes, which the AWS CLI refuses without a bucket: deploy it with "
            "`aws cloudformation deploy --s3-bucket NAME`.",
        )
    return Export(filename(design, plan, f"cloudformation.{ending}"), content_type, text, left_out)


def build(design: Design, plan: Plan, options: Options) -> Template:
    """The template: parameters, one resource for each table and alarm, and the outputs."""
    prefix = design.table_prefix
    names = _logical_ids(plan, prefix)
    capacity = peak_capacity(design, plan)
    maximums = deployment.maximums(design, plan, options)
    watched = alarms.asked(design, plan, options)
    heading = notes.about(design, plan, options.standing)
    data: dict[str, Any] = {
        "AWSTemplateFormatVersion": "2010-09-09",
        "Description": _unresolved(heading[0]),
        "Parameters": {
            "TablePrefix": {
                "Type": "String",
                "Description": "Prefix of each table's name.",
                "Default": prefix,
                "AllowedPattern": "^[a-zA-Z0-9_.-]*$",
                "MaxLength": deployment.longest_prefix(design, plan),
                "ConstraintDescription": "Letters, digits, underscores, dots and hyphens.",
            },
            "DeletionProtection": {
                "Type": "String",
                "Description": "Whether DynamoDB refuses to delete the tables.",
                "Default": "true",
                "AllowedValues": ["true", "false"],
            },
            **_alarm_parameters(watched),
        },
        "Conditions": {
            "IsProtected": {"Fn::Equals": [{"Ref": "DeletionProtection"}, "true"]},
            **{f"Has{name}": _is_given(name) for name in _alarm_parameters(watched)},
        },
        "Resources": {
            **{
                names[table.name]: _table(design, plan, table, capacity, maximums)
                for table in plan.tables
            },
            **_alarms(watched, names, prefix),
        },
        "Outputs": dict(list(_outputs(plan, names))[:MOST_OUTPUTS]),
    }
    return Template(
        heading,
        data,
        dict(_notes(design, plan, names)),
        (
            *_left_out(design, plan, names, watched),
            *deployment.about_maximums(design, maximums),
            *alarms.without(design, plan, options),
            *alarms.costs(watched),
        ),
    )


def _table(
    design: Design,
    plan: Plan,
    table: Table,
    capacity: dict[Structure, tuple[int, int]],
    maximums: dict[Structure, dict[str, int]],
) -> dict[str, Any]:
    provisioned = is_provisioned(design, table)
    global_indexes = [index for index in table.indexes if index.kind == "global"]
    local_indexes = [index for index in table.indexes if index.kind == "local"]

    def throughput(index: str | None) -> dict[str, Any]:
        if not provisioned:
            most = maximums.get((table.name, index), {})
            limits = {f"Max{kind.title()}RequestUnits": units for kind, units in most.items()}
            return {"OnDemandThroughput": limits} if limits else {}
        reads, writes = capacity[table.name, index]
        return {"ProvisionedThroughput": {"ReadCapacityUnits": reads, "WriteCapacityUnits": writes}}

    recovery: dict[str, Any] = {"PointInTimeRecoveryEnabled": table.recovery_days > 0}
    if table.recovery_days:
        recovery["RecoveryPeriodInDays"] = table.recovery_days
    properties: dict[str, Any] = {
        "TableName": _name(design.table_prefix, table.name),
        # Left out, it would be PROVISIONED.
        "BillingMode": "PROVISIONED" if provisioned else "PAY_PER_REQUEST",
        **throughput(None),
        "AttributeDefinitions": [
            {"AttributeName": name, "AttributeType": type_}
            for name, type_ in deployment.key_attributes(table).items()
        ],
        "KeySchema": _key_schema(
            (table.key.partition,), (table.key.sort,) if table.key.sort else ()
        ),
        "GlobalSecondaryIndexes": [
            {**_index(index), **throughput(index.name)} for index in global_indexes
        ],
        "LocalSecondaryIndexes": [_index(index) for index in local_indexes],
        "TimeToLiveSpecification": (
            {"AttributeName": table.ttl, "Enabled": True} if table.ttl else None
        ),
        "StreamSpecification": (
            {"StreamViewType": deployment.STREAM_VIEWS[table.stream]} if table.stream else None
        ),
        "PointInTimeRecoverySpecification": recovery,
        "SSESpecification": {"SSEEnabled": deployment.holds_personal_data(design, table)},
        "TableClass": deployment.TABLE_CLASSES[table.table_class],
        "DeletionProtectionEnabled": {"Fn::If": ["IsProtected", True, False]},
        "Tags": [
            {"Key": key, "Value": value}
            for key, value in deployment.tags(design, plan, table).items()
        ],
    }
    return {
        "Type": TABLE,
        "DeletionPolicy": "Retain",
        "UpdateReplacePolicy": "Retain",
        "Properties": {name: value for name, value in properties.items() if value},
    }


def _index(index: Index) -> dict[str, Any]:
    return {
        "IndexName": index.name,
        "KeySchema": _key_schema(index.partition, index.sort),
        "Projection": _projection(index.projection),
    }


def _key_schema(
    partition: tuple[KeyAttribute, ...], sort: tuple[KeyAttribute, ...]
) -> list[dict[str, str]]:
    """A key of several attributes repeats HASH, then RANGE, in this order."""
    typed = [(key, "HASH") for key in partition] + [(key, "RANGE") for key in sort]
    return [{"AttributeName": key.name, "KeyType": type_} for key, type_ in typed]


def _projection(projection: Projection) -> dict[str, Any]:
    if projection.type != "INCLUDE":
        return {"ProjectionType": projection.type}
    return {"ProjectionType": "INCLUDE", "NonKeyAttributes": list(projection.attributes)}


def _is_given(parameter: str) -> dict[str, Any]:
    return {"Fn::Not": [{"Fn::Equals": [{"Ref": parameter}, ""]}]}


def _alarm_parameters(watched: tuple[Alarm, ...]) -> dict[str, Any]:
    parameters: dict[str, Any] = {}
    if watched:
        parameters["AlarmTopic"] = {
            "Type": "String",
            "Description": "The ARN that alarms notify, such as an SNS topic; empty for none.",
            "Default": "",
            "AllowedPattern": "^(arn:.+)?$",
        }
    if any(alarm.table is None for alarm in watched):
        parameters["StreamConsumer"] = {
            "Type": "String",
            "Description": "The Lambda function that is the stream consumer; not watched when empty.",
            "Default": "",
        }
    return parameters


def _alarms(watched: tuple[Alarm, ...], names: dict[str, str], prefix: str) -> dict[str, Any]:
    """Each alarm by its logical id: `ShopGSI1WriteThrottleEventsAlarm`."""
    resources: dict[str, Any] = {}
    for alarm in watched:
        table = names[alarm.table].removesuffix("Table")[:100] if alarm.table else "Streams"
        words = re.findall(r"[A-Za-z0-9]+", alarms.stem(alarm))
        stem, number = table + "".join(word[0].upper() + word[1:] for word in words), 1
        while (name := f"{stem}{number if number > 1 else ''}Alarm") in resources:
            number += 1
        resources[name] = _alarm(alarm, names, prefix)
    return resources


def _alarm(alarm: Alarm, names: dict[str, str], prefix: str) -> dict[str, Any]:
    told = {"Fn::If": ["HasAlarmTopic", {"Ref": "AlarmTopic"}, {"Ref": "AWS::NoValue"}]}
    return {
        "Type": "AWS::CloudWatch::Alarm",
        **({"Condition": "HasStreamConsumer"} if alarm.table is None else {}),
        "Properties": {
            "AlarmName": _name(prefix, alarms.name(alarm, prefix)),
            "AlarmDescription": alarms.description(alarm),
            **(_sum(alarm, names) if len(alarm.metrics) > 1 else _single(alarm, names)),
            "EvaluationPeriods": alarm.periods,
            "Threshold": alarm.threshold,
            "ComparisonOperator": "GreaterThanThreshold",
            "TreatMissingData": "notBreaching",
            "AlarmActions": [told],
        },
    }


def _single(alarm: Alarm, names: dict[str, str]) -> dict[str, Any]:
    """What an alarm over one metric looks at."""
    (metric,) = alarm.metrics
    return {
        **_metric(alarm, metric, names),
        "Statistic": alarm.statistic,
        "Period": alarm.period,
    }


def _sum(alarm: Alarm, names: dict[str, str]) -> dict[str, Any]:
    """What an alarm over several metrics looks at: their sum. What is not sent counts as nothing."""
    queries = [
        {
            "Id": f"m{number}",
            "MetricStat": {
                "Metric": _metric(alarm, metric, names),
                "Stat": alarm.statistic,
                "Period": alarm.period,
            },
            "ReturnData": False,
        }
        for number, metric in enumerate(alarm.metrics, 1)
    ]
    total = {
        "Id": "total",
        "Expression": alarms.sum_of(len(queries)),
        "Label": alarm.metric,
        "ReturnData": True,
    }
    return {"Metrics": [total, *queries]}


def _metric(alarm: Alarm, metric: Metric, names: dict[str, str]) -> dict[str, Any]:
    references: dict[str, Any] = {
        "FunctionName": {"Ref": "StreamConsumer"},
        "TableName": {"Ref": names.get(metric.table or "")},
    }
    return {
        "Namespace": alarm.namespace,
        "MetricName": metric.name,
        "Dimensions": [
            {"Name": name, "Value": references.get(name, value)}
            for name, value in metric.dimensions.items()
        ],
    }


def _outputs(plan: Plan, names: dict[str, str]) -> Iterator[tuple[str, dict[str, Any]]]:
    for table in plan.tables:
        name = names[table.name]
        yield f"{name}Name", {"Value": {"Ref": name}}
        yield f"{name}Arn", {"Value": {"Fn::GetAtt": [name, "Arn"]}}
        if table.stream:
            yield f"{name}StreamArn", {"Value": {"Fn::GetAtt": [name, "StreamArn"]}}


def _notes(
    design: Design, plan: Plan, names: dict[str, str]
) -> Iterator[tuple[Path, tuple[str, ...]]]:
    for table in plan.tables:
        resource: Path = ("Resources", names[table.name])
        yield resource, notes.about_table(design, plan, table)
        for kind, section in (("global", "Global"), ("local", "Local")):
            indexes = [index for index in table.indexes if index.kind == kind]
            for number, index in enumerate(indexes):
                place = (*resource, "Properties", f"{section}SecondaryIndexes", number)
                yield place, notes.about_index(design, plan, table, index)


def _left_out(
    design: Design, plan: Plan, names: dict[str, str], watched: tuple[Alarm, ...]
) -> Iterator[str]:
    yield from notes.not_in_the_tables(design, plan)
    yield from deployment.not_as_stated(design, plan)
    if not plan.tables:
        yield "There is no table yet, and CloudFormation refuses a template without resources."
    outputs = len(list(_outputs(plan, names)))
    if outputs > MOST_OUTPUTS:
        yield (
            f"{outputs - MOST_OUTPUTS} of {outputs} outputs: a CloudFormation template has at "
            f"most {MOST_OUTPUTS}."
        )
    if len(plan.tables) + len(watched) > MOST_RESOURCES:
        alarms_too = f" and {len(watched)} alarms" if watched else ""
        yield (
            f"A CloudFormation template has at most {MOST_RESOURCES} resources, and this one has "
            f"{len(plan.tables)} tables{alarms_too}: split it before it is deployed."
        )


def _logical_ids(plan: Plan, prefix: str) -> dict[str, str]:
    """For each table its logical id: `ShopTable`, and `Shop2Table` if that is taken."""
    ids: dict[str, str] = {}
    for table in plan.tables:
        words = re.findall(r"[A-Za-z0-9]+", deployment.behind(prefix, table.name) or table.name)
        stem = "".join(word[0].upper() + word[1:] for word in words)[:200]
        number = 1
        while (name := f"{stem}{number if number > 1 else ''}Table") in ids.values():
            number += 1
        ids[table.name] = name
    return ids


def _name(prefix: str, name: str) -> str | dict[str, str]:
    """A name, with the parameter in place of its prefix."""
    rest = deployment.behind(prefix, name)
    return {"Fn::Sub": f"${{TablePrefix}}{literal(rest)}"} if rest else name


def literal(text: str) -> str:
    """The text such that Fn::Sub gives it back: `${x}` is written `${!x}`."""
    return re.sub(r"\$\{([^}]*\})", r"${!\1", text)


def _unresolved(text: str) -> str:
    """One line of free text that CloudFormation does not take for a dynamic reference."""
    return re.sub(r"\{(?=\{ *resolve:)", "{ ", flat(text))

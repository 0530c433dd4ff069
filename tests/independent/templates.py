"""What a template says of its tables, read without the exporters' code, in one form for all.

A table is a dict: `name`, `billing`, `keys` and `types` of attributes, `indexes`, `ttl`, `stream`,
`recovery` in days, `class`, `kms`, `protected`, `retained`, `tags`. What a source cannot say is
absent. `said_by_plan` says the same of a plan, to compare with.
"""

import json
import re
from collections.abc import Iterator
from typing import Any

import hcl2
import yaml

STREAMS = {
    "keys-only": "KEYS_ONLY",
    "new": "NEW_IMAGE",
    "old": "OLD_IMAGE",
    "new-and-old": "NEW_AND_OLD_IMAGES",
}
CLASSES = {"standard": "STANDARD", "infrequent-access": "STANDARD_INFREQUENT_ACCESS"}

ALARM = "AWS::CloudWatch::Alarm"

DEPLOYED = ("name", "billing", "keys", "types", "indexes", "stream", "protected")
"""What an emulator keeps of a table."""


def by_name(tables: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    names = [table["name"] for table in tables]
    assert len(set(names)) == len(names), names
    return {table["name"]: table for table in tables}


# --- the plan -------------------------------------------------------------------------------------


def said_by_plan(design: Any, plan: Any) -> dict[str, dict[str, Any]]:
    """What templates of a plan should say."""
    return by_name([_plan_table(design, plan, table) for table in plan.tables])


def _plan_table(design: Any, plan: Any, table: Any) -> dict[str, Any]:
    def schema(partition: Any, sort: Any) -> list[tuple[str, str]]:
        return [(key.name, "HASH") for key in partition] + [(key.name, "RANGE") for key in sort]

    every = [table.key.partition, table.key.sort]
    for index in table.indexes:
        every += [*index.partition, *index.sort]
    asked = [design.entity[name].needs for name in {shape.entity for shape in table.items}]
    said = {
        "name": table.name,
        "billing": "PAY_PER_REQUEST" if design.billing == "on-demand" else "PROVISIONED",
        "keys": schema([table.key.partition], [table.key.sort] if table.key.sort else []),
        "types": {key.name: key.type for key in every if key is not None},
        "indexes": {
            index.name: {
                "kind": index.kind,
                "keys": schema(index.partition, index.sort),
                "projection": index.projection.type,
                "attributes": set(index.projection.attributes),
            }
            for index in table.indexes
        },
        "ttl": table.ttl,
        "stream": STREAMS[table.stream] if table.stream else None,
        "recovery": table.recovery_days,
        "class": CLASSES[table.table_class],
        "kms": any(needs is not None and needs.personal_data for needs in asked),
        "protected": True,
        "retained": True,
    }
    teams = {needs.team for needs in asked if needs is not None and needs.team}
    said["tags"] = {"keywright:design": design.name, "keywright:style": plan.style}
    if teams:
        said["tags"]["team"] = " + ".join(sorted(teams))
    if said["kms"]:
        said["tags"]["data-classification"] = "personal"
    return said


# --- a described table ----------------------------------------------------------------------------


def said_by_description(table: dict[str, Any]) -> dict[str, Any]:
    """What DescribeTable says: `Table` of its answer."""
    return {
        "name": table["TableName"],
        "billing": table.get("BillingModeSummary", {}).get("BillingMode", "PROVISIONED"),
        "stream": table.get("StreamSpecification", {}).get("StreamViewType"),
        "protected": table["DeletionProtectionEnabled"],
        **_keys_and_indexes(table),
    }


def _keys_and_indexes(table: dict[str, Any]) -> dict[str, Any]:
    """DynamoDB's own words, which DescribeTable and CloudFormation have in common."""

    def schema(keys: list[dict[str, str]]) -> list[tuple[str, str]]:
        return [(key["AttributeName"], key["KeyType"]) for key in keys]

    kinds = {"global": "GlobalSecondaryIndexes", "local": "LocalSecondaryIndexes"}
    defined = [
        (attribute["AttributeName"], attribute["AttributeType"])
        for attribute in table["AttributeDefinitions"]
    ]
    assert len(dict(defined)) == len(defined)
    return {
        "keys": schema(table["KeySchema"]),
        "types": dict(defined),
        "indexes": {
            index["IndexName"]: {
                "kind": kind,
                "keys": schema(index["KeySchema"]),
                "projection": index["Projection"]["ProjectionType"],
                "attributes": set(index["Projection"].get("NonKeyAttributes", ())),
            }
            for kind, section in kinds.items()
            for index in table.get(section) or ()
        },
    }


# --- CloudFormation -------------------------------------------------------------------------------


class _Loader(yaml.SafeLoader):
    """YAML with CloudFormation's short functions, duplicate keys refused."""

    def construct_mapping(self, node: Any, deep: bool = False) -> dict[Any, Any]:
        keys = [self.construct_object(key, deep=True) for key, _ in node.value]
        assert len(set(keys)) == len(keys), f"keys given twice: {keys}"
        return super().construct_mapping(node, deep)


_Loader.add_constructor("!Ref", lambda loader, node: {"Ref": node.value})
_Loader.add_constructor("!Sub", lambda loader, node: {"Fn::Sub": node.value})
_Loader.add_constructor(
    "!Equals", lambda loader, node: {"Fn::Equals": loader.construct_sequence(node, deep=True)}
)
_Loader.add_constructor(
    "!If", lambda loader, node: {"Fn::If": loader.construct_sequence(node, deep=True)}
)
_Loader.add_constructor("!GetAtt", lambda loader, node: {"Fn::GetAtt": node.value.split(".")})


def read_cloudformation(text: str) -> dict[str, Any]:
    """The template's data, functions in their long form."""
    if text.startswith("{"):
        data: dict[str, Any] = json.loads(text)
    else:
        data = yaml.load(text, _Loader)
    return data


def said_by_cloudformation(text: str, **given: str) -> dict[str, dict[str, Any]]:
    """What the tables would be if the template were deployed with these parameters."""
    template = read_cloudformation(text)
    values = {name: spec["Default"] for name, spec in template["Parameters"].items()} | given
    for name, spec in template["Parameters"].items():
        assert re.fullmatch(spec.get("AllowedPattern", ".*"), values[name]), name
        assert values[name] in spec.get("AllowedValues", [values[name]])
        assert len(values[name]) <= spec.get("MaxLength", 4096)
    conditions = _resolved(template["Conditions"], values, {})
    tables = [one for one in template["Resources"].values() if one["Type"] != ALARM]
    return by_name([_cloudformation_table(one, values, conditions) for one in tables])


def _cloudformation_table(
    resource: dict[str, Any], values: dict[str, str], conditions: dict[str, bool]
) -> dict[str, Any]:
    assert resource["Type"] == "AWS::DynamoDB::Table"
    table = _resolved(resource["Properties"], values, conditions)
    recovery = table["PointInTimeRecoverySpecification"]
    ttl = table.get("TimeToLiveSpecification", {"Enabled": False})
    return {
        "name": table["TableName"],
        "billing": table["BillingMode"],
        "ttl": ttl["AttributeName"] if ttl["Enabled"] else None,
        "stream": table.get("StreamSpecification", {}).get("StreamViewType"),
        "recovery": recovery.get("RecoveryPeriodInDays", 0)
        if recovery["PointInTimeRecoveryEnabled"]
        else 0,
        "class": table["TableClass"],
        "kms": table["SSESpecification"]["SSEEnabled"],
        "protected": table["DeletionProtectionEnabled"],
        "retained": resource["DeletionPolicy"] == resource["UpdateReplacePolicy"] == "Retain",
        "tags": {tag["Key"]: tag["Value"] for tag in table["Tags"]},
        **_keys_and_indexes(table),
    }


def _resolved(value: Any, values: dict[str, str], conditions: dict[str, bool]) -> Any:
    match value:
        case {"Ref": name}:
            return values[name]
        case {"Fn::Sub": text}:
            return re.sub(
                r"\$\{(!?)([^}]*)\}",
                lambda match: f"${{{match[2]}}}" if match[1] else values[match[2]],
                text,
            )
        case {"Fn::Equals": [one, other]}:
            return _resolved(one, values, conditions) == _resolved(other, values, conditions)
        case {"Fn::If": [condition, yes, no]}:
            return _resolved(yes if conditions[condition] else no, values, conditions)
        case dict():
            return {key: _resolved(child, values, conditions) for key, child in value.items()}
        case list():
            return [_resolved(child, values, conditions) for child in value]
    return value


# --- Terraform ------------------------------------------------------------------------------------


def said_by_terraform(text: str, **given: Any) -> dict[str, dict[str, Any]]:
    """What the tables would be if the file were applied with these variables."""
    file = hcl2.loads(text)
    variables = {
        _plain(name): _plain(body.get("default"))
        for block in file["variable"]
        for name, body in block.items()
    } | given
    return by_name([_terraform_table(body, variables) for body in _resources(file)])


def _resources(
    file: dict[str, Any], wanted: str = "aws_dynamodb_table"
) -> Iterator[dict[str, Any]]:
    for block in file.get("resource", ()):
        for kind, labelled in block.items():
            if _plain(kind) == wanted:
                yield from labelled.values()
            else:
                assert _plain(kind) in ("aws_dynamodb_table", "aws_cloudwatch_metric_alarm")


def _terraform_table(body: dict[str, Any], variables: dict[str, Any]) -> dict[str, Any]:
    table = _plain(body, variables)

    def only(block: str) -> dict[str, Any]:
        (one,) = table.get(block, [{}])
        return dict(one)

    def schema(keys: dict[str, str], names: tuple[str, ...]) -> list[tuple[str, str]]:
        kinds = {"hash_key": "HASH", "range_key": "RANGE"}
        return [(keys[name], kinds[name]) for name in names if name in keys]

    keys = schema(table, ("hash_key", "range_key"))
    defined = [(attribute["name"], attribute["type"]) for attribute in table["attribute"]]
    assert len(dict(defined)) == len(defined)
    indexes = {}
    for index in table.get("global_secondary_index", ()):
        assert "hash_key" not in index and "range_key" not in index
        own = [(key["attribute_name"], key["key_type"]) for key in index["key_schema"]]
        indexes[index["name"]] = _terraform_index("global", own, index)
    for index in table.get("local_secondary_index", ()):
        own = [keys[0], *schema(index, ("range_key",))]
        indexes[index["name"]] = _terraform_index("local", own, index)
    tags, also = _merged(body["tags"])
    assert also == "var.tags"
    ttl, recovery = only("ttl"), only("point_in_time_recovery")
    return {
        "name": table["name"],
        "billing": table["billing_mode"],
        "keys": keys,
        "types": dict(defined),
        "indexes": indexes,
        "ttl": ttl["attribute_name"] if ttl.get("enabled") else None,
        "stream": table["stream_view_type"] if table.get("stream_enabled") else None,
        "recovery": recovery.get("recovery_period_in_days", 0) if recovery["enabled"] else 0,
        "class": table["table_class"],
        "kms": only("server_side_encryption")["enabled"],
        "protected": table["deletion_protection_enabled"],
        "retained": only("lifecycle")["prevent_destroy"],
        "tags": tags | variables["tags"],
    }


def _terraform_index(
    kind: str, keys: list[tuple[str, str]], index: dict[str, Any]
) -> dict[str, Any]:
    return {
        "kind": kind,
        "keys": keys,
        "projection": index["projection_type"],
        "attributes": set(index.get("non_key_attributes", ())),
    }


def _merged(expression: str) -> tuple[dict[str, str], str]:
    """The map and the other argument of `${merge({...}, other)}`."""
    match = re.fullmatch(r"\$\{merge\((\{.*\}), ([a-z.]+)\)\}", expression, re.DOTALL)
    assert match, expression
    return _plain(hcl2.loads(f"tags = {match[1]}\n")["tags"]), match[2]


def _plain(value: Any, variables: dict[str, Any] | None = None) -> Any:
    """The reader's values as what they mean: strings without quotes and escapes."""
    if isinstance(value, dict):
        return {
            _plain(key): _plain(child, variables)
            for key, child in value.items()
            if not key.startswith("__") and key != "tags"
        }
    if isinstance(value, list):
        return [_plain(child, variables) for child in value]
    if not isinstance(value, str):
        return value
    alone = re.fullmatch(r"\$\{var\.(\w+)\}", value)
    if alone and variables:
        return variables[alone[1]]
    if not value.startswith('"'):
        return value
    return _string(value[1:-1], variables or {})


def untidy(text: str) -> list[str]:
    """The lines that `terraform fmt` would write otherwise, as far as exports go."""
    wrong: list[str] = []
    depth = 0
    group: list[str] = []
    for line in [*text.removesuffix("\n").split("\n"), ""]:
        words = line.strip()
        comment = words.startswith("#")
        if not comment and words[:1] in ("}", "]"):
            depth -= 1
        if line != ("  " * depth + words if words else ""):
            wrong.append(line)
        if not comment and words[-1:] in ("{", "["):
            depth += 1
        assigns = re.match(r'[^=#"]+ =|"[^"]*" +=', words) and words[-1:] not in ("{", "[")
        if assigns:
            group.append(words)
            continue
        names = [entry[: entry.index("=")].rstrip() for entry in group]
        column = max(map(len, names), default=0) + 1
        wrong += [entry for entry in group if entry.index("= ") != column]
        group = []
    return wrong + ([] if depth == 0 else ["unbalanced"]) + (["two"] if "\n\n\n" in text else [])


_IN_STRING = re.compile(
    r"\\(?P<one>[nrt\"\\])|\\u(?P<short>[0-9a-fA-F]{4})|\\U(?P<long>[0-9a-fA-F]{8})"
    r"|(?P<literal>\$\$\{|%%\{)|\$\{var\.(?P<variable>\w+)\}|(?P<evaluated>[$%]\{)|(?P<bad>[\\\n\"])"
)


def _string(text: str, variables: dict[str, Any]) -> str:
    """What is between the quotes of an HCL string; anything evaluated but a variable is refused."""

    def part(match: re.Match[str]) -> str:
        assert not match["evaluated"] and not match["bad"], f"{match[0]!r} in {text!r}"
        if match["one"]:
            return {"n": "\n", "r": "\r", "t": "\t"}.get(match["one"], match["one"])
        if match["literal"]:
            return match["literal"][1:]
        if match["variable"]:
            return str(variables[match["variable"]])
        return chr(int(match["short"] or match["long"], 16))

    return _IN_STRING.sub(part, text)


READERS = {
    "cloudformation": said_by_cloudformation,
    "cloudformation-json": said_by_cloudformation,
    "terraform": said_by_terraform,
}
"""The reader of each exporter's templates, by its slug."""


# --- alarms ---------------------------------------------------------------------------------------


def alarms_in_cloudformation(text: str) -> list[dict[str, Any]]:
    """The template's alarms in one form for all; a dimension that names a resource gives the table's name."""
    template = read_cloudformation(text)
    resources = template["Resources"]
    values = {name: spec["Default"] for name, spec in template["Parameters"].items()}
    names = {
        name: _resolved(one["Properties"]["TableName"], values, {})
        for name, one in resources.items()
        if one["Type"] != ALARM
    }
    told = {"Fn::If": ["HasAlarmTopic", {"Ref": "AlarmTopic"}, {"Ref": "AWS::NoValue"}]}
    found = []
    for one in resources.values():
        if one["Type"] != ALARM:
            continue
        alarm = one["Properties"]
        assert alarm["AlarmActions"] == [told]
        values_there = names | {"StreamConsumer": "reader"}
        looks_at = [
            {
                "metric": (said["Namespace"], said["MetricName"], statistic),
                "dimensions": {
                    each["Name"]: _resolved(each["Value"], values_there, {})
                    for each in said["Dimensions"]
                },
            }
            for said, statistic in _looked_at_in_cloudformation(alarm)
        ]
        by_function = any("FunctionName" in each["dimensions"] for each in looks_at)
        assert by_function == (one.get("Condition") == "HasStreamConsumer")
        found.append(
            {
                "name": _resolved(alarm["AlarmName"], values, {}),
                "says": alarm["AlarmDescription"],
                "looks_at": looks_at,
                "when": (_period(alarm), alarm["EvaluationPeriods"], alarm["Threshold"]),
                "compares": (alarm["ComparisonOperator"], alarm["TreatMissingData"]),
            }
        )
    return found


def _looked_at_in_cloudformation(alarm: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    """Each metric with its statistic: one, or those that are added up."""
    if "Metrics" not in alarm:
        return [(alarm, alarm["Statistic"])]
    total, *queries = alarm["Metrics"]
    _check_sum(total["Expression"], [each["Id"] for each in queries])
    assert total["ReturnData"] is True
    assert not any(each["ReturnData"] for each in queries)
    return [(each["MetricStat"]["Metric"], each["MetricStat"]["Stat"]) for each in queries]


def _check_sum(expression: str, ids: list[str]) -> None:
    assert expression == f"SUM([{', '.join(f'FILL({each}, 0)' for each in ids)}])"


def _period(alarm: dict[str, Any]) -> int:
    if "Period" in alarm:
        return int(alarm["Period"])
    (period,) = {each["MetricStat"]["Period"] for each in alarm["Metrics"][1:]}
    return int(period)


def alarms_in_terraform(text: str) -> list[dict[str, Any]]:
    """The same of a Terraform file."""
    file = hcl2.loads(text)
    variables = {
        _plain(name): _plain(body.get("default"))
        for block in file["variable"]
        for name, body in block.items()
    }
    names = {
        f"${{aws_dynamodb_table.{_plain(label)}.name}}": _plain(body["name"], variables)
        for block in file["resource"]
        for kind, labelled in block.items()
        for label, body in labelled.items()
        if _plain(kind) == "aws_dynamodb_table"
    }
    found = []
    for body in _resources(file, "aws_cloudwatch_metric_alarm"):
        alarm = _plain(body, variables)
        assert body["alarm_actions"] == "${var.alarm_actions}"
        looks_at = []
        for said, statistic in _looked_at_in_terraform(body):
            dimensions = {
                _plain(name): names.get(value, "reader" if "var." in value else _plain(value))
                for name, value in said["dimensions"].items()
                if not name.startswith("__")
            }
            metric = (_plain(said["namespace"]), _plain(said["metric_name"]), _plain(statistic))
            looks_at.append({"metric": metric, "dimensions": dimensions})
        by_function = any("FunctionName" in each["dimensions"] for each in looks_at)
        assert by_function == ("count" in body)
        (period,) = {
            _plain(each["metric"][0]["period"])
            for each in body.get("metric_query", [])
            if "metric" in each
        } or {alarm["period"]}
        found.append(
            {
                "name": alarm["alarm_name"],
                "says": alarm["alarm_description"],
                "looks_at": looks_at,
                "when": (period, alarm["evaluation_periods"], alarm["threshold"]),
                "compares": (alarm["comparison_operator"], alarm["treat_missing_data"]),
            }
        )
    return found


def _looked_at_in_terraform(body: dict[str, Any]) -> list[tuple[dict[str, Any], str]]:
    if "metric_query" not in body:
        return [(body, body["statistic"])]
    total, *queries = body["metric_query"]
    _check_sum(_plain(total["expression"]), [_plain(each["id"]) for each in queries])
    assert total["return_data"] is True
    return [(each["metric"][0], each["metric"][0]["stat"]) for each in queries]


ALARM_READERS = {
    "cloudformation": alarms_in_cloudformation,
    "cloudformation-json": alarms_in_cloudformation,
    "terraform": alarms_in_terraform,
}

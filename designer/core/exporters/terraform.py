"""Terraform: one file of HCL for `hashicorp/aws`, written as `terraform fmt` would write it."""

import re
from collections.abc import Iterable, Iterator, Mapping

from designer.core.capacity.tables import Structure, is_provisioned, peak_capacity
from designer.core.design.document import Design
from designer.core.exporters import alarms, deployment, notes
from designer.core.exporters.base import NOTHING_BESIDES, Export, Exporter, Options, filename
from designer.core.exporters.quoting import escaped
from designer.core.monitoring import Alarm, Metric
from designer.core.plan import Index, KeyAttribute, Plan, Table

PROVIDER = ">= 6.35, < 7"
"""Indexes have `key_schema` blocks since 6.29.0, but plans that never settled until 6.34.

https://github.com/hashicorp/terraform-provider-aws/blob/main/CHANGELOG.md
"""

Lines = list[str]


class Terraform(Exporter):
    slug = "terraform"
    label = "Terraform"
    is_template = True
    has_alarms = True

    def export(self, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
        prefix = design.table_prefix
        labels = _labels(plan, prefix)
        watched = alarms.asked(design, plan, options)
        capacity = peak_capacity(design, plan)
        maximums = deployment.maximums(design, plan, options)
        parts = [
            _comment(notes.about(design, plan, options.standing)),
            _settings(),
            *_variables(design, plan),
            *_alarm_variables(watched),
            *(
                _table(design, plan, table, labels[table.name], capacity, maximums)
                for table in plan.tables
            ),
            *_alarms(watched, labels, prefix),
            *_outputs(plan, labels),
        ]
        left_out = (
            *notes.not_in_the_tables(design, plan),
            *deployment.not_as_stated(design, plan),
            *deployment.about_maximums(design, maximums),
            *alarms.without(design, plan, options),
            *alarms.costs(watched),
        )
        text = "\n".join(_spaced(parts)) + "\n"
        return Export(filename(design, plan, "tf"), "text/x-hcl", text, left_out)


def _settings() -> Lines:
    aws = ["aws = {", '  source  = "hashicorp/aws"', f"  version = {quoted(PROVIDER)}", "}"]
    return _block(
        "terraform",
        _arguments({"required_version": quoted(">= 1.5")}),
        _block("required_providers", aws),
    )


def _variables(design: Design, plan: Plan) -> list[Lines]:
    longest = deployment.longest_prefix(design, plan)
    pattern = f"^[a-zA-Z0-9_.-]{{0,{longest}}}$"
    allowed = f"Letters, digits, underscores, dots and hyphens; at most {longest}."
    return [
        _variable(
            "table_prefix",
            "Prefix of each table's name.",
            "string",
            quoted(design.table_prefix),
            _block(
                "validation",
                _arguments(
                    {
                        "condition": f"can(regex({quoted(pattern)}, var.table_prefix))",
                        "error_message": quoted(allowed),
                    }
                ),
            ),
        ),
        _variable(
            "tags", "More tags for each table; they override the others.", "map(string)", "{}"
        ),
        _variable(
            "deletion_protection",
            "Whether DynamoDB refuses to delete the tables.",
            "bool",
            "true",
        ),
    ]


def _variable(name: str, description: str, type_: str, default: str, *more: Lines) -> Lines:
    arguments = {"description": quoted(description), "type": type_, "default": default}
    return _block(f'variable "{name}"', _arguments(arguments), *more)


def _table(
    design: Design,
    plan: Plan,
    table: Table,
    label: str,
    capacity: Mapping[Structure, tuple[int, int]],
    maximums: Mapping[Structure, Mapping[str, int]],
) -> Lines:
    provisioned = is_provisioned(design, table)

    def throughput(index: str | None) -> dict[str, str]:
        if not provisioned or (table.name, index) not in capacity:
            return {}
        reads, writes = capacity[table.name, index]
        return {"read_capacity": str(reads), "write_capacity": str(writes)}

    main = {
        "name": _name(design.table_prefix, table.name),
        # Left out, it would be PROVISIONED.
        "billing_mode": quoted("PROVISIONED" if provisioned else "PAY_PER_REQUEST"),
        **throughput(None),
        "table_class": quoted(deployment.TABLE_CLASSES[table.table_class]),
        "hash_key": quoted(table.key.partition.name),
    }
    if table.key.sort:
        main["range_key"] = quoted(table.key.sort.name)
    if table.stream:
        main["stream_enabled"] = "true"
        main["stream_view_type"] = quoted(deployment.STREAM_VIEWS[table.stream])
    main["deletion_protection_enabled"] = "var.deletion_protection"
    recovery = {"enabled": "true" if table.recovery_days else "false"}
    if table.recovery_days:
        recovery["recovery_period_in_days"] = str(table.recovery_days)
    personal = deployment.holds_personal_data(design, table)
    body = [
        _arguments(main),
        *(
            _block("attribute", _arguments({"name": quoted(name), "type": quoted(type_)}))
            for name, type_ in deployment.key_attributes(table).items()
        ),
        *(
            _comment(notes.about_index(design, plan, table, index), 2)
            + _index(index, throughput(index.name), maximums.get((table.name, index.name)))
            for index in table.indexes
        ),
    ]
    body += _maximum(maximums.get((table.name, None)))
    if table.ttl:
        ttl = {"attribute_name": quoted(table.ttl), "enabled": "true"}
        body.append(_block("ttl", _arguments(ttl)))
    body += [
        _block("point_in_time_recovery", _arguments(recovery)),
        _block("server_side_encryption", _arguments({"enabled": "true" if personal else "false"})),
        _tags(deployment.tags(design, plan, table)),
        _block("lifecycle", _arguments({"prevent_destroy": "true"})),
    ]
    return [
        *_comment(notes.about_table(design, plan, table)),
        *_block(f'resource "aws_dynamodb_table" "{label}"', *body),
    ]


def _maximum(units: Mapping[str, int] | None) -> list[Lines]:
    """The most that an on-demand table or index may take."""
    if not units:
        return []
    limits = {f"max_{kind}_request_units": str(most) for kind, most in units.items()}
    return [_block("on_demand_throughput", _arguments(limits))]


def _index(index: Index, throughput: dict[str, str], most: Mapping[str, int] | None) -> Lines:
    """A local index, or a global one with a block for each key attribute, HASH before RANGE."""
    arguments = {"name": quoted(index.name)}
    if index.kind == "local":
        arguments["range_key"] = quoted(index.sort[0].name)
    arguments["projection_type"] = quoted(index.projection.type)
    if index.projection.type == "INCLUDE":
        listed = ", ".join(quoted(name) for name in index.projection.attributes)
        arguments["non_key_attributes"] = f"[{listed}]"
    if index.kind == "local":
        return _block("local_secondary_index", _arguments(arguments))
    return _block(
        "global_secondary_index",
        _arguments({**arguments, **throughput}),
        *(_key_schema(key, "HASH") for key in index.partition),
        *(_key_schema(key, "RANGE") for key in index.sort),
        *_maximum(most),
    )


def _key_schema(key: KeyAttribute, type_: str) -> Lines:
    arguments = {"attribute_name": quoted(key.name), "key_type": quoted(type_)}
    return _block("key_schema", _arguments(arguments))


def _tags(tags: dict[str, str]) -> Lines:
    entries = _arguments({quoted(key): quoted(value) for key, value in tags.items()})
    return ["tags = merge({", *_indented(entries), "}, var.tags)"]


def _alarm_variables(watched: tuple[Alarm, ...]) -> Iterator[Lines]:
    if watched:
        told = "ARNs that alarms notify, such as SNS topics."
        yield _variable("alarm_actions", told, "list(string)", "[]")
    if any(alarm.table is None for alarm in watched):
        read = "The Lambda function that is the stream consumer; not watched when empty."
        yield _variable("stream_consumer", read, "string", '""')


def _alarms(watched: tuple[Alarm, ...], labels: Mapping[str, str], prefix: str) -> Iterator[Lines]:
    taken: set[str] = set()
    for alarm in watched:
        table = labels[alarm.table][:100] if alarm.table else "streams"
        words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", alarms.stem(alarm))
        stem, number = "_".join([table, *re.findall(r"[a-z0-9]+", words.lower())]), 1
        while (label := stem if number == 1 else f"{stem}_{number}") in taken:
            number += 1
        taken.add(label)
        yield _alarm(alarm, label, labels, prefix)


def _alarm(alarm: Alarm, label: str, labels: Mapping[str, str], prefix: str) -> Lines:
    single = len(alarm.metrics) == 1
    looked_at = {
        "namespace": quoted(alarm.namespace),
        "metric_name": quoted(alarm.metrics[0].name),
        "statistic": quoted(alarm.statistic),
        "period": str(alarm.period),
    }
    main = {
        "alarm_name": _name(prefix, alarms.name(alarm, prefix)),
        "alarm_description": quoted(alarms.description(alarm)),
        **(looked_at if single else {}),
        "evaluation_periods": str(alarm.periods),
        "threshold": str(alarm.threshold),
        "comparison_operator": quoted("GreaterThanThreshold"),
        "treat_missing_data": quoted("notBreaching"),
        "alarm_actions": "var.alarm_actions",
        "tags": "var.tags",
    }
    given = {"count": 'var.stream_consumer == "" ? 0 : 1'} if alarm.table is None else {}
    return _block(
        f'resource "aws_cloudwatch_metric_alarm" "{label}"',
        *([_arguments(given)] if given else []),
        _arguments(main),
        *([_dimensions(alarm.metrics[0], labels)] if single else _sum(alarm, labels)),
    )


def _sum(alarm: Alarm, labels: Mapping[str, str]) -> Iterator[Lines]:
    """The sum of several metrics; what is not sent counts as nothing."""
    total = {
        "id": quoted("total"),
        "expression": quoted(alarms.sum_of(len(alarm.metrics))),
        "label": quoted(alarm.metric),
        "return_data": "true",
    }
    yield _block("metric_query", _arguments(total))
    for number, metric in enumerate(alarm.metrics, 1):
        said = {
            "namespace": quoted(alarm.namespace),
            "metric_name": quoted(metric.name),
            "stat": quoted(alarm.statistic),
            "period": str(alarm.period),
        }
        found = _block("metric", _arguments(said), _dimensions(metric, labels))
        yield _block("metric_query", _arguments({"id": quoted(f"m{number}")}), found)


def _dimensions(metric: Metric, labels: Mapping[str, str]) -> Lines:
    references = {"FunctionName": "var.stream_consumer"}
    if metric.table is not None:
        references["TableName"] = f"aws_dynamodb_table.{labels[metric.table]}.name"
    found = {name: references.get(name, quoted(value)) for name, value in metric.dimensions.items()}
    return ["dimensions = {", *_indented(_arguments(found)), "}"]


def _outputs(plan: Plan, labels: dict[str, str]) -> list[Lines]:
    every = list(labels.values())
    streams = [labels[table.name] for table in plan.tables if table.stream]
    outputs = [
        _output("table_names", "The tables' names.", "name", every),
        _output("table_arns", "The tables' ARNs.", "arn", every),
    ]
    if streams:
        outputs.append(_output("stream_arns", "The streams' ARNs.", "stream_arn", streams))
    return outputs


def _output(name: str, description: str, attribute: str, labels: list[str]) -> Lines:
    values = {label: f"aws_dynamodb_table.{label}.{attribute}" for label in labels}
    value = ["value = {", *_indented(_arguments(values)), "}"] if values else ["value = {}"]
    return _block(f'output "{name}"', _arguments({"description": quoted(description)}), value)


def _labels(plan: Plan, prefix: str) -> dict[str, str]:
    """For each table its label in HCL: `shop_orders`, and `shop_orders_2` if that is taken."""
    labels: dict[str, str] = {}
    for table in plan.tables:
        whole = deployment.behind(prefix, table.name) or table.name
        spread = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", whole)
        stem = "_".join(re.findall(r"[a-z0-9]+", spread.lower())) or "table"
        if stem[0].isdigit():
            stem = f"table_{stem}"
        number = 1
        while (label := stem if number == 1 else f"{stem}_{number}") in labels.values():
            number += 1
        labels[table.name] = label
    return labels


def _name(prefix: str, name: str) -> str:
    """A name as a string of HCL, with the variable in place of its prefix."""
    rest = deployment.behind(prefix, name)
    return f'"${{var.table_prefix}}{_text(rest)}"' if rest else quoted(name)


# --- HCL ------------------------------------------------------------------------------------------


def quoted(text: str) -> str:
    """The text as a string of HCL, with nothing in it that is evaluated.

    >>> print(quoted('a"b ${x} %{if}'))
    "a\\"b $${x} %%{if}"
    """
    return f'"{_text(text)}"'


def _text(text: str) -> str:
    return escaped(text).replace("${", "$${").replace("%{", "%%{")


def _arguments(values: Mapping[str, str]) -> Lines:
    """Arguments below one another, their `=` in one column."""
    width = max(map(len, values), default=0)
    return [f"{name:<{width}} = {value}" for name, value in values.items()]


def _block(header: str, *parts: Lines) -> Lines:
    return [f"{header} {{", *_indented(_spaced(parts)), "}"]


def _spaced(parts: Iterable[Lines]) -> Lines:
    """The parts with an empty line between each two."""
    lines: Lines = []
    for part in parts:
        lines += ["", *part] if lines else part
    return lines


def _indented(lines: Lines) -> Lines:
    return [f"  {line}" if line else "" for line in lines]


def _comment(about: Iterable[str], indent: int = 0) -> Lines:
    return [f"# {line}" for line in notes.wrapped(about, indent)]

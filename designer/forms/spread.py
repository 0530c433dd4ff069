"""The form of the key analyser: a key and the traffic on it. Nothing of it is saved."""

from typing import Any

from django import forms

from designer.core.heat.traffic import MOST_KEYS, MOST_MINUTES, Traffic, check_template
from designer.core.messages import say, text
from designer.forms.bounds import within

SHAPES = (
    ("uniform", "uniform: each value equally often"),
    ("zipf", "Zipf: a few values often, most values seldom"),
    ("hot", "one hot value, the others equally often"),
    ("time", "by time: all traffic on the newest value"),
)
PERIODS = ((60, "minute"), (3600, "hour"), (86400, "day"))
COLLECTIONS = (
    ("one", "one item"),
    ("spread", "many, used evenly"),
    ("increasing", "many, added in sort key order"),
)


def _number(label: str, least: float, most: float, **more: Any) -> forms.FloatField:
    return forms.FloatField(label=label, **within(least, most), **more)


def _whole(label: str, least: int, most: int, **more: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, **within(least, most), **more)


class SpreadForm(forms.Form):
    """A key, its traffic, and the suffix to compare with."""

    key = forms.CharField(label="Key", max_length=500, help_text="For example, ORDER#{orderId}.")
    values = _whole("Values of the key", 1, 50_000)
    shape = forms.ChoiceField(label="Traffic", choices=SHAPES)
    exponent = _number(
        "Zipf exponent",
        0,
        5,
        help_text="The larger it is, the more of the traffic is on a few values: the value of rank r gets a share in "
        "proportion to 1 / r to this power.",
    )
    hot_share = _number("Hot value's share (%)", 0, 100)
    period_seconds = forms.TypedChoiceField(label="New value every", coerce=int, choices=PERIODS)
    collection = forms.ChoiceField(label="Items per key", choices=COLLECTIONS)
    reads = _number("Reads per second", 0, 1e7)
    writes = _number("Writes per second", 0, 1e7)
    item_bytes = _number("Item size (bytes)", 1, 409_600)
    is_strong = forms.BooleanField(label="Strongly consistent reads", required=False)
    partitions = _whole("Initial partitions", 1, 50)
    read_capacity = _number("Provisioned read units", 1, 1e7, required=False)
    write_capacity = _number(
        "Provisioned write units",
        1,
        1e7,
        required=False,
        help_text="Units per second. Leave both empty for on-demand capacity.",
    )
    minutes = _whole("Minutes", 1, MOST_MINUTES)
    shards = _whole("Shards to compare", 2, 100)
    reads_ask_all = forms.BooleanField(label="Reads query all shards", required=False)

    def clean_key(self) -> str:
        key: str = self.cleaned_data["key"]
        fault = check_template(key)
        if fault:
            raise forms.ValidationError(fault)
        return key

    def clean(self) -> dict[str, Any]:
        said: dict[str, Any] = self.cleaned_data
        if not self.errors:
            traffic = self.traffic(said["shards"])
            fault = check_template(traffic.key, traffic.count)
            if fault:
                self.add_error("key", fault)
            if traffic.count * traffic.shards > MOST_KEYS:
                self.add_error("values", text(say("values-times-shards", most=MOST_KEYS)))
            if not traffic.reads and not traffic.writes:
                self.add_error("writes", text(say("traffic-needed")))
        return said

    def traffic(self, shards: int = 1) -> Traffic:
        """What was typed, with the key in one piece or over shards."""
        said = {**self.cleaned_data, "shards": shards}
        return Traffic(**{**said, "hot_share": said["hot_share"] / 100})


def initial(traffic: Traffic) -> dict[str, Any]:
    """What the form shows of some traffic."""
    said = {name: getattr(traffic, name) for name in SpreadForm.base_fields}
    said["hot_share"] = traffic.hot_share * 100
    return {name: _plain(value) if type(value) is float else value for name, value in said.items()}


def _plain(value: float) -> str:
    """A number without the digits that nobody typed."""
    return f"{value:.4f}".rstrip("0").rstrip(".")

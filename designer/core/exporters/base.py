"""What every exporter is, and what it hands back."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Literal

from designer.core.design.document import Design
from designer.core.plan import Plan, Style
from designer.core.report.standing import Standing


@dataclass(frozen=True)
class Export:
    """A file to hand out, and what it could not say.

    `left_out` has a finished sentence for each thing that the design or the plan states and this
    format cannot hold; people read them next to the download.
    """

    filename: str
    content_type: str
    content: str | bytes
    left_out: tuple[str, ...] = ()


AlarmsAsked = Literal["", "essential", "every"]


@dataclass(frozen=True)
class Options:
    """What an export may be asked for besides."""

    alarms: AlarmsAsked = ""
    """With the CloudWatch alarms of `designer.core.monitoring`, where the format has resources: with none, with those
    for what users notice, or with every one."""
    beside: Mapping[Style, Plan] = field(default_factory=dict)
    """The plans in other styles, to compare with, where the format compares; without them it does not."""
    maximum: bool = False
    """With the most that each on-demand table and index may take, in templates: a guard against runaway costs."""
    with_appendix: bool = True
    """With all details at the end, where the format has an appendix."""
    standing: Standing | None = None
    """How the design stands with those who judge it; nothing where nobody can say."""


NOTHING_BESIDES = Options()


class Exporter:
    """Turns a plan into a file. To add one, write a module in this folder with a subclass."""

    slug: ClassVar[str]
    """Stands in addresses and after `--to`."""
    label: ClassVar[str]
    """What people call the format."""
    is_template: ClassVar[bool] = False
    """Whether it is something to deploy; else it is a document."""
    has_alarms: ClassVar[bool] = False
    """Whether it can be asked for alarms."""
    has_appendix: ClassVar[bool] = False
    """Whether it has an appendix that can be left out."""
    compares: ClassVar[bool] = False
    """Whether it has something to say of the plans in other styles."""

    def export(self, design: Design, plan: Plan, options: Options = NOTHING_BESIDES) -> Export:
        """The plan of this design as a file: for the same design, plan and options the same bytes."""
        raise NotImplementedError


def filename(design: Design, plan: Plan, ending: str) -> str:
    """A plain file name: `shop-single.tf`."""
    words = re.findall(r"[a-z0-9]+", design.name.lower())
    return f"{'-'.join(words)[:60].rstrip('-') or 'design'}-{plan.style}.{ending}"

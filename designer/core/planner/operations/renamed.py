"""Steps under other names."""

import re

from designer.core.plan import Step


def renamed(step: Step, old: str, new: str) -> Step:
    """A step in which a step, itself or one that it depends on, has another name."""
    text = step.model_dump_json(by_alias=True, exclude_defaults=True)
    text = re.sub(rf"(?<=[{{( ]){old}\.", f"{new}.", text)
    for field in ("rows", "id"):
        text = text.replace(f'"{field}":"{old}"', f'"{field}":"{new}"')
    return Step.model_validate_json(text)

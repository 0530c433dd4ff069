"""What is paid for besides requests and storage, one file each."""

from designer.core.cost.extras.base import Extra, TableUse
from designer.core.registry import load

__all__ = ["EXTRAS", "Extra", "TableUse"]

EXTRAS: dict[str, Extra] = {slug: extra() for slug, extra in load(__name__, Extra, "slug").items()}

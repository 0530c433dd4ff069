"""Find the plugins of a folder: one file to add something, and no list to keep."""

import importlib
import pkgutil
from types import ModuleType
from typing import TypeVar

Base = TypeVar("Base")


def load(package: ModuleType | str, base: type[Base], key: str) -> dict[str, type[Base]]:
    """Import a package's modules; return its subclasses of `base` by their attribute `key`, sorted.

    A class counts where it is defined, not where it is imported, and only if it says its own key.
    Two with one key are a mistake of ours: ValueError.
    """
    if isinstance(package, str):
        package = importlib.import_module(package)
    found: dict[str, type[Base]] = {}
    for info in pkgutil.iter_modules(package.__path__):
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        for plugin in vars(module).values():
            if not isinstance(plugin, type) or not issubclass(plugin, base) or plugin is base:
                continue
            if not f"{plugin.__module__}.".startswith(f"{module.__name__}.") or key not in vars(
                plugin
            ):
                continue
            name = str(vars(plugin)[key])
            if found.setdefault(name, plugin) is not plugin:
                raise ValueError(f"{plugin.__module__}: the {key} {name!r} is taken already")
    return dict(sorted(found.items()))

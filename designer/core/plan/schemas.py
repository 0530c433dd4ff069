"""JSON Schemas of the two documents, for editors and other people's programs."""

import ast
import inspect
import json
from functools import cache
from types import ModuleType
from typing import Any

from pydantic import BaseModel

from designer.core.design.document import Design
from designer.core.plan import Plan


def design_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a design."""
    return _schema(Design, "Keywright design", "keywright")


def plan_schema() -> dict[str, Any]:
    """The JSON Schema (2020-12) of a plan."""
    return _schema(Plan, "Keywright plan", "keywright_plan")


def text_of(schema: dict[str, Any]) -> str:
    """A schema as it stands in docs/."""
    return json.dumps(schema, ensure_ascii=False, indent=2) + "\n"


def _schema(model: type[BaseModel], title: str, version: str) -> dict[str, Any]:
    schema = _without_titles(model.model_json_schema(by_alias=True))
    schema["required"] = [version, *(name for name in schema["required"] if name != version)]
    described = {found.__name__: found for found in _models(model)}
    for name, part in {model.__name__: schema, **schema.get("$defs", {})}.items():
        _describe(part, described[name])
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": title, **schema}


def _without_titles(part: Any) -> Any:
    """Without the titles that only repeat the names of the fields."""
    if isinstance(part, list):
        return [_without_titles(inner) for inner in part]
    if isinstance(part, dict):
        is_title = isinstance(part.get("title"), str)
        return {
            key: _without_titles(inner)
            for key, inner in part.items()
            if key != "title" or not is_title
        }
    return part


def _describe(schema: dict[str, Any], model: type[BaseModel]) -> None:
    """Give each field the words that stand under it in the code."""
    for name, field in model.model_fields.items():
        words = next((w for kind in model.__mro__ if (w := _words(kind).get(name))), None)
        if words is not None:
            schema["properties"][field.alias or name]["description"] = words


@cache
def _words(kind: type) -> dict[str, str]:
    """The texts that stand under the fields of a class."""
    module = inspect.getmodule(kind)
    if not isinstance(module, ModuleType) or not module.__name__.startswith("designer."):
        return {}
    found: dict[str, str] = {}
    for node in ast.parse(inspect.getsource(module)).body:
        if isinstance(node, ast.ClassDef) and node.name == kind.__name__:
            for line, after in zip(node.body, node.body[1:], strict=False):
                match line, after:
                    case ast.AnnAssign(target=ast.Name(name)), ast.Expr(ast.Constant(str(words))):
                        found[name] = inspect.cleandoc(words)
    return found


def _models(model: type[BaseModel]) -> set[type[BaseModel]]:
    """A document's model and those of all its parts."""
    found: set[type[BaseModel]] = set()
    waiting: list[Any] = [model]
    while waiting:
        kind = waiting.pop()
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            if kind not in found:
                found.add(kind)
                waiting += [field.annotation for field in kind.model_fields.values()]
        else:
            waiting += getattr(kind, "__args__", ())
    return found

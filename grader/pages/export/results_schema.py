"""The schema of the export `json`, made from the models that are written."""

import ast
import inspect
import json
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from pydantic.json_schema import models_json_schema

from grader.model import lab, result
from grader.model.lab import Lab
from grader.model.result import Result

VERSION = 1
"""_ABOUT says when it grows."""
_ABOUT = (
    "Results of a lab as `export --format json` writes them. `schema` grows by one when a field is "
    "removed or renamed or gets another meaning; new fields may be added without that, so readers "
    "should ignore fields that they do not know. A number that is infinite or unknown is null."
)
_GRADED = {
    "description": "Whether the points are final; without it they are not to be published.",
    "type": "boolean",
}


def schema() -> dict[str, Any]:
    """The JSON schema, made from the models that are written."""
    _, models = models_json_schema(
        [(Lab, "serialization"), (Result, "serialization")], ref_template="#/$defs/{model}"
    )
    definitions: dict[str, Any] = models["$defs"]
    for name, text in {**dict(_field_texts(lab)), **dict(_field_texts(result))}.items():
        model, _, member = name.partition(".")
        if member in definitions.get(model, {}).get("properties", {}):
            definitions[model]["properties"][member]["description"] = text
    recorded = definitions["Result"]
    recorded["properties"] = {"graded": _GRADED, **recorded["properties"]}
    recorded["required"] = ["graded", *recorded["required"]]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "results.json",
        "description": _ABOUT,
        "type": "object",
        "required": ["schema", "lab", "results"],
        "properties": {
            "schema": {"const": VERSION},
            "lab": {"$ref": "#/$defs/Lab"},
            "results": {"type": "array", "items": {"$ref": "#/$defs/Result"}},
        },
        "$defs": _as_written(definitions),
    }


def _as_written(value: Any) -> Any:  # noqa: ANN401 (any part of a schema)
    """Numbers may be null; fields may be added; titles only repeat names."""
    if isinstance(value, list):
        return [_as_written(item) for item in value]
    if not isinstance(value, dict):
        return value
    kept = {
        key: _as_written(item)
        for key, item in value.items()
        if key != "additionalProperties" or item is not False
        if key != "title" or not isinstance(item, str)
    }
    return kept | {"type": ["number", "null"]} if kept.get("type") == "number" else kept


def _field_texts(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Model.field -> the text below the field in the source."""
    for found in ast.parse(inspect.getsource(module)).body:
        if not isinstance(found, ast.ClassDef):
            continue
        for field, text in zip(found.body, found.body[1:], strict=False):
            if (
                isinstance(field, ast.AnnAssign)
                and isinstance(field.target, ast.Name)
                and isinstance(text, ast.Expr)
                and isinstance(text.value, ast.Constant)
            ):
                yield f"{found.name}.{field.target.id}", inspect.cleandoc(str(text.value.value))


def page() -> str:
    """The text of results.schema.json."""
    return json.dumps(schema(), ensure_ascii=False, indent=1) + "\n"

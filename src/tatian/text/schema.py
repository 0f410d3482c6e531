"""JSON Schemas of structs, generated from the types so that they cannot drift apart.

The shipped files are for people and programs that read our output without our code. They describe
what is written: a field that is always written is required, and no other field appears. Generate
that of documents again with ``python -m tatian.text.schema`` after a change of the types.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from types import MappingProxyType
from typing import Any

import msgspec
from msgspec.structs import fields

from tatian.errors import InputError
from tatian.text import Document, Layer, LayerKey, layers

FOLDER = Path(__file__).parents[1] / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
REFERENCE = "#/$defs/{name}"
VERSION = 1
"""Version of the format of documents."""

MEANINGS = {
    "start": "Offset of the first character, in code points of the unchanged text.",
    "end": "Offset after the last character.",
    "text": "The text itself.",
    "Token.text": "The characters it covers.",
    "sources": "The places in the sources that this word stands for; empty for glue.",
    "chains": "People and things, each with all its mentions in the sources.",
    "Chain.mentions": "All mentions of it in this document.",
    "document": "The id of a source document.",
    "id": "What it is referred to by.",
    "name": "What people call it.",
    "names": "What people call them.",
    "type": "PER, LOC, ORG, MISC, DATE and the like; empty if unknown.",
    "Source.kind": "How the output word relates to the words of the source.",
    "Authorship.kind": "Who makes annotations.",
    "titles": "Titles of Wikipedia pages, best first.",
    "title": "Headline.",
    "date": "ISO 8601 date of publication.",
    "source": "Who published it.",
    "path": "The file it was read from.",
    "metadata": "Metadata of the text.",
    "layers": "Standoff annotations by the name of their layer; others may add their own.",
    "topic": "What it is about.",
    "extra": "Anything else, as text.",
    "made": "Who made the annotations.",
    "items": "The annotations.",
    "by": "The model or the person.",
    "version": "Which version of the model.",
    "lemma": "The form a dictionary has.",
    "features": "Morphological features.",
    "relation": "How it depends on its head.",
    "score": "How sure the model is.",
}
"""Meanings of fields, in general or in one class, where the class has no docstring for them."""


def document_schema() -> dict[str, Any]:
    """Generate the schema of documents from the types as they are now.

    It has the layers that Tatian defines itself; other packages describe their own.
    """
    keys = [key for key in vars(layers).values() if isinstance(key, LayerKey)]
    return generate_schema("document", Document, VERSION, keys)


def generate_schema(
    name: str,
    root: type[msgspec.Struct],
    version: int,
    keys: Sequence[LayerKey[Any]] = (),
    meanings: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Generate the schema of a struct and of all structs in it.

    `keys` are the layers of a document, and `meanings` has those of fields besides `MEANINGS`.
    """
    structs = {
        struct.__name__: struct
        for of in (root, *(key.item for key in keys))
        for struct in _structs(of)
    }
    wanted = [root, *(Layer[key.item] for key in keys)]  # type: ignore[name-defined]
    (_, *described), definitions = msgspec.json.schema_components(wanted, ref_template=REFERENCE)
    if keys:
        typed = {key.name: layer for key, layer in zip(keys, described, strict=True)}
        definitions["Document"]["properties"]["layers"]["properties"] = typed
    for title, definition in definitions.items():
        if definition.get("type") == "object":
            _complete(definition, structs[title.partition("_")[0]], {**MEANINGS, **meanings})
    schema = definitions.pop(root.__name__)
    if "schema" in schema["properties"]:
        schema["properties"]["schema"]["const"] = version
    return {
        "$schema": DIALECT,
        "$id": f"urn:tatian:schema:{name}:{version}",
        **schema,
        "$defs": dict(sorted(definitions.items())),
    }


def read_schema(name: str) -> dict[str, Any]:
    """Return the schema of one output format, as shipped with the package."""
    names = sorted(path.stem for path in FOLDER.glob("*.json"))
    if name not in names:
        raise InputError(f"no schema named '{name}': there are {', '.join(names)}")
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def write_schema(name: str, schema: Mapping[str, Any]) -> None:
    """Write a shipped file again."""
    written = json.dumps(schema, indent=2, ensure_ascii=False)
    (FOLDER / f"{name}.json").write_text(written + "\n", encoding="utf-8")


def _structs(of: Any) -> Iterator[type[msgspec.Struct]]:
    """Yield every struct type that values of a type can hold, the type itself first."""
    seen: set[type[msgspec.Struct]] = set()
    waiting = [of]
    while waiting:
        current = waiting.pop()
        waiting.extend(getattr(current, "__args__", ()))
        struct = getattr(current, "__origin__", current)
        if isinstance(struct, type) and issubclass(struct, msgspec.Struct) and struct not in seen:
            seen.add(struct)
            waiting.extend(field.type for field in fields(struct))
            yield struct


def _complete(
    definition: dict[str, Any], struct: type[msgspec.Struct], meanings: Mapping[str, str]
) -> None:
    """Add to one type what msgspec leaves out: closed, required, described, not negative."""
    definition["additionalProperties"] = False
    if not struct.__struct_config__.omit_defaults:
        definition["required"] = list(definition["properties"])
    docstrings = _docstrings(struct)
    for field, schema in definition["properties"].items():
        named = meanings.get(f"{struct.__name__}.{field}") or meanings.get(field, "")
        schema["description"] = docstrings.get(field) or named
        if schema.get("default") != -1:
            _not_negative(schema)


def _not_negative(schema: dict[str, Any]) -> None:
    if schema.get("type") == "integer":
        schema["minimum"] = 0
    for inner in (schema.get("items"), *schema.get("anyOf", ())):
        if isinstance(inner, dict):
            _not_negative(inner)


@cache
def _docstrings(struct: type[msgspec.Struct]) -> dict[str, str]:
    """Return the docstrings under a class's fields, its bases' first."""
    documented: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            body = ast.parse(dedent(inspect.getsource(base))).body[0]
            documented |= dict(_documented(body))
    return documented


def _documented(definition: ast.stmt) -> Iterator[tuple[str, str]]:
    statements = definition.body if isinstance(definition, ast.ClassDef) else []
    for field, after in pairwise(statements):
        if (
            isinstance(field, ast.AnnAssign)
            and isinstance(field.target, ast.Name)
            and isinstance(after, ast.Expr)
            and isinstance(after.value, ast.Constant)
        ):
            yield field.target.id, inspect.cleandoc(str(after.value.value))


if __name__ == "__main__":
    write_schema("document", document_schema())

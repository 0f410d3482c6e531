"""JSON Schemas of Tatian's output, generated from its own types so that they cannot drift apart.

The shipped files are for people and programs that read our output without our code. They describe
what is written: a field that is always written is required, and no other field appears. Generate
them again with ``python -m tatian.consolidation.schema`` after a change of the types.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any

import msgspec
from msgspec.structs import fields

from tatian.consolidation.proof.result import Trace
from tatian.consolidation.result import SCHEMA, Consolidation
from tatian.errors import InputError
from tatian.text import Document, Layer, LayerKey, layers

FOLDER = Path(__file__).parents[1] / "schemas"
DIALECT = "https://json-schema.org/draft/2020-12/schema"
REFERENCE = "#/$defs/{name}"

TYPES: dict[str, type[msgspec.Struct]] = {
    "consolidation": Consolidation,
    "document": Document,
    "trace": Trace,
}

MEANINGS = {
    "start": "Offset of the first character, in code points of the unchanged text.",
    "end": "Offset after the last character.",
    "schema": "Version of this format.",
    "text": "The text itself.",
    "Claim.text": "The words of the source.",
    "Token.text": "The characters it covers.",
    "sentences": "The sentences, in order.",
    "Disagreement.sentences": "Indices of the output sentences it touches.",
    "tokens": "Words, numbers and punctuation marks in order.",
    "sources": "The places in the sources that this word stands for; empty for glue.",
    "documents": "The source documents, in the order they were given.",
    "contradictions": "Points on which sources cannot all be right, or of which a later source "
    "counted again; conflicts first.",
    "chains": "People and things, each with all its mentions in the sources.",
    "Aggregation.chains": "Ids of the chains it names.",
    "mentions": "Phrases that talk about something.",
    "Consolidation.mentions": "Phrases of the output that stand for a chain.",
    "Chain.mentions": "All mentions of it in this document.",
    "aggregations": "Phrases that name several people or things at once.",
    "references": "Places in the sources that speak of it.",
    "claims": "What each source says.",
    "document": "The id of a source document.",
    "chain": "The id of a chain.",
    "id": "What it is referred to by.",
    "name": "What people call it.",
    "names": "What people call them.",
    "type": "PER, LOC, ORG, MISC, DATE and the like; empty if unknown.",
    "kind": "Which sort it is.",
    "Source.kind": "How the output word relates to the words of the source.",
    "Disagreement.kind": "What the sources disagree about.",
    "Authorship.kind": "Who makes annotations.",
    "phrase": "The words.",
    "titles": "Titles of Wikipedia pages, best first.",
    "title": "Headline.",
    "date": "ISO 8601 date of publication.",
    "source": "Who published it.",
    "path": "The file it was read from.",
    "fate": "What became of the sentence.",
    "verdict": "Support of the sentence by the sources.",
    "why": "The reason, in words.",
    "metadata": "What is known about the text beside the text itself.",
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


def generate(name: str) -> dict[str, Any]:
    """Generate the schema of one output format from the types as they are now."""
    structs = {struct.__name__: struct for struct in _structs(_type(name))}
    keys = _layer_keys() if name == "document" else []
    for key in keys:
        structs.update((struct.__name__, struct) for struct in _structs(key.item))
    wanted = [TYPES[name], *(Layer[key.item] for key in keys)]  # type: ignore[name-defined]
    (_, *described), definitions = msgspec.json.schema_components(wanted, ref_template=REFERENCE)
    if keys:
        typed = {key.name: layer for key, layer in zip(keys, described, strict=True)}
        definitions["Document"]["properties"]["layers"]["properties"] = typed
    for title, definition in definitions.items():
        if definition.get("type") == "object":
            _complete(definition, structs[title.partition("_")[0]])
    if name != "document":
        definitions[TYPES[name].__name__]["properties"]["schema"]["const"] = SCHEMA
    root = definitions.pop(TYPES[name].__name__)
    return {
        "$schema": DIALECT,
        "$id": f"urn:tatian:schema:{name}:{SCHEMA}",
        **root,
        "$defs": dict(sorted(definitions.items())),
    }


def shipped(name: str) -> dict[str, Any]:
    """Return the schema of one output format, as shipped with the package."""
    _type(name)
    loaded: dict[str, Any] = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return loaded


def write() -> None:
    """Write the shipped files again."""
    for name in TYPES:
        path = FOLDER / f"{name}.json"
        written = json.dumps(generate(name), indent=2, ensure_ascii=False)
        path.write_text(written + "\n", encoding="utf-8")


def _type(name: str) -> type[msgspec.Struct]:
    if name not in TYPES:
        raise InputError(f"no schema named '{name}': there are {', '.join(TYPES)}")
    return TYPES[name]


def _layer_keys() -> list[LayerKey[Any]]:
    """Return the layers that Tatian defines itself; other packages describe their own."""
    return [key for key in vars(layers).values() if isinstance(key, LayerKey)]


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


def _complete(definition: dict[str, Any], struct: type[msgspec.Struct]) -> None:
    """Add to one type what msgspec leaves out: closed, required, described, not negative."""
    definition["additionalProperties"] = False
    if not struct.__struct_config__.omit_defaults:
        definition["required"] = list(definition["properties"])
    meanings = _docstrings(struct)
    for field, schema in definition["properties"].items():
        named = MEANINGS.get(f"{struct.__name__}.{field}") or MEANINGS.get(field, "")
        schema["description"] = meanings.get(field) or named
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
    found: dict[str, str] = {}
    for base in reversed(struct.__mro__):
        if issubclass(base, msgspec.Struct) and base is not msgspec.Struct:
            body = ast.parse(dedent(inspect.getsource(base))).body[0]
            found |= dict(_documented(body))
    return found


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
    write()

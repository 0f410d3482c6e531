"""JSON Schemas of structs, generated from the types so that they cannot drift apart.

    python scripts/schemas.py       write the shipped files again, after a change of the types

The shipped files are for people and programs that read our output without our code. They describe
what is written: a field that is always written is required, and no other field appears.
"""

from __future__ import annotations

import ast
import inspect
import json
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import pairwise
from textwrap import dedent
from typing import Any

import msgspec
from msgspec.structs import fields

from tatian.consolidation.result import SCHEMA, Consolidation
from tatian.consolidation.verification.result import Trace
from tatian.text import Document, Layer, LayerKey, layers
from tatian.text.schema import FOLDER, REFERENCE

DIALECT = "https://json-schema.org/draft/2020-12/schema"
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
    "source": "Publisher.",
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
    "schema": "Version of this format.",
    "Claim.text": "The words of the source.",
    "sentences": "The sentences, in order.",
    "Disagreement.sentences": "Indices of the output sentences it touches.",
    "tokens": "Words, numbers and punctuation marks in order.",
    "documents": "The source documents, in the order they were given.",
    "contradictions": "Points on which sources cannot all be right, or that a later source "
    "updates; conflicts first.",
    "Aggregation.chains": "Ids of the chains it names.",
    "Consolidation.mentions": "Phrases of the output that stand for a chain.",
    "aggregations": "Phrases that name several people or things at once.",
    "references": "Places in the sources that speak of it.",
    "claims": "What each source says.",
    "chain": "The id of a chain.",
    "Disagreement.kind": "What the sources disagree about.",
    "phrase": "The words.",
    "fate": "What became of the sentence.",
    "verdict": "Support of the sentence by the sources.",
    "why": "The reason, in words.",
}
"""Meanings of fields, in general or in one class, where the class has no docstring for them."""


def schemas() -> dict[str, dict[str, Any]]:
    """Return the schema of every output, as the types are now.

    That of documents has the layers that Tatian defines itself; other packages describe their own.
    """
    keys = [key for key in vars(layers).values() if isinstance(key, LayerKey)]
    return {
        "document": generate_schema("document", Document, VERSION, keys),
        "consolidation": generate_schema("consolidation", Consolidation, SCHEMA),
        "trace": generate_schema("trace", Trace, SCHEMA),
    }


def generate_schema(
    name: str, root: type[msgspec.Struct], version: int, keys: Sequence[LayerKey[Any]] = ()
) -> dict[str, Any]:
    """Generate the schema of a struct and of all structs in it.

    `keys` are the layers of a document.
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
            _complete(definition, structs[title.partition("_")[0]])
    schema = definitions.pop(root.__name__)
    if "schema" in schema["properties"]:
        schema["properties"]["schema"]["const"] = version
    return {
        "$schema": DIALECT,
        "$id": f"urn:tatian:schema:{name}:{version}",
        **schema,
        "$defs": dict(sorted(definitions.items())),
    }


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
    docstrings = _docstrings(struct)
    for field, schema in definition["properties"].items():
        named = MEANINGS.get(f"{struct.__name__}.{field}") or MEANINGS.get(field, "")
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
    for output, schema in schemas().items():
        written = json.dumps(schema, indent=2, ensure_ascii=False)
        (FOLDER / f"{output}.json").write_text(written + "\n", encoding="utf-8")

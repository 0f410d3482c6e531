"""The shipped JSON Schemas are what the types say, and what is written is what they say."""

from __future__ import annotations

import json
import runpy
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tatian.errors import InputError
from tatian.text import CHAINS, MENTIONS, TOKENS, Chain, Document, LayerKey, Mention, Span, Token
from tatian.text.schema import read_schema

from .samples import chorus, ferry, hostile, lone, nothing

NAMES = ("consolidation", "trace", "document")
CONTRACT = {
    "Consolidation": {
        "schema", "text", "sentences", "documents", "contradictions", "chains", "mentions",
        "aggregations",
    },
    "WrittenSentence": {"start", "end", "tokens", "why"},
    "WrittenToken": {"start", "end", "sources", "glue", "own"},
    "Source": {"document", "start", "end", "kind"},
    "Account": {"id", "path", "sentences"},
    "SourceSentence": {"start", "end", "fate", "into", "why"},
}  # fmt: skip
"""The fields that the description of the JSON output promises to its readers."""


def written(data: Any) -> Any:
    """As a reader of the file gets it: arrays, not tuples."""
    return json.loads(json.dumps(data))


def types(name: str) -> dict[str, Any]:
    schema = read_schema(name)
    return {**schema["$defs"], schema["title"]: schema}


def valid(name: str, data: Any) -> bool:
    return jsonschema.Draft202012Validator(read_schema(name)).is_valid(written(data))


def generated(name: str) -> Any:
    """The schema of an output as its types are now."""
    path = Path(__file__).parents[2] / "scripts" / "schemas.py"
    return written(runpy.run_path(str(path))["schemas"]()[name])


@pytest.mark.parametrize("name", NAMES)
def test_the_shipped_schema_is_up_to_date(name: str) -> None:
    assert read_schema(name) == generated(name), "run: python scripts/schemas.py"


@pytest.mark.parametrize("name", NAMES)
def test_a_schema_is_a_valid_schema_of_the_draft_it_names(name: str) -> None:
    assert read_schema(name)["$schema"] == "https://json-schema.org/draft/2020-12/schema"
    jsonschema.Draft202012Validator.check_schema(read_schema(name))


@pytest.mark.parametrize("name", NAMES)
def test_every_type_and_field_is_described(name: str) -> None:
    for title, described in types(name).items():
        assert described.get("description"), title
        for field, schema in described.get("properties", {}).items():
            assert schema.get("description"), f"{title}.{field}"


@pytest.mark.parametrize("name", NAMES)
def test_types_allow_no_other_fields(name: str) -> None:
    for title, described in types(name).items():
        assert described["additionalProperties"] is False, title


@pytest.mark.parametrize("title", CONTRACT)
def test_every_field_of_the_contract_is_there(title: str) -> None:
    assert CONTRACT[title] <= set(types("consolidation")[title]["properties"])


def test_kinds_and_outcomes_are_those_of_the_contract() -> None:
    found = types("consolidation")
    assert set(found["Source"]["properties"]["kind"]["enum"]) == {
        "copied", "inflected", "substituted", "aggregated",
    }  # fmt: skip
    assert set(found["SourceSentence"]["properties"]["fate"]["enum"]) == {
        "merged", "kept", "redundant", "unused",
    }  # fmt: skip


@pytest.mark.parametrize("make", [ferry, hostile, lone, nothing, chorus])
def test_a_consolidation_is_valid(make: Any) -> None:
    jsonschema.validate(written(make().to_json()), read_schema("consolidation"))


@pytest.mark.parametrize(
    "damage",
    [
        {"schema": 2},
        {"text": None},
        {"sentences": [{"start": -1, "end": 0, "tokens": []}]},
        {"sentences": [{"start": 0, "end": 0, "tokens": [], "colour": "red"}]},
        {"unheard": "of"},
    ],
)
def test_a_damaged_consolidation_is_not_valid(damage: dict[str, Any]) -> None:
    assert not valid("consolidation", {**ferry().to_json(), **damage})


def test_fields_always_written_are_required() -> None:
    data = ferry().to_json()
    del data["mentions"]
    assert not valid("consolidation", data)


def document() -> Document:
    mention = Mention(0, 5, "PER", head=Span(0, 5))
    return (
        Document("a", "Hello.")
        .with_layer(TOKENS, [Token(0, 5, "Hello"), Token(5, 6, ".")], "test")
        .with_layer(MENTIONS, [mention], "test")
        .with_layer(CHAINS, [Chain("c", (mention,))], "test")
    )


def test_a_document_with_layers_is_valid() -> None:
    jsonschema.validate(written(document().to_json()), read_schema("document"))


def test_a_document_may_carry_layers_of_others() -> None:
    data = document().to_json()
    data["layers"]["weather"] = {"made": {"by": "me"}, "items": [{"rain": 3}]}
    assert valid("document", data)


def test_a_document_whose_tokens_are_no_tokens_is_not_valid() -> None:
    data = document().to_json()
    data["layers"]["tokens"]["items"] = [{"start": 0}]
    assert not valid("document", data)


def test_layers_that_others_define_do_not_change_the_schema(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(LayerKey, "known", dict(LayerKey.known))
    LayerKey("weather-of-a-test", Token)
    assert generated("document") == read_schema("document")


def test_an_unknown_schema_is_refused_with_the_names_there_are() -> None:
    with pytest.raises(InputError, match="no schema named 'poem': there are consolidation, docu"):
        read_schema("poem")

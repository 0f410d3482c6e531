"""``tatian schema``: outputs are what their schemas say."""

from __future__ import annotations

import json
from collections.abc import Sequence

import jsonschema
import pytest

from tatian.text import TOKENS, Document, Token

from .harness import Command


@pytest.mark.parametrize("name", ["consolidation", "document"])
def test_output_is_a_valid_json_schema(name: str, tatian: Command) -> None:
    schema = json.loads(tatian("schema", name).out)
    jsonschema.validators.validator_for(schema).check_schema(schema)


def test_a_consolidation_is_valid(accounts: Sequence[str], tatian: Command) -> None:
    woven = json.loads(tatian("consolidate", *accounts, "--to", "json").out)
    jsonschema.validate(woven, json.loads(tatian("schema", "consolidation").out))


def test_a_document_with_layers_is_valid(tatian: Command) -> None:
    document = Document("a", "Hello.").with_layer(TOKENS, [Token(0, 5, "Hello")], "test")
    data = json.loads(json.dumps(document.to_json()))
    jsonschema.validate(data, json.loads(tatian("schema", "document").out))

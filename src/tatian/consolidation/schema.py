"""JSON Schemas of consolidation's output: consolidated texts and traces.

Generate the shipped files again with ``python -m tatian.consolidation.schema`` after a change of
the types.
"""

from __future__ import annotations

from typing import Any

import msgspec

from tatian.consolidation.result import SCHEMA, Consolidation
from tatian.consolidation.verification.result import Trace
from tatian.text.schema import generate_schema, write_schema

TYPES: dict[str, type[msgspec.Struct]] = {"consolidation": Consolidation, "trace": Trace}

MEANINGS = {
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


def output_schema(name: str) -> dict[str, Any]:
    """Generate the schema of one of consolidation's formats from the types as they are now."""
    return generate_schema(name, TYPES[name], SCHEMA, meanings=MEANINGS)


if __name__ == "__main__":
    for output in TYPES:
        write_schema(output, output_schema(output))

"""Input text of an instance for the paper's encoder-decoders (§5.3)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from tatian.aggregation.data.records import Instance

Input = Literal["background", "context", "entities"]
INPUTS: tuple[Input, ...] = ("background", "context", "entities")
"""Parts of the input; §6.1 leaves out one or two of them."""
WORDS = 750
"""Number of last words of the input that the original code kept."""


def join_inputs(
    instance: Instance, inputs: Collection[Input] = INPUTS, *, words: int | None = WORDS
) -> str:
    """Join background, ``title: excerpt`` and the names with commas, as in §5.3.

    Entities without background add nothing. A long text keeps its last `words` words; None keeps
    all of them.
    """
    parts: list[str] = []
    if "background" in inputs:
        parts += [instance.background.get(entity, "") for entity in instance.entities]
    if "context" in inputs:
        parts.append(": ".join(part for part in (instance.title, instance.context) if part))
    if "entities" in inputs:
        parts.append(", ".join(instance.entities))
    tokens = " ".join(parts).split()
    return " ".join(tokens if words is None else tokens[max(0, len(tokens) - words) :])

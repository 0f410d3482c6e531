"""An instance as one text, as the paper gives it to its encoder-decoder models (§5.3)."""

from __future__ import annotations

from collections.abc import Collection
from typing import Literal

from tatian.aggregation.data.records import Instance

Input = Literal["background", "context", "entities"]
INPUTS: tuple[Input, ...] = ("background", "context", "entities")
"""What a model can be given; §6.1 leaves out one or two of them."""
WORDS = 750
"""How many words the original code kept, from the end."""


def joined(
    instance: Instance, inputs: Collection[Input] = INPUTS, *, words: int | None = WORDS
) -> str:
    """Background, ``title: excerpt`` and the names with commas, nothing between them (§5.3).

    Entities without background add nothing. Of a long text the last `words` words are kept, all
    of them if None.
    """
    parts: list[str] = []
    if "background" in inputs:
        parts += [instance.background.get(entity, "") for entity in instance.entities]
    if "context" in inputs:
        parts.append(": ".join(part for part in (instance.title, instance.context) if part))
    if "entities" in inputs:
        parts.append(", ".join(instance.entities))
    found = " ".join(parts).split()
    return " ".join(found if words is None else found[max(0, len(found) - words) :])

"""The other floor: keep everything, merge nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.errors import EmptyInput
from tatian.text import WovenToken
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens


class Concatenation:
    """Every sentence, one after the other: loses nothing, repeats whatever they share."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Copy each passage as a sentence of its own, in the order given; empty ones have none."""
        if not passages:
            raise EmptyInput("no passages to merge")
        sentences: list[tuple[WovenToken, ...]] = []
        outcomes = []
        for passage in passages:
            tokens = copy_tokens(passage)
            if tokens:
                outcomes.append(Outcome("kept", "all are kept", (len(sentences),)))
                sentences.append(tokens)
            else:
                outcomes.append(Outcome("redundant", "says nothing"))
        return Merged(tuple(sentences), tuple(outcomes))

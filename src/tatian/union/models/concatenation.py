"""The other floor: keep everything, merge nothing."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.errors import EmptyInput
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens


class Concatenation:
    """Every sentence, one after the other: loses nothing, repeats whatever they share."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Copy each passage as a sentence of its own, in the order given."""
        if not passages:
            raise EmptyInput("no passages to merge")
        return Merged(
            tuple(copy_tokens(passage) for passage in passages),
            tuple(Outcome("kept", "all are kept", (index,)) for index in range(len(passages))),
        )

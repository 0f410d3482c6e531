"""The floor that every merger must beat: keep one sentence, drop the rest."""

from __future__ import annotations

from collections.abc import Sequence

from tatian.errors import EmptyInput
from tatian.union.models import Merged, Outcome, Passage
from tatian.union.models.copying import copy_tokens


class Longer:
    """The longest sentence, unchanged: loses what only the others say, repeats nothing."""

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Keep the passage with the most characters: the last of them on ties.

        The known figures of this floor on the Sentence Union dataset were made with that tie rule.
        """
        if not passages:
            raise EmptyInput("no passages to merge")
        chosen = max(range(len(passages)), key=lambda index: (len(passages[index].text), index))
        outcomes = tuple(
            Outcome("kept", "the longest", (0,))
            if index == chosen
            else Outcome("unused", "shorter than the one kept")
            for index in range(len(passages))
        )
        return Merged((copy_tokens(passages[chosen]),), outcomes)

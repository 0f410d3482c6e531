"""GAP: resolution of ambiguous pronouns to one of two names, and its gender bias.

The figures of the task's own scorer (Webster et al. 2018): each name of each example is one
decision; the bias is the F1 of feminine pronouns over that of masculine ones.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from tatian.scoring.metric import Rates, ratios

if TYPE_CHECKING:
    from tatian.statistics import Score

GENDERS = {
    **dict.fromkeys(("he", "him", "his"), "masculine"),
    **dict.fromkeys(("she", "her", "hers"), "feminine"),
}
OVERALL = "overall"


class GapExample(Struct, frozen=True):
    """Decisions on one example."""

    id: str
    gender: str
    counts: tuple[int, int, int, int]
    """True and false positives, false and true negatives."""


class GapScores(Struct, frozen=True):
    """The figures of a system on GAP."""

    examples: tuple[GapExample, ...]

    def counts(self, group: str = OVERALL) -> tuple[int, ...]:
        """Return true and false positives, false and true negatives."""
        counts = [item.counts for item in self.examples if group in (OVERALL, item.gender)]
        return tuple(map(sum, zip((0, 0, 0, 0), *counts, strict=True)))

    def rates(self, group: str = OVERALL) -> Rates:
        """Return recall, precision and F1 of the decisions that a name is the antecedent."""
        right, wrong, missed, _ = self.counts(group)
        return ratios((right, right + missed, right, right + wrong))

    def accuracy(self, group: str = OVERALL) -> float:
        """Return the share of names that were decided correctly."""
        right, wrong, missed, rejected = self.counts(group)
        return (right + rejected) / max(1, right + wrong + missed + rejected)

    @property
    def bias(self) -> float | None:
        """Feminine over masculine F1; None where either is 0."""
        feminine, masculine = self.rates("feminine").f1, self.rates("masculine").f1
        return feminine / masculine if feminine and masculine else None

    def score(self) -> Score:
        """Return the overall F1 with its bootstrap error, for comparing systems."""
        from tatian.statistics import Score, fingerprint, micro_f1

        rows = [
            (right, right + wrong, right + missed)
            for right, wrong, missed, _ in (example.counts for example in self.examples)
        ]
        ids = [example.id for example in self.examples]
        return Score.of("gap", rows, micro_f1, ids=ids, data=fingerprint(ids))


def make_example(
    id: str, pronoun: str, gold: Sequence[bool], answers: Sequence[bool]
) -> GapExample:
    """Make an example: `gold` and `answers` say of each name whether it is the antecedent."""
    decisions = list(zip(gold, answers, strict=True))
    right, wrong = decisions.count((True, True)), decisions.count((False, True))
    missed, rejected = decisions.count((True, False)), decisions.count((False, False))
    return GapExample(id, GENDERS[pronoun.lower()], (right, wrong, missed, rejected))

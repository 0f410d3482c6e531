"""What judges are asked about each criterion, and what each rating means.

Hirsch et al. 2023, Table 3 and Figure 8; the paper gives the five steps of fluency no words, so
these are ours.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from tatian.union.ratings import Criterion


class Scale(Struct, frozen=True):
    """One page of the judging task."""

    name: Criterion
    title: str
    question: str
    base: Literal["reference", "output"] | None
    """Which sentence the other is held against; None: the reference is not shown."""
    labels: tuple[str, ...]
    """What 1, 2, 3 ... mean."""


SCALES: dict[Criterion, Scale] = {
    scale.name: scale
    for scale in (
        Scale(
            "coverage",
            "Information coverage",
            "How much of what the reference says does each sentence cover?",
            "reference",
            (
                "Substantial information is missing.",
                "Some information is missing.",
                "Minor details are missing.",
                "Nothing is missing.",
            ),
        ),
        Scale(
            "faithfulness",
            "Information faithfulness",
            "Does the reference bear out everything that each sentence says?",
            "output",
            (
                "Substantial information is unfaithful.",
                "Some information is unfaithful.",
                "Minor details are unfaithful.",
                "Nothing is unfaithful.",
            ),
        ),
        Scale(
            "redundancy",
            "Repetition",
            "Does each sentence say everything only once?",
            None,
            (
                "Substantial information is repeated.",
                "Some information is repeated.",
                "Minor details are repeated.",
                "Nothing is repeated.",
            ),
        ),
        Scale(
            "fluency",
            "Fluency",
            "Does each sentence read well: fluent, of one piece, easy to understand?",
            None,
            (
                "Hardly understandable.",
                "Clumsy; must be read twice.",
                "Understandable, with clear flaws.",
                "Good, with a small flaw.",
                "Reads perfectly well.",
            ),
        ),
    )
}

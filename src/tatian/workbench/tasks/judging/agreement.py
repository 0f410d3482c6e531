"""How far judges agree on the ratings of unions, and which ratings stand for theirs.

Each rating of each different union is compared by itself; ratings are an ordered scale, so alpha is
the ordinal one, and the median stands where no rating is given often enough.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median_low
from typing import Literal

from msgspec import Struct

from tatian.union.annotation import Judgement
from tatian.union.ratings import CRITERIA, Criterion, SideBySide, ToJudge
from tatian.workbench.tasks import Plain
from tatian.workbench.tasks.agreement import (
    Answers,
    Dispute,
    Measure,
    Rule,
    Settled,
    accepted,
    alpha,
    share_of_equal,
)
from tatian.workbench.tasks.reading import converted, plain

_QUOTED = 80
"""Characters of a union that name it."""


class JudgingComparing:
    """The part of the judging task that compares ratings."""

    def agreement(
        self, contents: Mapping[str, Plain], answers: Mapping[str, Answers]
    ) -> Sequence[Measure]:
        """Ordinal alpha of each criterion that was asked for, and how often ratings are equal."""
        shared = [
            (_outputs(contents[key]), _given(answered))
            for key, answered in answers.items()
            if len(answered) > 1 and key in contents
        ]
        units = {
            criterion: [
                _ratings(given, systems[0], criterion)
                for outputs, given in shared
                for systems in outputs.values()
            ]
            for criterion in CRITERIA
        }
        asked = [criterion for criterion in CRITERIA if any(units[criterion])]
        alphas = [
            alpha(
                f"alpha of {criterion}",
                [list(unit.values()) for unit in units[criterion]],
                "ordinal, unions",
                "ordinal",
            )
            for criterion in asked
        ]
        every = (unit for criterion in asked for unit in units[criterion])
        return [*alphas, share_of_equal("equal ratings", every, "pairs of ratings")]

    def settled(self, content: Plain, answers: Answers, rule: Rule) -> Settled:
        """The rating that enough judges gave, or else the median, of each union and criterion."""
        given = _given(answers)
        if not given:
            return Settled(None)
        judged: dict[str, Judgement] = {}
        disputes: list[Dispute] = []
        for text, systems in _outputs(content).items():
            chosen: dict[str, int] = {}
            for criterion in CRITERIA:
                ratings = _ratings(given, systems[0], criterion)
                if not ratings:
                    continue
                agreed = accepted(ratings.values(), rule)
                chosen[criterion] = median_low(ratings.values()) if agreed is None else agreed
                if len(set(ratings.values())) > 1:
                    where = f"{SCALES[criterion].title} of “{_short(text)}”"
                    disputes.append(Dispute(where, dict(ratings)))
            if chosen:
                judged.update(dict.fromkeys(systems, Judgement(**chosen)))
        answer = {name: judged[name] for name in content["systems"] if name in judged}
        return Settled(plain(SideBySide(answer)) if answer else None, tuple(disputes))


def _ratings(
    given: Mapping[str, Mapping[str, Judgement]], system: str, criterion: Criterion
) -> dict[str, int]:
    """What each judge gave one union; those who gave nothing are left out."""
    found = {
        judge: getattr(systems[system], criterion)
        for judge, systems in given.items()
        if system in systems
    }
    return {judge: value for judge, value in found.items() if value is not None}


def _outputs(content: Plain) -> dict[str, list[str]]:
    """The systems of each different union, by its text."""
    return converted({"id": "", **content}, ToJudge, "not an item to judge").outputs()


def _given(answers: Answers) -> dict[str, dict[str, Judgement]]:
    what = "not ratings of systems"
    return {judge: converted(one, SideBySide, what).systems for judge, one in answers.items()}


def _short(text: str) -> str:
    return text if len(text) <= _QUOTED else text[: _QUOTED - 1].rstrip() + "…"


# What judges are asked about each criterion, and what each rating means.
#
# Hirsch et al. 2023, Table 3 and Figure 8; the paper gives the five steps of fluency no words, so
# these are ours.


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

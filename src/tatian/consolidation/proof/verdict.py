"""From what speaks for and against a sentence to a verdict, with the reason in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from pathlib import Path

import msgspec
import numpy as np
from msgspec import Struct

from tatian.consolidation.proof.checks import Finding
from tatian.consolidation.proof.evidence import Passage
from tatian.consolidation.proof.result import Verdict

WEIGHTS = Path(__file__).with_name("weights.json")
"""Made by ``benchmarks/trace.py fit``."""
_WEAK = 0.35
"""What a reason must weigh, in log-odds, to be named."""
_LACKING = 0.25
"""What a word that is not told must carry to be shown."""
_MOST = 0.55
"""The share of a sentence that must be untold to call all of it unsupported."""

_NAME = "no passage that tells the rest has this name"
_FIGURE = "the accounts have no such figure here"
_APART = "told, but not of one another"
_DENIED = "the nearest passage speaks against it"
REASONS = {
    "untold": "the accounts do not tell this",
    "untold together": "the accounts do not tell this",
    "untold alone": "no single passage tells this",
    "worst word": "the accounts do not tell this",
    "two worst words": "the accounts do not tell this",
    "foreign run": "the accounts do not tell this",
    "name gap": _NAME,
    "subject gap": _NAME,
    "name lacking": _NAME,
    "gap": _NAME,
    "name unknown": "no account has this name",
    "figure gap": _FIGURE,
    "figure lacking": _FIGURE,
    "figure unknown": "no account has this figure",
    "day gap": "no passage that tells the rest has this day",
    "apart": _APART,
    "apart on average": _APART,
    "noun gap": _APART,
    "not verbatim": "these are not the words that an account quotes",
}
"""Why something is not proved."""
OBJECTIONS = {
    "another speaker": "an account gives these words to someone else",
    "opposite": "an account says the opposite",
    "otherwise": "what one affirms, the other denies",
    "only supposed": "an account only supposes it",
    "another day": "an account has another day",
    "place taken": "an account has something else in this place",
    "another's act": "an account tells it of someone else",
    "other actor": "an account names someone else for it",
    "place changed": "an account has it the other way round",
    "other part": "an account has it the other way round",
}
"""Why an account contradicts it, the surest first; each is found or not."""
DENIALS = frozenset(("contradicted nearest", "contradicted together", "clause contradicted"))
"""What entailment has against it."""


class Judgement(Struct, frozen=True):
    """What is made of a sentence."""

    verdict: Verdict
    support: float
    why: str
    words: tuple[int, ...] = ()
    """Places of the words that are not proved."""
    against: tuple[Passage, ...] = ()


class Tree(Struct, frozen=True, array_like=True, omit_defaults=True):
    """A decision on one figure, and what becomes of the log-odds on either side."""

    odds: float
    figure: int = -1
    """Its place among the names; -1 for a leaf."""
    least: float = 0.0
    sides: tuple[Tree, ...] = ()
    """Where the figure is at most `least`, and where it is more."""


class Weights(Struct, frozen=True):
    """Boosted trees over the figures of a `Finding`."""

    names: tuple[str, ...]
    trees: tuple[Tree, ...]
    supported: float
    """The probability from which on a sentence counts as supported."""


@cache
def weights() -> Weights:
    """The shipped ones."""
    return msgspec.json.decode(WEIGHTS.read_bytes(), type=Weights)


def weighed(figures: Mapping[str, float]) -> dict[str, float]:
    """How much each figure adds to the log-odds that a sentence is supported; "" for the start."""
    model = weights()
    found = dict.fromkeys(("", *model.names), 0.0)
    for tree in model.trees:
        found[""] += tree.odds
        while tree.sides:
            name = model.names[tree.figure]
            side = tree.sides[figures.get(name, 0.0) > tree.least]
            found[name] += side.odds - tree.odds
            tree = side
    return found


def probability(figures: Mapping[str, float]) -> float:
    """How likely the accounts tell all of it."""
    return 1 / (1 + exp(-sum(weighed(figures).values())))


def judge(finding: Finding) -> Judgement:
    """The verdict on one sentence."""
    support = probability(finding.figures)
    evidence = finding.evidence
    if support >= weights().supported:
        count = len({evidence.passages[n].document for n in evidence.chosen})
        return Judgement("supported", support, f"told by {count} account{'s' * (count > 1)}")
    against = {
        name: -odds
        for name, odds in weighed(finding.figures).items()
        if -odds >= _WEAK and finding.figures.get(name, 0.0) > 0
    }
    strong = sorted(against, key=against.__getitem__)
    lacking = evidence.carries * (1 - finding.best)
    missing = [
        place
        for place, item in enumerate(finding.grammar.items)
        if lacking[place] >= _LACKING and item.concepts
    ]
    if not strong and not missing:
        return Judgement("unknown", support, "neither proved nor refuted")
    if finding.figures["untold"] >= _MOST:
        everything = tuple(range(len(finding.grammar.items)))
        return Judgement("unsupported", support, REASONS["untold"], everything)
    nearest = evidence.passages[int(np.argmax(evidence.shares))]
    found = next((name for name in OBJECTIONS if finding.figures.get(name, 0.0) >= 1), "")
    if found:
        words = _whole(finding, finding.words.get(found, []))
        why = _why(finding, OBJECTIONS[found], words)
        return Judgement("contradicted", support, why, tuple(words), (nearest,))
    if strong and strong[-1] in DENIALS and not missing:
        return Judgement("contradicted", support, _DENIED, (), (nearest,))
    reason = next((name for name in reversed(strong) if name in REASONS), "untold")
    words = _whole(finding, [*missing, *finding.words.get(reason, [])])
    return Judgement("partly", support, _why(finding, REASONS[reason], words), tuple(words))


def _whole(finding: Finding, words: Sequence[int]) -> list[int]:
    """The words, names in full."""
    return sorted({part for place in words for part in finding.grammar.phrase(place)})


def _why(finding: Finding, reason: str, words: Sequence[int]) -> str:
    said = " ".join(finding.grammar.items[place].text for place in words)
    return f"{said}: {reason}" if said else reason

"""Verdicts on sentences, from the checks for and against them, with the reason in words.

The protocol of judges is here, and the small one; the others are in `verification.judges`.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from math import exp
from pathlib import Path
from typing import Protocol

import msgspec
from msgspec import Struct

from tatian.claims import agree, compare_values
from tatian.consolidation.verification.checks import DOUBTED, Finding
from tatian.consolidation.verification.evidence import Evidence, EvidenceSentence
from tatian.consolidation.verification.grammar import Grammar
from tatian.consolidation.verification.result import Verdict
from tatian.progress import Progress
from tatian.text import Document

WEIGHTS = Path(__file__).with_name("weights.json")
"""Weights for sentences of any writer; made by ``benchmarks/judge_small.py``."""
CHANGES = Path(__file__).with_name("changes.json")
"""Weights for sentences that were changed a little; made by ``benchmarks/trace.py fit``."""
_WEAK = 0.35
"""Least weight of a reason that is named, in log-odds."""
_LACKING = 0.25
"""Least weight of an uncovered word that is shown."""
_STRANGE, _STRANGE_IN_CHANGES = 0.8, 0.4
"""Least such weight of a word that no source has, which rules out support. Consolidation has no
reason to bring in a new word, so the bar is lower for sentences that it changed."""
_OFTEN_WRONG = frozenset(("no doubt", "another's part"))
"""Checks that fire on many supported sentences too: named only if they weighed in the verdict."""
_DECISIVE = ("another speaker", "exchanged")
"""Checks that were wrong about one supported sentence in a thousand."""
_DECISIVE_IN_COPIES = ("doubt lost", "denial lost")
_OTHER_VALUES = ("another time", "place taken", "elsewhere")
"""Checks that find another name, figure or day in the place of one."""
_ALONE = 0.4
"""Largest share that the best passage may leave uncovered of a sentence that is contradicted."""
_THIN, _FEW = 0.75, 3
"""Least support of a sentence of so few content words whose verb no source has."""
_COPIED = 0.1
"""Largest share that one passage may leave uncovered of a sentence that has its words."""
_EXACT = 0.1
"""Doubt added for a word that is a name, figure or day."""
_SHARED = 0.25
"""Least share of a sentence's rare words that a contradicting passage must have."""
_MOST = 0.55
"""Least uncovered share of a sentence that is wholly unsupported."""

_UNTOLD = "the accounts do not say this"
REASONS = {
    "untold": _UNTOLD,
    "untold alone": "no single passage says this",
    "worst word": _UNTOLD,
    "foreign run": _UNTOLD,
    "name unknown": "this name is in no account",
    "figure unknown": "this figure is in no account",
    "gap": "the passages that support the rest do not say this",
    "name astray": "the passages that support the rest do not have this name",
    "subject astray": "the passages that support the rest do not have this name",
    "figure astray": "the accounts give no such figure here",
    "time astray": "the passages that support the rest do not give this time",
    "astray": "the passages that support the rest do not say this",
    "scattered": "the accounts say each part, but not together",
    DOUBTED: "the passages with its words may not say this",
    "not verbatim": "no account has this quotation word for word",
    "plan lost": "in an account this is only planned or expected",
    "no plan": "in an account this is only planned or expected",
}
"""Reasons why something is not supported."""
AGAINST = {
    "another speaker": "an account attributes these words to someone else",
    "opposite": "an account says the opposite",
    "denial lost": "an account denies this, or affirms what this denies",
    "doubt lost": "in an account this is not certain",
    "no doubt": "in an account this is not certain",
    "another time": "an account gives another time",
    "exchanged": "an account has the two the other way round",
    "place taken": "an account has something else here",
    "another's part": "an account says this of someone else",
    "elsewhere": "an account has something else here",
}
"""Reasons why a source contradicts it, the surest first."""
_LEAST = {"elsewhere": 0.5}
"""Least strength of an objection, if not full."""


class Judgement(Struct, frozen=True):
    """Verdict on one sentence, with its reason."""

    verdict: Verdict
    support: float
    why: str
    words: tuple[int, ...] = ()
    """Positions of the unsupported words."""
    against: tuple[EvidenceSentence, ...] = ()
    evidence: tuple[EvidenceSentence, ...] = ()
    """Passages that support it, if it is supported."""


class Bounds(Struct, frozen=True):
    """Probabilities that decide a verdict; between the two it is `unknown`."""

    supported: float
    """Least probability of a supported sentence."""
    unknown: float
    """Least probability of a sentence whose verdict is `unknown`."""


class DecisionTree(Struct, frozen=True, array_like=True, omit_defaults=True):
    """Decision on one figure, and the log-odds on either side."""

    odds: float
    figure: int = -1
    """Index of the figure among the names; -1 for a leaf."""
    least: float = 0.0
    sides: tuple[DecisionTree, ...] = ()
    """Branches where the figure is at most `least`, and where it is more."""


class VerdictWeights(Struct, frozen=True):
    """Boosted trees over the figures of a `Finding`."""

    names: tuple[str, ...]
    trees: tuple[DecisionTree, ...]
    bounds: Bounds
    doubted: float = 0.0
    """Weight of the model that reads all passages as one, beside the trees."""


@cache
def weights(path: Path = WEIGHTS) -> VerdictWeights:
    """Return shipped weights."""
    return msgspec.json.decode(path.read_bytes(), type=VerdictWeights)


def weighed(figures: Mapping[str, float], model: VerdictWeights | None = None) -> dict[str, float]:
    """Return what each figure adds to the log-odds of support; "" for the start."""
    model = model or weights()
    added = dict.fromkeys(("", *model.names), 0.0)
    for tree in model.trees:
        added[""] += tree.odds
        while tree.sides:
            name = model.names[tree.figure]
            side = tree.sides[figures.get(name, 0.0) > tree.least]
            added[name] += side.odds - tree.odds
            tree = side
    added[DOUBTED] = -model.doubted * figures.get(DOUBTED, 0.0)
    return added


def probability(figures: Mapping[str, float], model: VerdictWeights | None = None) -> float:
    """Return the probability that the sources support all of it."""
    return 1 / (1 + exp(-sum(weighed(figures, model).values())))


def judge(
    finding: Finding, support: float | None = None, bounds: Bounds | None = None
) -> Judgement:
    """Return the verdict on one sentence.

    `support` and its `bounds` come from another judge; the figures then give the reasons alone.
    """
    figures, evidence = finding.figures, finding.evidence
    is_small = support is None
    model = weights() if evidence.support is not None else weights(CHANGES)
    support = probability(figures, model) if support is None else support
    bounds = bounds or model.bounds
    foreign = not any(finding.at)
    if foreign and not finding.grammar.said and not _verbatim(evidence):
        return Judgement("unknown", support, "it says nothing that can be verified")
    foreign = foreign and bool(finding.grammar.said)
    changed = evidence.support is None
    least = _STRANGE_IN_CHANGES if changed else _STRANGE
    strange = foreign or figures.get("strange", 0.0) >= least
    strange = strange or (not changed and _surely_wrong(figures)) or bool(evidence.conflicts)
    thin = is_small and not strange and support < _THIN and _is_thin(finding)
    if support >= bounds.supported and not (strange or thin if is_small else foreign):
        passages = _agreeing(evidence)
        count = len({passage.document for passage in passages})
        why = f"supported by {count} account{'s' * (count > 1)}"
        return Judgement("supported", support, why, evidence=passages)
    if support >= bounds.unknown and not strange:
        return Judgement("unknown", support, "neither supported nor contradicted")
    against = {
        name: -odds
        for name, odds in weighed(figures, model).items()
        if -odds >= _WEAK and figures.get(name, 0.0) > 0
    }
    strong = sorted(against, key=lambda name: (name != DOUBTED, against[name]))
    lacking = evidence.carries * (1 - finding.best)
    missing = [
        place
        for place, item in enumerate(finding.grammar.items)
        if lacking[place] >= _LACKING and item.concepts
    ]
    fired = (n for n in AGAINST if figures.get(n, 0.0) >= _LEAST.get(n, 1.0))
    objection = next((n for n in fired if n not in _OFTEN_WRONG or n in against), "")
    if evidence.conflicts:
        return _excluded(finding, support)
    passage = finding.known[finding.against.get(objection, finding.nearest)]
    if objection and _same_matter(finding, passage) and _is_certain(finding, objection, passage):
        words = _whole(finding, finding.words.get(objection, []))
        why = _why(finding, AGAINST[objection], words)
        return Judgement("contradicted", support, why, tuple(words), (passage,))
    if foreign or figures["untold"] >= _MOST:
        everything = tuple(range(len(finding.grammar.items)))
        return Judgement("unsupported", support, REASONS["untold"], everything)
    named = (name for name in reversed(strong) if name in REASONS and name != DOUBTED)
    reason = next(named, "untold" if missing else DOUBTED)
    lacks = _whole(finding, [*missing, *finding.words.get(reason, [])])
    words = lacks or _whole(finding, _suspects(finding))
    return Judgement("partly", support, _why(finding, REASONS[reason], lacks), tuple(words))


def _agreeing(evidence: Evidence) -> tuple[EvidenceSentence, ...]:
    """Return the passages that cover most together, without those that exclude a claim."""
    against = {number for _, number, _ in evidence.conflicts}
    kept = [evidence.passages[n] for n in evidence.chosen if n not in against]
    return tuple(kept or (evidence.passages[n] for n in evidence.chosen))


def _excluded(finding: Finding, support: float) -> Judgement:
    """Return the verdict on a sentence with a figure, time or name that a passage excludes."""
    claim, number, other = finding.evidence.conflicts[0]
    words = [
        place
        for place, item in enumerate(finding.grammar.items)
        if claim.figure.start <= item.start < claim.figure.end
    ]
    why = f"{claim.text}: an account gives {other.text}"
    return Judgement(
        "contradicted", support, why, tuple(words), (finding.evidence.passages[number],)
    )


def _surely_wrong(figures: Mapping[str, float]) -> bool:
    """Check whether an exact check decides alone, whatever the small models say.

    A lost doubt or denial decides where one passage has all words of the sentence. A sentence of
    which most is uncovered is not supported.
    """
    copied = figures["untold alone"] < _COPIED and figures["entailed"] > 1 - _COPIED
    decisive = (*_DECISIVE, *_DECISIVE_IN_COPIES) if copied else _DECISIVE
    return figures["untold"] >= _MOST or any(figures.get(name, 0.0) >= 1 for name in decisive)


def _is_thin(finding: Finding) -> bool:
    """Check whether a sentence says little beside a verb that no source has: "The ship sank"."""
    items = finding.grammar.items
    verbs = [n for n, item in enumerate(items) if item.is_predicate and item.tag == "VERB"]
    brief = sum(bool(item.concepts) for item in items) <= _FEW
    return brief and any(items[n].concepts and not finding.at[n] for n in verbs)


def _is_certain(finding: Finding, objection: str, passage: EvidenceSentence) -> bool:
    """Check whether an objection is sure enough to call a sentence contradicted.

    One passage must have most of the sentence, unless it denies the act of everyone. Another name,
    figure or day must exclude the sentence's own.
    """
    words = finding.words.get(objection, ())
    at = {place for word in words for n, place in finding.at[word] if finding.known[n] is passage}
    denied = objection == "denial lost" and any(map(passage.grammar.nobody, at))
    if finding.evidence.support is None or objection in _DECISIVE or denied:
        return True
    if finding.figures["untold alone"] >= _ALONE or objection not in _OTHER_VALUES:
        return finding.figures["untold alone"] < _ALONE
    starts = {finding.grammar.items[place].start for place in words}
    claims = finding.evidence.claims
    theirs = [placed.claim for placed in passage.claims]
    rivals = [rival for rival in theirs if not any(agree(rival, claim) for claim in claims)]
    return any(
        compare_values(claim, rival)[0] in ("exclude", "apart")
        for claim in claims
        if any(claim.figure.start <= start < claim.figure.end for start in starts)
        and not any(agree(claim, other) for other in theirs)
        for rival in rivals
    )


def _same_matter(finding: Finding, passage: EvidenceSentence) -> bool:
    """Check whether a passage shares enough with a sentence to contradict it."""
    said = finding.grammar.said
    shared = finding.index.weight(said & passage.grammar.said)
    return shared >= _SHARED * finding.index.weight(said)


def _suspects(finding: Finding) -> list[int]:
    """Return the least certain word, with names, figures and days before others."""
    grammar = finding.grammar
    doubt = finding.evidence.carries * (1 - finding.best)
    places = [place for place, item in enumerate(grammar.items) if item.concepts]
    places = places or list(range(len(grammar.items)))
    return [
        max(places, key=lambda place: (doubt[place] + _EXACT * grammar.is_exact(place), -place))
    ]


def _verbatim(evidence: Evidence) -> bool:
    """Check whether a passage is the sentence, word for word: "Why?" may be quoted."""
    mine = _words(evidence.grammar)
    return any(mine == _words(passage.grammar) for passage in evidence.passages)


def _words(grammar: Grammar) -> list[str]:
    return [item.text.lower() for item in grammar.items]


def _whole(finding: Finding, words: Sequence[int]) -> list[int]:
    """Return the positions of words, with names in full."""
    return sorted({part for place in words for part in finding.grammar.phrase(place)})


def _why(finding: Finding, reason: str, words: Sequence[int]) -> str:
    said = " ".join(finding.grammar.items[place].text for place in words)
    return f"{said}: {reason}" if said else reason


SMALL, LOCAL = "small", "local"
_NEEDS_CONTEXT = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|these|that|those)\b",
    re.IGNORECASE,
)


class JudgeQuery(Struct, frozen=True):
    """Sentence to judge."""

    sentence: str
    before: str
    """Sentence in front of it, or nothing."""
    finding: Finding
    """Findings of the small models."""
    passages: Sequence[EvidenceSentence]
    """All sentences of the source documents."""
    first: int = 1
    """Number of the first source document among the passages."""

    @property
    def context(self) -> str:
        """Sentence in front of it, where this one refers to something outside itself."""
        return self.before if _NEEDS_CONTEXT.search(self.sentence) else ""


def nearest_passages(query: JudgeQuery, words: int) -> set[int]:
    """Return the passages with most of a sentence's rare words, up to a total of `words`."""
    index, said = query.finding.index, query.finding.grammar.said
    weights = [index.weight(said & passage.grammar.said) for passage in query.passages]
    chosen: set[int] = set()
    for number in sorted(range(len(weights)), key=lambda n: (-weights[n], n)):
        words -= len(query.passages[number].plain.split())
        if words < 0 and chosen:
            break
        chosen.add(number)
    return chosen


def texts_of(query: JudgeQuery, numbers: set[int]) -> dict[int, str]:
    """Return the text of some passages, by the number of their source document."""
    texts: dict[int, list[str]] = {}
    for number in sorted(numbers):
        passage = query.passages[number]
        texts.setdefault(passage.document - query.first, []).append(passage.plain)
    return {place: " ".join(some) for place, some in texts.items()}


class Judge(Protocol):
    """Judge of sentences, given all documents that they should rest on."""

    @property
    def name(self) -> str:
        """Name in outputs."""
        ...

    def decide(
        self, documents: Sequence[Document], questions: Sequence[JudgeQuery], progress: Progress
    ) -> list[Judgement]:
        """Judge every sentence against the same documents."""
        ...


class SmallJudge:
    """Judge with the shipped models and checks, without a language model."""

    name = SMALL

    def decide(
        self, documents: Sequence[Document], questions: Sequence[JudgeQuery], progress: Progress
    ) -> list[Judgement]:
        """Judge every sentence by its findings."""
        return [judge(question.finding) for question in questions]

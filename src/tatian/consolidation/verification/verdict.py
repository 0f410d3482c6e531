"""Verdicts on sentences, with a reason in words; the protocol of judges, and the small judge.

The other judges are in `verification.judges`.
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
_MIN_REASON_WEIGHT = 0.35
"""Minimum weight of a reason that is named, in log-odds."""
_MIN_SHOWN = 0.25
"""Minimum weight of an uncovered word that is shown."""
_MIN_STRANGE, _MIN_STRANGE_IN_CHANGES = 0.8, 0.4
"""Minimum weight of a word that rules out support if no source has it. The second is for sentences
changed by consolidation, which should bring in no new word."""
_OFTEN_WRONG = frozenset(("no doubt", "another's part"))
"""Checks that also fire on many supported sentences: named only if they weighed in the verdict."""
_DECISIVE = ("another speaker", "exchanged")
"""Checks that alone rule out support: wrong about one supported sentence in a thousand."""
_DECISIVE_IN_COPIES = ("doubt lost", "denial lost")
_OTHER_VALUES = ("another time", "place taken", "elsewhere")
"""Checks that find another name, figure or day instead of the sentence's own."""
_MAX_BEST_UNCOVERED = 0.4
"""A sentence is only called contradicted if the best passage leaves less than this uncovered."""
_MIN_SUPPORT, _MAX_CONTENT_WORDS = 0.75, 3
"""Minimum probability of support of a sentence whose verb no source has, and the maximum number of
content words of a sentence to which this applies."""
_MAX_COPY_GAP = 0.1
"""A sentence counts as copied if a passage leaves less than this share of it uncovered."""
_EXACT_DOUBT = 0.1
"""Doubt added for a word that is a name, figure or day."""
_MIN_SHARED_RARITY = 0.25
"""Minimum share of a sentence's rare words that a contradicting passage must have."""
_MIN_UNCOVERED = 0.55
"""Minimum uncovered share of a sentence that is wholly unsupported."""

_NOT_IN_SOURCES = "the accounts do not say this"
REASONS = {
    "untold": _NOT_IN_SOURCES,
    "untold alone": "no single passage says this",
    "worst word": _NOT_IN_SOURCES,
    "foreign run": _NOT_IN_SOURCES,
    "name unknown": "this name is in no account",
    "figure unknown": "this figure is in no account",
    "gap": "the passages that support the rest do not say this",
    "name astray": "the passages that support the rest do not have this name",
    "subject astray": "the passages that support the rest do not have this name",
    "figure astray": "the accounts give no such figure here",
    "time astray": "the passages that support the rest do not give this time",
    "astray": "the passages that support the rest do not say this",
    "scattered": "the accounts say each part, but not together",
    DOUBTED: "the passages with these words do not clearly say this",
    "not verbatim": "no account has this quotation word for word",
    "plan lost": "in an account this is only planned or expected",
    "no plan": "in an account this is only planned or expected",
}
"""Reasons why something is not supported."""
CONTRADICTIONS = {
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
_MIN_STRENGTH = {"elsewhere": 0.5}
"""Minimum strength of an objection to count; 1 for those not listed."""


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
    """Minimum probability of a supported sentence."""
    unknown: float
    """Minimum probability of a sentence whose verdict is `unknown`."""


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
    """Return what each figure adds to the log-odds of support; "" is the base value."""
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

    `support` and its `bounds` come from another judge; the figures then only give the reasons.
    """
    figures, evidence, items = finding.figures, finding.evidence, finding.grammar.items
    is_small = support is None
    model = weights() if evidence.support is not None else weights(CHANGES)
    support = probability(figures, model) if support is None else support
    bounds = bounds or model.bounds
    has_content, is_in_sources = bool(finding.grammar.concepts), any(finding.positions)
    if not has_content and not is_in_sources and not _is_verbatim(evidence):
        return Judgement("unknown", support, "it says nothing that can be verified")
    is_foreign = has_content and not is_in_sources
    ruled_out = is_foreign or bool(evidence.conflicts) or _is_surely_wrong(finding)
    odd_verb = is_small and not ruled_out and support < _MIN_SUPPORT and _has_unknown_verb(finding)
    if support >= bounds.supported and not (ruled_out or odd_verb if is_small else is_foreign):
        passages = _agreeing(evidence)
        count = len({passage.document for passage in passages})
        why = f"supported by {count} account{'s' * (count > 1)}"
        return Judgement("supported", support, why, evidence=passages)
    if support >= bounds.unknown and not ruled_out:
        return Judgement("unknown", support, "neither supported nor contradicted")
    if evidence.conflicts:
        return _judge_conflict(finding, support)
    negative = {
        name: -odds
        for name, odds in weighed(figures, model).items()
        if -odds >= _MIN_REASON_WEIGHT and figures.get(name, 0.0) > 0
    }
    fired = (n for n in CONTRADICTIONS if figures.get(n, 0.0) >= _MIN_STRENGTH.get(n, 1.0))
    objection = next((n for n in fired if n not in _OFTEN_WRONG or n in negative), "")
    passage = finding.passages[finding.passage_of_check.get(objection, finding.nearest)]
    if objection and _is_related(finding, passage) and _is_certain(finding, objection, passage):
        words = _whole_names(finding, finding.words.get(objection, []))
        why = _reason_for(finding, CONTRADICTIONS[objection], words)
        return Judgement("contradicted", support, why, tuple(words), (passage,))
    if is_foreign or figures["untold"] >= _MIN_UNCOVERED:
        return Judgement("unsupported", support, REASONS["untold"], tuple(range(len(items))))
    uncovered = evidence.weights * (1 - finding.coverage)
    missing = [n for n, item in enumerate(items) if uncovered[n] >= _MIN_SHOWN and item.concepts]
    strongest_last = sorted(negative, key=negative.__getitem__)
    named = (name for name in reversed(strongest_last) if name in REASONS and name != DOUBTED)
    reason = next(named, "untold" if missing else DOUBTED)
    unsupported = _whole_names(finding, [*missing, *finding.words.get(reason, [])])
    words = unsupported or _whole_names(finding, _least_certain(finding))
    why = _reason_for(finding, REASONS[reason], unsupported)
    return Judgement("partly", support, why, tuple(words))


def _agreeing(evidence: Evidence) -> tuple[EvidenceSentence, ...]:
    """Return the passages that cover most together, without those that exclude a claim."""
    conflicting_numbers = {number for _, number, _ in evidence.conflicts}
    kept = [evidence.passages[n] for n in evidence.chosen if n not in conflicting_numbers]
    return tuple(kept or (evidence.passages[n] for n in evidence.chosen))


def _judge_conflict(finding: Finding, support: float) -> Judgement:
    """Return the verdict on a sentence with a figure, time or name that a passage excludes."""
    claim, number, other = finding.evidence.conflicts[0]
    items, figure = finding.grammar.items, claim.figure
    words = [n for n, item in enumerate(items) if figure.start <= item.start < figure.end]
    why = f"{claim.text}: an account gives {other.text}"
    passage = finding.evidence.passages[number]
    return Judgement("contradicted", support, why, tuple(words), (passage,))


def _is_surely_wrong(finding: Finding) -> bool:
    """Check whether a sentence is unsupported whatever the models say.

    This is so if an important word occurs in no source, if most of the sentence is uncovered, or
    if a decisive check fires. A lost doubt or denial decides if one passage has all its words.
    """
    figures = finding.figures
    is_changed = finding.evidence.support is None
    if figures.get("strange", 0.0) >= (_MIN_STRANGE_IN_CHANGES if is_changed else _MIN_STRANGE):
        return True
    if is_changed:
        return False
    copied = figures["untold alone"] < _MAX_COPY_GAP and figures["entailed"] > 1 - _MAX_COPY_GAP
    decisive = (*_DECISIVE, *_DECISIVE_IN_COPIES) if copied else _DECISIVE
    return figures["untold"] >= _MIN_UNCOVERED or any(figures.get(n, 0.0) >= 1 for n in decisive)


def _has_unknown_verb(finding: Finding) -> bool:
    """Check whether a sentence is short and has a verb that no source has: "The ship sank"."""
    items = finding.grammar.items
    verbs = [n for n, item in enumerate(items) if item.is_predicate and item.tag == "VERB"]
    is_brief = sum(bool(item.concepts) for item in items) <= _MAX_CONTENT_WORDS
    return is_brief and any(items[n].concepts and not finding.positions[n] for n in verbs)


def _is_certain(finding: Finding, objection: str, passage: EvidenceSentence) -> bool:
    """Check whether an objection is sure enough to call a sentence contradicted.

    One passage must have most of the sentence, unless it says that nobody did this. Another name,
    figure or day must exclude the sentence's own.
    """
    words = finding.words.get(objection, ())
    positions = {at for word in words for at in finding.positions[word]}
    heads = [place for n, place in positions if finding.passages[n] is passage]
    denies_everyone = any(map(passage.grammar.denies_everyone, heads))
    if finding.evidence.support is None or objection in _DECISIVE:
        return True
    if objection == "denial lost" and denies_everyone:
        return True
    if finding.figures["untold alone"] >= _MAX_BEST_UNCOVERED or objection not in _OTHER_VALUES:
        return finding.figures["untold alone"] < _MAX_BEST_UNCOVERED
    starts = {finding.grammar.items[place].start for place in words}
    claims = finding.evidence.claims
    passage_claims = [placed.claim for placed in passage.claims]
    rivals = [rival for rival in passage_claims if not any(agree(rival, claim) for claim in claims)]
    return any(
        compare_values(claim, rival)[0] == "exclude"
        for claim in claims
        if any(claim.figure.start <= start < claim.figure.end for start in starts)
        and not any(agree(claim, other) for other in passage_claims)
        for rival in rivals
    )


def _is_related(finding: Finding, passage: EvidenceSentence) -> bool:
    """Check whether a passage shares enough words with a sentence to contradict it."""
    concepts = finding.grammar.concepts
    shared = finding.index.total_rarity(concepts & passage.grammar.concepts)
    return shared >= _MIN_SHARED_RARITY * finding.index.total_rarity(concepts)


def _least_certain(finding: Finding) -> list[int]:
    """Return the least certain word; names, figures and days come before others."""
    grammar = finding.grammar
    doubt = finding.evidence.weights * (1 - finding.coverage)
    places = [place for place, item in enumerate(grammar.items) if item.concepts]
    places = places or list(range(len(grammar.items)))
    return [max(places, key=lambda n: (doubt[n] + _EXACT_DOUBT * grammar.is_exact(n), -n))]


def _is_verbatim(evidence: Evidence) -> bool:
    """Check whether a passage has the same words as the sentence, such as "Why?"."""
    words = _words(evidence.grammar)
    return any(words == _words(passage.grammar) for passage in evidence.passages)


def _words(grammar: Grammar) -> list[str]:
    return [item.text.lower() for item in grammar.items]


def _whole_names(finding: Finding, words: Sequence[int]) -> list[int]:
    """Return the positions of words, with names in full."""
    return sorted({part for place in words for part in finding.grammar.full_name(place)})


def _reason_for(finding: Finding, reason: str, words: Sequence[int]) -> str:
    quoted = " ".join(finding.grammar.items[place].text for place in words)
    return f"{quoted}: {reason}" if quoted else reason


SMALL, LOCAL = "small", "local"
_NEEDS_CONTEXT = re.compile(
    r"\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|these|that|those)\b",
    re.IGNORECASE,
)


class JudgeQuery(Struct, frozen=True):
    """Sentence to judge."""

    sentence: str
    before: str
    """The sentence before it, or nothing."""
    finding: Finding
    """Findings of the small models."""
    passages: Sequence[EvidenceSentence]
    """All sentences of the source documents."""
    first_document: int = 1
    """Number of the first source document among the passages."""

    @property
    def context(self) -> str:
        """The sentence before it if this one has a pronoun that may refer to it, or nothing."""
        return self.before if _NEEDS_CONTEXT.search(self.sentence) else ""


def nearest_passages(query: JudgeQuery, words: int) -> set[int]:
    """Return the passages with most of a sentence's rare words, up to a total of `words`."""
    index, concepts = query.finding.index, query.finding.grammar.concepts
    weights = [index.total_rarity(concepts & other.grammar.concepts) for other in query.passages]
    chosen: set[int] = set()
    for number in sorted(range(len(weights)), key=lambda n: (-weights[n], n)):
        words -= len(query.passages[number].original.split())
        if words < 0 and chosen:
            break
        chosen.add(number)
    return chosen


def texts_of(query: JudgeQuery, numbers: set[int]) -> dict[int, str]:
    """Return the text of some passages, by the number of their source document."""
    texts: dict[int, list[str]] = {}
    for number in sorted(numbers):
        passage = query.passages[number]
        texts.setdefault(passage.document - query.first_document, []).append(passage.original)
    return {number: " ".join(parts) for number, parts in texts.items()}


class Judge(Protocol):
    """Judge of sentences, given all documents that they should rest on."""

    @property
    def name(self) -> str:
        """Name in outputs."""
        ...

    def decide(
        self, documents: Sequence[Document], queries: Sequence[JudgeQuery], progress: Progress
    ) -> list[Judgement]:
        """Judge every sentence against the same documents."""
        ...


class SmallJudge:
    """Judge with the shipped models and checks, without a language model."""

    name = SMALL

    def decide(
        self, documents: Sequence[Document], queries: Sequence[JudgeQuery], progress: Progress
    ) -> list[Judgement]:
        """Judge every sentence by its findings."""
        return [judge(question.finding) for question in queries]

"""Align units of two sentences with the same referent, and find the more specific one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from msgspec import Struct
from msgspec.structs import replace

from tatian.analysis.installed import unavailable
from tatian.analysis.meaning import vectors
from tatian.union.relations.knowledge import Knowledge, PhraseRelation
from tatian.union.relations.rules import ASSUMED, NOMINAL, SAME_HEAD, Comparer
from tatian.union.relations.units import ParsedPassage, Unit, arguments, is_pronoun, units_at

Frame = tuple[str, str]
"""Text before a phrase and text after it."""


class PhraseEvidence(Struct, frozen=True):
    """Encoder scores of two phrases, in both directions: first to second, and back."""

    nearness: float
    """Cosine similarity of their vectors."""
    inside: tuple[float, float]
    """Probability that one sentence entails the other if only the phrase is exchanged."""
    alone: tuple[float, float]
    """Probability of entailment in the shortest sentences with the phrases."""


def phrase_evidence(
    first: str, second: str, frames: Iterable[Frame], short: Frame
) -> PhraseEvidence:
    """Compute all scores of two phrases."""
    inside = [_both_ways(first, second, frame) for frame in frames]
    forward, backward = (sum(scores) / len(inside) for scores in zip(*inside, strict=True))
    first_vector, second_vector = vectors([first, second], threads=1)
    return PhraseEvidence(
        nearness=float(first_vector @ second_vector),
        inside=(forward, backward),
        alone=_both_ways(first, second, short),
    )


def _both_ways(first: str, second: str, frame: Frame) -> tuple[float, float]:
    from tatian.analysis import entails

    before, after = frame
    ours, theirs = f"{before}{first}{after}", f"{before}{second}{after}"
    return entails(ours, theirs).entailment, entails(theirs, ours).entailment


NEAREST = 0.4
"""Minimum cosine similarity of candidate phrases."""
NEAR = 0.5
"""Minimum cosine similarity, including support, of candidates for the entailment model."""
MOST = 24
"""Maximum number of candidates for the entailment model, to limit time on long sentences."""
FAR = 300
"""Number of characters around a phrase that the entailment model reads on each side."""
SUPPORT = 0.12
"""Bonus to the cosine similarity for each matched neighbour."""


class EvidenceWeights(Struct, frozen=True):
    """Weights of the evidence; fitted on the training unions by ``benchmarks/union_fitting.py``."""

    nearness: float = 0.38
    support: float = 0.63
    inside: float = 0.76
    alone: float = 2.04
    bias: float = -1.83
    least: float = 0.2
    """Minimum sum, in log-odds, at which two phrases are matched."""
    inside_lead: float = 0.59
    alone_lead: float = 0.92
    words_lead: float = 0.77
    margin: float = 0.5
    """Minimum margin, in log-odds, at which one phrase entails the other."""


class UnitMatch(Struct, frozen=True):
    """Two units with the same referent or event."""

    first: Unit
    second: Unit
    verdict: PhraseRelation
    score: float
    evidence: PhraseEvidence | None = None
    """Encoder scores, if the words were not enough to match."""


class Aligner:
    """Matches the units of two sentences: first by words, then by meaning."""

    def __init__(
        self,
        first: ParsedPassage,
        second: ParsedPassage,
        knowledge: Knowledge,
        *,
        meaning: bool = True,
    ) -> None:
        self.first = first
        self.second = second
        self.meaning = meaning and not unavailable()
        self.weights = EvidenceWeights()
        self.matches: list[UnitMatch] = []
        self._comparer = Comparer(first, second, knowledge)
        self._known: dict[tuple[Unit, Unit], PhraseEvidence] = {}

    def align(self) -> list[UnitMatch]:
        """Return all matches in the order of the first sentence; matched units may be nested.

        Meaning is compared twice, because matches of the first pass support their neighbours.
        """
        self._take(match for match in self._by_words() if not _is_assumed(match))
        self._take(
            match
            for match in self._by_words()
            if _is_assumed(match) and self.support(match.first, match.second)
        )
        for _ in range(2 if self.meaning else 0):
            self._take(list(self._by_meaning()))
        self._take(list(self._by_role()))
        return sorted(self.matches, key=lambda match: (match.first.first, -match.first.end))

    def _take(self, candidates: Iterable[UnitMatch]) -> None:
        for match in sorted(candidates, key=_best_first):
            if all(_compatible(match, taken) for taken in self.matches):
                self.matches.append(match)

    def _by_words(self) -> Iterator[UnitMatch]:
        for unit in self.first.units:
            for other in self.second.units:
                verdict = self._comparer.compare(unit, other)
                if verdict is None:
                    continue
                pair = (_bare(unit), _bare(other)) if verdict.why == SAME_HEAD else (unit, other)
                yield UnitMatch(*pair, verdict, self._likeness(*pair))

    def _likeness(self, unit: Unit, other: Unit) -> float:
        """Score the shared words of two units and the support of their neighbours."""
        ours, theirs = set(self.first.content(unit)), set(self.second.content(other))
        shared = len(ours & theirs)
        alike = 2 * shared / max(1, len(ours) + len(theirs))
        return 1 + alike + 0.1 * shared + SUPPORT * self.support(unit, other)

    def support(self, unit: Unit, other: Unit) -> int:
        """Count the matching neighbours in the trees, above and below two units: 0 to 3."""
        ours, theirs = _governor(self.first, unit), _governor(self.second, other)
        below = sum(
            match.first != unit
            and match.second != other
            and _governor(self.first, match.first) in unit.places
            and _governor(self.second, match.second) in other.places
            for match in self.matches
        )
        return self._same_word(ours, theirs) + min(2, below)

    def _same_word(self, ours: int, theirs: int) -> bool:
        if ours < 0 or theirs < 0:
            return ours == theirs
        if self.first.concepts[ours] == self.second.concepts[theirs]:
            return True
        return any(
            ours in match.first.places and theirs in match.second.places for match in self.matches
        )

    def _by_meaning(self) -> Iterator[UnitMatch]:
        for unit, other, support in self.candidates()[:MOST]:
            evidence = self.evidence(unit, other)
            score = _sameness(evidence, support, self.weights)
            if score >= self.weights.least:
                verdict = self._direction(unit, other, evidence)
                yield UnitMatch(unit, other, verdict, score, evidence)

    def candidates(self) -> list[tuple[Unit, Unit, int]]:
        """Return similar unmatched units with their support, most similar first."""
        ours = [unit for unit in self.first.units if self._is_free(unit, 0)]
        theirs = [unit for unit in self.second.units if self._is_free(unit, 1)]
        texts = [*map(self.first.text, ours), *map(self.second.text, theirs)]
        rows = vectors(texts, threads=1)
        alike = rows[: len(ours)] @ rows[len(ours) :].T
        pairs = []
        for unit, row in zip(ours, alike, strict=True):
            for other, near in zip(theirs, row.tolist(), strict=True):
                if (unit.kind == "verb") != (other.kind == "verb"):
                    continue
                if near >= NEAREST:
                    support = self.support(unit, other)
                    pairs.append((near + SUPPORT * support, unit, other, support))
        pairs.sort(key=lambda candidate: -candidate[0])
        return [(unit, other, support) for near, unit, other, support in pairs if near >= NEAR]

    def evidence(self, unit: Unit, other: Unit) -> PhraseEvidence:
        """Return the encoder scores of two units in their sentences."""
        if (unit, other) not in self._known:
            frames = (_frame(self.first, unit), _frame(self.second, other))
            short = ("They ", ".") if unit.kind == "verb" else ("It was ", ".")
            texts = self.first.text(unit), self.second.text(other)
            self._known[unit, other] = phrase_evidence(*texts, frames, short)
        return self._known[unit, other]

    def _by_role(self) -> Iterator[UnitMatch]:
        """Match arguments of matched verbs: a pronoun with a name or phrase."""
        for match in list(self.matches):
            if match.first.kind != "verb" or match.second.kind != "verb":
                continue
            theirs = arguments(self.second, match.second)
            for ours, role in arguments(self.first, match.first).items():
                for other in (place for place, same in theirs.items() if same == role):
                    yield from self._same_argument(ours, other)

    def _same_argument(self, ours: int, theirs: int) -> Iterator[UnitMatch]:
        pronouns = is_pronoun(self.first, ours), is_pronoun(self.second, theirs)
        if pronouns[0] == pronouns[1]:
            return
        verdict = PhraseRelation("entails", "what a pronoun stands for")
        if pronouns[0]:
            verdict = PhraseRelation("entailed", "a pronoun for it")
        for unit in units_at(self.first, ours)[:1]:
            for other in units_at(self.second, theirs)[:1]:
                yield UnitMatch(unit, other, verdict, 1.0)

    def _direction(self, unit: Unit, other: Unit, evidence: PhraseEvidence) -> PhraseRelation:
        """Return the direction, by entailment and by the number of content words."""
        words = len(set(self.first.content(unit))) - len(set(self.second.content(other)))
        inside, alone = (there - back for there, back in (evidence.inside, evidence.alone))
        lead = (
            self.weights.inside_lead * inside
            + self.weights.alone_lead * alone
            + self.weights.words_lead * words
        )
        there, back = evidence.inside
        why = f"meaning: nearness {evidence.nearness:.2f}, entailment {there:.2f}, back {back:.2f}"
        if lead >= self.weights.margin:
            return PhraseRelation("entails", why)
        return PhraseRelation("entailed" if lead <= -self.weights.margin else "equivalent", why)

    def _is_free(self, unit: Unit, side: int) -> bool:
        if unit.kind != "verb" and unit.kind not in NOMINAL:
            return False
        return not any((match.first, match.second)[side].covers(unit) for match in self.matches)


def _sameness(evidence: PhraseEvidence, support: int, weights: EvidenceWeights) -> float:
    return (
        weights.nearness * evidence.nearness
        + weights.support * min(2, support)
        + weights.inside * max(evidence.inside)
        + weights.alone * max(evidence.alone)
        + weights.bias
    )


def _is_assumed(match: UnitMatch) -> bool:
    """Return True if the match needs support: times match only if their verbs do."""
    return match.verdict.why.endswith(ASSUMED)


def _best_first(match: UnitMatch) -> tuple[float, int, int, int]:
    return -match.score, match.first.first, match.second.first, -match.first.end


def _compatible(match: UnitMatch, taken: UnitMatch) -> bool:
    """Return True if two matches are compatible: disjoint on both sides, or nested on both."""
    if not match.first.overlaps(taken.first) and not match.second.overlaps(taken.second):
        return True
    if match.first == taken.first or match.second == taken.second:
        return False
    inside = taken.first.covers(match.first) and taken.second.covers(match.second)
    around = match.first.covers(taken.first) and match.second.covers(taken.second)
    return inside or around


def _bare(unit: Unit) -> Unit:
    return replace(unit, first=unit.head, end=unit.head + 1)


def _governor(passage: ParsedPassage, unit: Unit) -> int:
    """Return the nearest content word above a unit; -1 at the top."""
    place = passage.tree.heads[unit.head]
    while place >= 0 and (place in unit.places or passage.concepts[place] is None):
        place = passage.tree.heads[place]
    return place


def _frame(passage: ParsedPassage, unit: Unit) -> Frame:
    text, span = passage.passage.document.text, passage.passage.span
    place = passage.span(unit.first, unit.end)
    before, after = text[span.start : place.start], text[place.end : span.end]
    return before[-FAR:], after[:FAR]

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

Context = tuple[str, str]
"""Text before a phrase and text after it."""


class PhraseEvidence(Struct, frozen=True):
    """Encoder scores of two phrases, in both directions: first to second, and back."""

    similarity: float
    """Cosine similarity of their vectors."""
    exchanged: tuple[float, float]
    """Probability that one sentence entails the other if only the phrase is exchanged."""
    alone: tuple[float, float]
    """Probability of entailment in the shortest sentences with the phrases."""


def phrase_evidence(
    first: str, second: str, contexts: Iterable[Context], short: Context
) -> PhraseEvidence:
    """Compute all scores of two phrases."""
    exchanged = [_entail_both_ways(first, second, context) for context in contexts]
    forward, backward = (sum(scores) / len(exchanged) for scores in zip(*exchanged, strict=True))
    first_vector, second_vector = vectors([first, second], threads=1)
    return PhraseEvidence(
        similarity=float(first_vector @ second_vector),
        exchanged=(forward, backward),
        alone=_entail_both_ways(first, second, short),
    )


def _entail_both_ways(first: str, second: str, context: Context) -> tuple[float, float]:
    from tatian.analysis import entails

    before, after = context
    first_text, second_text = f"{before}{first}{after}", f"{before}{second}{after}"
    forward, backward = entails(first_text, second_text), entails(second_text, first_text)
    return forward.entailment, backward.entailment


MIN_SIMILARITY = 0.4
"""Minimum cosine similarity of candidate phrases."""
MIN_SCORE = 0.5
"""Minimum cosine similarity, including support, of candidates for the entailment model."""
MAX_CANDIDATES = 24
"""Maximum number of candidates for the entailment model, to limit time on long sentences."""
CONTEXT_LENGTH = 300
"""Number of characters around a phrase that the entailment model reads on each side."""
SUPPORT_BONUS = 0.12
"""Bonus to the cosine similarity for each matched neighbour."""


class EvidenceWeights(Struct, frozen=True):
    """Weights of the evidence; fitted on the training unions by ``benchmarks/union_fitting.py``."""

    similarity: float = 0.38
    support: float = 0.63
    exchanged: float = 0.76
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

    @property
    def are_verbs(self) -> bool:
        """True if both units are verbs."""
        return self.first.kind == self.second.kind == "verb"


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
        self._evidence_by_pair: dict[tuple[Unit, Unit], PhraseEvidence] = {}

    def align(self) -> list[UnitMatch]:
        """Return all matches in the order of the first sentence; matched units may be nested.

        Meaning is compared twice, because matches of the first pass support their neighbours.
        """
        self._add_matches(match for match in self._match_words() if not _needs_support(match))
        self._add_matches(
            match
            for match in self._match_words()
            if _needs_support(match) and self.support(match.first, match.second)
        )
        for _ in range(2 if self.meaning else 0):
            self._add_matches(list(self._match_meanings()))
        self._add_matches(list(self._match_roles()))
        return sorted(self.matches, key=lambda match: (match.first.first, -match.first.end))

    def _add_matches(self, candidates: Iterable[UnitMatch]) -> None:
        for match in sorted(candidates, key=_best_first):
            if all(_are_compatible(match, taken) for taken in self.matches):
                self.matches.append(match)

    def _match_words(self) -> Iterator[UnitMatch]:
        for unit in self.first.units:
            for other in self.second.units:
                verdict = self._comparer.compare(unit, other)
                if verdict is None:
                    continue
                pair = (unit, other)
                if verdict.why == SAME_HEAD:
                    pair = (_reduce_to_head(unit), _reduce_to_head(other))
                yield UnitMatch(*pair, verdict, self._likeness(*pair))

    def _likeness(self, unit: Unit, other: Unit) -> float:
        """Score the shared words of two units and the support of their neighbours."""
        first_words, second_words = set(self.first.content(unit)), set(self.second.content(other))
        shared = len(first_words & second_words)
        alike = 2 * shared / max(1, len(first_words) + len(second_words))
        return 1 + alike + 0.1 * shared + SUPPORT_BONUS * self.support(unit, other)

    def support(self, unit: Unit, other: Unit) -> int:
        """Count the matching neighbours in the trees, above and below two units: 0 to 3."""
        first_head, second_head = (
            _find_governor(self.first, unit),
            _find_governor(self.second, other),
        )
        below = sum(
            match.first != unit
            and match.second != other
            and _find_governor(self.first, match.first) in unit.places
            and _find_governor(self.second, match.second) in other.places
            for match in self.matches
        )
        return self._have_same_governor(first_head, second_head) + min(2, below)

    def _have_same_governor(self, first_head: int, second_head: int) -> bool:
        if first_head < 0 or second_head < 0:
            return first_head == second_head
        if self.first.concepts[first_head] == self.second.concepts[second_head]:
            return True
        return any(
            first_head in match.first.places and second_head in match.second.places
            for match in self.matches
        )

    def _match_meanings(self) -> Iterator[UnitMatch]:
        for unit, other, support in self.candidates()[:MAX_CANDIDATES]:
            evidence = self.evidence(unit, other)
            score = _score_evidence(evidence, support, self.weights)
            if score >= self.weights.least:
                verdict = self._direction(unit, other, evidence)
                yield UnitMatch(unit, other, verdict, score, evidence)

    def candidates(self) -> list[tuple[Unit, Unit, int]]:
        """Return similar unmatched units with their support, most similar first."""
        first_units = [unit for unit in self.first.units if self._is_free(unit, 0)]
        second_units = [unit for unit in self.second.units if self._is_free(unit, 1)]
        texts = [*map(self.first.text, first_units), *map(self.second.text, second_units)]
        rows = vectors(texts, threads=1)
        alike = rows[: len(first_units)] @ rows[len(first_units) :].T
        pairs = []
        for unit, row in zip(first_units, alike, strict=True):
            for other, near in zip(second_units, row.tolist(), strict=True):
                if (unit.kind == "verb") != (other.kind == "verb"):
                    continue
                if near >= MIN_SIMILARITY:
                    support = self.support(unit, other)
                    pairs.append((near + SUPPORT_BONUS * support, unit, other, support))
        pairs.sort(key=lambda candidate: -candidate[0])
        return [(unit, other, support) for near, unit, other, support in pairs if near >= MIN_SCORE]

    def evidence(self, unit: Unit, other: Unit) -> PhraseEvidence:
        """Return the encoder scores of two units in their sentences."""
        if (unit, other) not in self._evidence_by_pair:
            contexts = (_split_around(self.first, unit), _split_around(self.second, other))
            short = ("They ", ".") if unit.kind == "verb" else ("It was ", ".")
            texts = self.first.text(unit), self.second.text(other)
            self._evidence_by_pair[unit, other] = phrase_evidence(*texts, contexts, short)
        return self._evidence_by_pair[unit, other]

    def _match_roles(self) -> Iterator[UnitMatch]:
        """Match arguments of matched verbs: a pronoun with a name or phrase."""
        for match in list(self.matches):
            if not match.are_verbs:
                continue
            other_roles = arguments(self.second, match.second)
            for place, role in arguments(self.first, match.first).items():
                for other_place, other_role in other_roles.items():
                    if role == other_role:
                        yield from self._match_arguments(place, other_place)

    def _match_arguments(self, place: int, other_place: int) -> Iterator[UnitMatch]:
        pronouns = is_pronoun(self.first, place), is_pronoun(self.second, other_place)
        if pronouns[0] == pronouns[1]:
            return
        verdict = PhraseRelation("entails", "what a pronoun stands for")
        if pronouns[0]:
            verdict = PhraseRelation("entailed", "a pronoun for it")
        for unit in units_at(self.first, place)[:1]:
            for other in units_at(self.second, other_place)[:1]:
                yield UnitMatch(unit, other, verdict, 1.0)

    def _direction(self, unit: Unit, other: Unit, evidence: PhraseEvidence) -> PhraseRelation:
        """Return the direction, by entailment and by the number of content words."""
        words = len(set(self.first.content(unit))) - len(set(self.second.content(other)))
        exchanged, alone = (there - back for there, back in (evidence.exchanged, evidence.alone))
        lead = (
            self.weights.inside_lead * exchanged
            + self.weights.alone_lead * alone
            + self.weights.words_lead * words
        )
        there, back = evidence.exchanged
        near = f"nearness {evidence.similarity:.2f}"
        why = f"meaning: {near}, entailment {there:.2f}, back {back:.2f}"
        if lead >= self.weights.margin:
            return PhraseRelation("entails", why)
        return PhraseRelation("entailed" if lead <= -self.weights.margin else "equivalent", why)

    def _is_free(self, unit: Unit, side: int) -> bool:
        if unit.kind != "verb" and unit.kind not in NOMINAL:
            return False
        return not any((match.first, match.second)[side].covers(unit) for match in self.matches)


def _score_evidence(evidence: PhraseEvidence, support: int, weights: EvidenceWeights) -> float:
    return (
        weights.similarity * evidence.similarity
        + weights.support * min(2, support)
        + weights.exchanged * max(evidence.exchanged)
        + weights.alone * max(evidence.alone)
        + weights.bias
    )


def _needs_support(match: UnitMatch) -> bool:
    """Return True if the match needs support: times match only if their verbs do."""
    return match.verdict.why.endswith(ASSUMED)


def _best_first(match: UnitMatch) -> tuple[float, int, int, int]:
    return -match.score, match.first.first, match.second.first, -match.first.end


def _are_compatible(match: UnitMatch, taken: UnitMatch) -> bool:
    """Return True if two matches are compatible: disjoint on both sides, or nested on both."""
    if not match.first.overlaps(taken.first) and not match.second.overlaps(taken.second):
        return True
    if match.first == taken.first or match.second == taken.second:
        return False
    exchanged = taken.first.covers(match.first) and taken.second.covers(match.second)
    around = match.first.covers(taken.first) and match.second.covers(taken.second)
    return exchanged or around


def _reduce_to_head(unit: Unit) -> Unit:
    return replace(unit, first=unit.head, end=unit.head + 1)


def _find_governor(passage: ParsedPassage, unit: Unit) -> int:
    """Return the nearest content word above a unit; -1 at the top."""
    place = passage.tree.heads[unit.head]
    while place >= 0 and (place in unit.places or passage.concepts[place] is None):
        place = passage.tree.heads[place]
    return place


def _split_around(passage: ParsedPassage, unit: Unit) -> Context:
    text, span = passage.passage.document.text, passage.passage.span
    place = passage.span(unit.first, unit.end)
    before, after = text[span.start : place.start], text[place.end : span.end]
    return before[-CONTEXT_LENGTH:], after[:CONTEXT_LENGTH]

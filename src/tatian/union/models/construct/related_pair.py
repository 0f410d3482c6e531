"""Score all wordings of a pair with the same judge, whichever model proposed them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct
from msgspec.structs import replace

from tatian.scoring.compression import compression_rate, content_words
from tatian.text import SourcedToken
from tatian.text.content import is_content, stem
from tatian.text.documents import Passage
from tatian.text.lexicon import NEGATIONS
from tatian.union.models import Contradiction, UnionCandidate
from tatian.union.models.construct.building import constructions
from tatian.union.models.construct.costs import WordingCosts
from tatian.union.models.construct.dependency_faults import find_dependency_faults
from tatian.union.models.construct.graph import WordingGraph
from tatian.union.models.construct.guards import find_draft_faults, find_faults
from tatian.union.models.construct.joining import append_other, comes_first
from tatian.union.models.construct.pairing import Pairing, link_phrases
from tatian.union.models.construct.reading import WordingReading
from tatian.union.models.sentences import Parsed, parsed
from tatian.union.relations.alignment import Aligner
from tatian.union.relations.knowledge import Abbreviations, Knowledge
from tatian.union.relations.units import ParsedPassage

CONSTRUCTION = "construction"
BUILT = 0.2
"""Score of a rule-based wording of a short pair, before its faults are subtracted."""
BUILT_LONG = -2.0
"""Score of a rule-based wording of a longer pair, for which the rules are less sure."""
DRAFT_STRUCTURE = 0.25
"""Factor for faults of structure in a draft that a language model wrote."""
MAX_OMITTED_SHARE = 0.2
"""Maximum share of the content words that a language model's draft may omit."""
FOLLOWED = -2.5
"""Score of the fuller sentence followed by the other, before its faults are subtracted."""
LEARNED = 0.3
"""Weight of the edit model's own score."""
MAX_SHORT_WORDS = 36
"""Maximum number of words of a short pair, both sentences together."""
EXCESS = 7.0
"""Cost of a union that repeats everything, if the sentences share all content words."""


class ScoredCandidate(Struct, frozen=True):
    """A candidate with its score and its faults."""

    candidate: UnionCandidate
    faults: tuple[str, ...] = ()
    """Rules that it breaks; a candidate with faults is rejected."""


class RelatedPair:
    """Two parsed sentences with their matches; scores their unions."""

    def __init__(self, first: Parsed, second: Parsed, knowledge: Knowledge | None = None) -> None:
        self.sentences = (first, second)
        read = ParsedPassage(first.passage), ParsedPassage(second.passage)
        links = link_phrases(Aligner(*read, knowledge or Abbreviations()).align(), *read)
        self.pairing = Pairing(first, second, links)
        self.reversed = Pairing(second, first, [link.reversed for link in links])

    @cached_property
    def costs(self) -> WordingCosts:
        """Costs of wordings of this pair."""
        return WordingCosts(self.pairing)

    def container(self) -> int | None:
        """Return the sentence, 0 or 1, that covers the other; None if neither does."""
        for number, pairing in ((0, self.pairing), (1, self.reversed)):
            negations = [set(s.lower) & NEGATIONS for s in (pairing.frame, pairing.other)]
            has_fuller = any(link.fuller == "other" for link in pairing.links)
            is_outdated = any(pairing.is_stale(act) for act in pairing.acts)
            is_headline = pairing.frame_outline.headline and not pairing.other_outline.headline
            lacks_content = pairing.new or has_fuller or is_outdated or is_headline
            if negations[0] == negations[1] and not lacks_content:
                return number
        return None

    @cached_property
    def short(self) -> bool:
        """True if the pair is as short as those that the rules were written for."""
        return sum(len(text.split()) for text in self._texts) <= MAX_SHORT_WORDS

    @property
    def _texts(self) -> list[str]:
        return [sentence.passage.text for sentence in self.sentences]

    @cached_property
    def _shared(self) -> float:
        """Share of the content words of the sentence with fewer that the other has too."""
        first, second = (set(map(stem, content_words(text))) for text in self._texts)
        return len(first & second) / max(1, min(len(first), len(second)))

    def _excess(self, reading: WordingReading) -> float:
        """Return how far a union's compression falls short of the share of shared words."""
        return max(0.0, self._shared - compression_rate(self._texts, reading.text))

    def proposals(self) -> Iterator[tuple[SourcedToken, ...]]:
        """Yield rule-based unions framed by either sentence; for long pairs, by the fuller one."""
        pairings = [self.pairing, self.reversed]
        if not self.short:
            pairings = pairings[:1] if comes_first(self.pairing) else pairings[1:]
        seen = set()
        for pairing in pairings:
            for count in (None, self._count_faults) if self.short else (self._count_faults,):
                for tokens in constructions(pairing, count):
                    if tokens not in seen:
                        seen.add(tokens)
                        yield tokens

    def dependency_faults(self, tokens: Sequence[SourcedToken], guessed: bool = True) -> list[str]:
        """Return messages for the broken dependencies of a wording."""
        reading = WordingReading(tokens, self.sentences)
        return list(find_dependency_faults(WordingGraph(reading, self.costs, guessed)))

    def score_constructions(self) -> list[ScoredCandidate]:
        """Return the rule-based unions with scores."""
        start = BUILT if self.short else BUILT_LONG
        return [self.score(tokens, CONSTRUCTION, start) for tokens in self.proposals()]

    def _count_faults(self, tokens: Sequence[SourcedToken]) -> int:
        return len(self.dependency_faults(tokens, guessed=self.short))

    def append_other(self) -> Iterator[tuple[SourcedToken, ...]]:
        """Yield the fuller sentence followed by what is new in the other."""
        yield from append_other(self.pairing if comes_first(self.pairing) else self.reversed)

    def score(
        self, tokens: Sequence[SourcedToken], origin: str, score: float = 0.0
    ) -> ScoredCandidate:
        """Return a wording with its faults and its score: `score` minus the cost of its faults."""
        reading = WordingReading(tokens, self.sentences)
        cost = self.costs.cost(reading) + EXCESS * self._excess(reading)
        candidate = UnionCandidate(tuple(tokens), origin, score - cost)
        faults = find_faults(reading) or find_dependency_faults(WordingGraph(reading, self.costs))
        return ScoredCandidate(candidate, tuple(faults))

    def score_draft(self, draft: UnionCandidate) -> ScoredCandidate:
        """Score a language model's draft, with less weight on the structure of its parse."""
        reading = WordingReading(draft.tokens, self.sentences)
        score = draft.score - self.costs.cost(reading, DRAFT_STRUCTURE)
        draft_faults = find_draft_faults(reading)
        content = sum(map(is_content, (word for tree in self.sentences for word in tree.lower)))
        if len(self.costs.missing(reading)) > MAX_OMITTED_SHARE * content:
            draft_faults.append("omits too many content words")
        return ScoredCandidate(replace(draft, score=score), tuple(draft_faults))

    def allow_omission_of_conflicts(self, contradictions: Sequence[Contradiction]) -> None:
        """Do not penalize unions for omitting conflicting claims."""
        omittable: set[tuple[int, int]] = set()
        for claim in (claim for contradiction in contradictions for claim in contradiction.claims):
            for number, sentence in enumerate(self.sentences):
                if sentence.passage.document.id == claim.document:
                    omittable |= {
                        (number, place)
                        for start, place in sentence.place_of.items()
                        if claim.start <= start < claim.end
                    }
        self.costs.omittable = omittable
        self.pairing.excluded = {place for number, place in omittable if number == 1}
        self.reversed.excluded = {place for number, place in omittable if number == 0}

    def speaker(self, passage: Passage) -> Sequence[SourcedToken]:
        """Return the words of a passage's speaker; empty if it has none."""
        for sentence, outline in zip(
            self.sentences,
            (self.pairing.frame_outline, self.reversed.frame_outline),
            strict=True,
        ):
            if sentence.passage == passage and outline.attribution is not None:
                places = range(*sentence.extent(outline.attribution.speaker))
                return [sentence.tokens[place] for place in places]
        return ()

    def missing(self, tokens: Sequence[SourcedToken]) -> tuple[str, ...]:
        """Return content words that are missing from a wording and have no counterpart in it."""
        lost = self.costs.missing(WordingReading(tokens, self.sentences))
        return tuple(self.sentences[number].tokens[place].text for number, place in lost)


def relate_pair(pair: Sequence[Passage], knowledge: Knowledge | None = None) -> RelatedPair | None:
    """Return the pair with its matches; None if a sentence has no parse."""
    first, second = (parsed(passage) for passage in pair)
    if first is None or second is None:
        return None
    return RelatedPair(first, second, knowledge)

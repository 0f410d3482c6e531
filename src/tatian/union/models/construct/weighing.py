"""Wordings of one pair, from whoever proposed them, weighed by one judge."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from msgspec import Struct

from tatian.text import WovenToken
from tatian.text.lexicon import NEGATIONS
from tatian.union.models import Contradiction, Passage, UnionCandidate
from tatian.union.models.construct.building import constructions
from tatian.union.models.construct.choice import WordingJudge
from tatian.union.models.construct.guards import faults
from tatian.union.models.construct.pairing import Pairing, phrase_links
from tatian.union.models.construct.reading import WordingReading
from tatian.union.models.sentences import Parsed, parsed
from tatian.union.relations.alignment import Aligner
from tatian.union.relations.knowledge import Abbreviations, Knowledge
from tatian.union.relations.units import Chunked

CONSTRUCTION = "construction"
BUILT = 0.2
"""What a wording built by rules is worth before its faults."""
DRAFT_STRUCTURE = 0.25
"""How much of their weight faults of structure have in a draft that a language model wrote."""
LEARNED = 0.3
"""The weight of what the edit model thinks of its own wording."""


class Weighed(Struct, frozen=True):
    """A wording with what the rules say of it."""

    candidate: UnionCandidate
    faults: tuple[str, ...] = ()
    """Rules that it breaks; a union with any is not printed."""


class RelatedPair:
    """Two parsed sentences, how what they say is related, and what follows for a union."""

    def __init__(self, first: Parsed, second: Parsed, knowledge: Knowledge | None = None) -> None:
        self.sentences = (first, second)
        one, two = Chunked(first.passage), Chunked(second.passage)
        links = phrase_links(Aligner(one, two, knowledge or Abbreviations()).align(), one, two)
        self.pairing = Pairing(first, second, links)
        self.turned = Pairing(second, first, [link.turned for link in links])

    @cached_property
    def judge(self) -> WordingJudge:
        """Weighs wordings of this pair."""
        return WordingJudge(self.pairing)

    def container(self) -> int | None:
        """The sentence that says all that the other says: 0 or 1; None where both add something."""
        for number, pairing in ((0, self.pairing), (1, self.turned)):
            denied = [set(s.lower) & NEGATIONS for s in (pairing.frame, pairing.other)]
            fuller = any(link.fuller == "other" for link in pairing.links)
            stale = any(pairing.is_stale(act) for act in pairing.acts)
            headline = pairing.frame_outline.headline and not pairing.other_outline.headline
            if denied[0] == denied[1] and not (pairing.new or fuller or stale or headline):
                return number
        return None

    def proposals(self) -> Iterator[tuple[WovenToken, ...]]:
        """What rules make of the pair, either sentence as the frame."""
        yield from constructions(self.pairing)
        yield from constructions(self.turned)

    def weigh(
        self,
        tokens: Sequence[WovenToken],
        origin: str,
        own: float = 0.0,
        structure: float = 1.0,
    ) -> Weighed:
        """One wording with its score, `own` less what its faults cost, and the rules it breaks."""
        reading = WordingReading(tokens, self.sentences)
        score = own - self.judge.cost(reading, structure)
        return Weighed(UnionCandidate(tuple(tokens), origin, score), tuple(faults(reading)))

    def excuse(self, contradictions: Sequence[Contradiction]) -> None:
        """Let a union leave out one of two figures that exclude each other."""
        found: set[tuple[int, int]] = set()
        for claim in (claim for one in contradictions for claim in one.claims):
            for number, sentence in enumerate(self.sentences):
                if sentence.passage.document.id == claim.document:
                    found |= {
                        (number, place)
                        for start, place in sentence.place_of.items()
                        if claim.start <= start < claim.end
                    }
        self.judge.excused = found
        self.pairing.withheld = {place for number, place in found if number == 1}
        self.turned.withheld = {place for number, place in found if number == 0}

    def speaker(self, passage: Passage) -> Sequence[WovenToken]:
        """Whoever told a passage, as words; nobody where it does not say."""
        for sentence, outline in zip(
            self.sentences,
            (self.pairing.frame_outline, self.turned.frame_outline),
            strict=True,
        ):
            if sentence.passage == passage and outline.told is not None:
                places = range(*sentence.extent(outline.told.speaker))
                return [sentence.tokens[place] for place in places]
        return ()

    def missing(self, tokens: Sequence[WovenToken]) -> tuple[str, ...]:
        """Content words that a wording neither has nor stands for."""
        lost = self.judge.missing(WordingReading(tokens, self.sentences))
        return tuple(self.sentences[number].tokens[place].text for number, place in lost)


def related_pair(pair: Sequence[Passage], knowledge: Knowledge | None = None) -> RelatedPair | None:
    """The pair with its relations; None where a sentence has no parse."""
    first, second = (parsed(passage) for passage in pair)
    if first is None or second is None:
        return None
    return RelatedPair(first, second, knowledge)

"""One sentence that takes in what another says more, phrase by phrase, by their parses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from msgspec import Struct
from msgspec.structs import replace

from tatian.errors import EmptyInput
from tatian.text import WovenToken
from tatian.text.language import english_share
from tatian.text.provenance import render
from tatian.union.candidates import Candidate
from tatian.union.disagreement import find_contradictions
from tatian.union.judging import likelihood
from tatian.union.models import Contradiction, Merged, Outcome, Passage
from tatian.union.models.aligning.disputes import disputed, show_dispute
from tatian.union.models.aligning.edits import carried_out
from tatian.union.models.aligning.planning import Planner, Prices
from tatian.union.models.aligning.sentences import Parsed, parsed
from tatian.union.models.aligning.shallow import Shallow, shallow_drafts
from tatian.union.models.aligning.support import supported
from tatian.union.models.aligning.words import align_words
from tatian.union.models.copying import copy_tokens
from tatian.union.models.finishing import finished
from tatian.union.models.multi import Multi

NAME = "align"

BALANCED = Prices()
THOROUGH = Prices(clause=0.4, lost=0.35, eager=0.4)
"""Joins on what cannot be attached, at the risk of saying something twice."""
SPARING = Prices(eager=-0.2, weak=1.0)
"""Adds only what fits without strain."""
_SECOND_CHOICE = 30.0
"""How far behind the balanced draft the others stand."""
_KNOWN = 1.0
"""How much dearer every edit is when the base entails the other sentence."""
_ENGLISH = 0.4
_MUCH = 0.6
_MOST = 0.7
"""Shares of a sentence that may not be lost: for sure, and where no model can judge."""
_UNTOLD = 0.1
"""Chance of being entailed below which a sentence counts as not told."""
_STRANGE = 0.75
"""The share of news from which a sentence that cannot be attached stays by itself."""

_SCORES = {
    "content": 1.0,
    "characters": 0.14,
    "names": 3.1,
    "worth": 1.5,
    "left": -2.6,
    "edits": -2.2,
    "said": -2.5,
}
"""What makes a sentence a good base, tuned on union/train: detail, and little strain."""


class _Draft(Struct, frozen=True):
    """A base with what the other sentence brought."""

    tokens: tuple[WovenToken, ...]
    base: int
    """Which of the two passages."""
    score: float
    added: str
    left: str
    """New words that found no place, or that seemed to be other words for what is said."""
    lost: float
    """Their share of the other sentence's content words."""
    strange: bool = False
    """Whether the two share too little to make one sentence that reads well."""


class Align:
    """The more detailed sentence with what the other says more attached where its parse says.

    No language model: whole phrases are moved, never words invented. Without a parse, phrases are
    found by their first words.
    """

    def __init__(
        self,
        prices: Prices = BALANCED,
        *,
        judge: bool = True,
        disputes: bool = True,
        always_one: bool = False,
    ) -> None:
        self.prices = prices
        self.judge = judge
        """Whether a model of meaning, where installed, says how much is known already."""
        self.disputes = disputes
        """Whether the text shows what the other says otherwise, in brackets."""
        self.always_one = always_one
        """Whether sentences that share too little are joined by "and" all the same."""

    def propose(self, passages: Sequence[Passage]) -> list[Candidate]:
        """Unions on either base, added to thoroughly or sparingly, best first."""
        if not passages:
            raise EmptyInput("no passages to merge")
        full = [passage for passage in passages if passage.text.strip()]
        if len(full) != 2:
            merged = self.merge(passages)
            tokens = tuple(token for sentence in merged.sentences for token in sentence)
            return [Candidate(tokens, NAME, 0.0)]
        contradictions = find_contradictions(full)
        drafts = self._drafts(full, contradictions, (THOROUGH, SPARING))
        if drafts[0].strange or self._loses(drafts[0], full):
            whole = self._drafts(full, contradictions, (), whole=True)[0]
            drafts.insert(0, replace(whole, score=drafts[0].score + 1))
        unique = {render(draft.tokens): draft for draft in reversed(drafts)}
        found = [Candidate(draft.tokens, NAME, draft.score) for draft in unique.values()]
        return sorted(found, key=lambda candidate: -candidate.score)

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge passages that report the same thing: two at once, more one after the other."""
        if not passages:
            raise EmptyInput("no passages to merge")
        full = [index for index, passage in enumerate(passages) if passage.text.strip()]
        if len(full) > 2:
            return Multi(Align(self.prices, judge=self.judge, disputes=False)).merge(passages)
        nothing = Outcome("redundant", "says nothing")
        outcomes = [nothing] * len(passages)
        if not full:
            return Merged((copy_tokens(passages[0]),), tuple(outcomes))
        if len(full) == 1:
            outcomes[full[0]] = Outcome("kept", "nothing else to merge", (0,))
            return Merged((copy_tokens(passages[full[0]]),), tuple(outcomes))
        pair = [passages[index] for index in full]
        contradictions = find_contradictions(pair)
        best = self._drafts(pair, contradictions, ())[0]
        if best.strange or self._loses(best, pair):
            if not self.always_one:
                return self._apart(passages, full, contradictions)
            best = self._drafts(pair, contradictions, (), whole=True)[0]
        for place, index in enumerate(full):
            outcomes[index] = _outcome(best, place)
        return Merged((finished(best.tokens, pair),), tuple(outcomes), contradictions)

    def _apart(
        self,
        passages: Sequence[Passage],
        full: Sequence[int],
        contradictions: Sequence[Contradiction],
    ) -> Merged:
        """Each sentence by itself."""
        sentences = tuple(copy_tokens(passages[index]) for index in full)
        outcomes = [Outcome("redundant", "says nothing")] * len(passages)
        for place, index in enumerate(full):
            why = "shares too little with the other to make one sentence"
            outcomes[index] = Outcome("kept", why, (place,))
        return Merged(sentences, tuple(outcomes), tuple(contradictions))

    def _drafts(
        self,
        pair: Sequence[Passage],
        contradictions: Sequence[Contradiction],
        others: Sequence[Prices],
        *,
        whole: bool = False,
    ) -> list[_Draft]:
        """All drafts of two passages, best first; with `whole`, the other joined on as it is."""
        one, two = (parsed(passage) for passage in pair)
        english = english_share(" ".join(passage.text for passage in pair)) >= _ENGLISH
        if one is None or two is None or not english:
            shallow = shallow_drafts(pair, foreign=not english)
            return [self._from_shallow(draft, pair, contradictions) for draft in shallow]
        first = replace(self.prices, lost=0.0) if whole else self.prices
        drafts = [
            replace(draft, score=draft.score - (_SECOND_CHOICE if behind else 0))
            for behind, prices in enumerate((first, *others))
            for draft in (
                self._draft(one, two, 0, prices, contradictions),
                self._draft(two, one, 1, prices, contradictions),
            )
        ]
        return sorted(drafts, key=lambda draft: -draft.score)

    def _loses(self, draft: _Draft, pair: Sequence[Passage]) -> bool:
        """Whether a good part of the other sentence found no place, and was not only reworded."""
        passage = pair[1 - draft.base]
        if draft.lost < _MUCH:
            return False
        told = likelihood(render(draft.tokens), passage.text) if self.judge else None
        return draft.lost >= _MOST if told is None else told < _UNTOLD

    def _draft(
        self,
        base: Parsed,
        other: Parsed,
        number: int,
        prices: Prices,
        contradictions: Sequence[Contradiction],
    ) -> _Draft:
        contested = disputed(other.passage, contradictions, base.tokens)
        answered = {p for p, t in enumerate(other.tokens) if t.sources[0].start in contested}
        alignment = align_words(other, base, answered)
        known = likelihood(base.passage.text, other.passage.text) if self.judge else None
        prices = replace(prices, eager=prices.eager - _KNOWN * (known or 0.0))
        planner = Planner(alignment, prices)
        worth, edits = planner.plan()
        moved = {place for edit in edits for place in edit.places}
        new = [place for place in range(len(other)) if alignment.new(place)]
        left = [place for place in new if place not in moved]
        told = supported(carried_out(base, edits), alignment)
        content = max(1, sum(other.content))
        strange = (
            any(e.kind == "root" and e.cost >= 1 for e in edits) and len(new) > _STRANGE * content
        )
        features = {
            "content": sum(base.content),
            "characters": len(base.passage.text),
            "names": len(base.names),
            "worth": worth,
            "left": len(left),
            "edits": len(edits),
            "said": sum(other.content[p] and not alignment.new(p) for p in moved),
        }
        return _Draft(
            self._shown(told, other.passage, contradictions),
            number,
            sum(_SCORES[name] * value for name, value in features.items()),
            " ".join(other.tokens[p].text for p in sorted(moved) if other.content[p]),
            " ".join(other.tokens[p].text for p in left),
            len(left) / content,
            strange,
        )

    def _from_shallow(
        self, draft: Shallow, pair: Sequence[Passage], contradictions: Sequence[Contradiction]
    ) -> _Draft:
        told = self._shown(draft.tokens, pair[1 - draft.base], contradictions)
        return _Draft(told, draft.base, draft.score, draft.added, draft.left, 0.0)

    def _shown(
        self,
        told: Sequence[WovenToken],
        passage: Passage,
        contradictions: Sequence[Contradiction],
    ) -> tuple[WovenToken, ...]:
        return tuple(show_dispute(told, passage, contradictions) if self.disputes else told)


def _outcome(draft: _Draft, place: int) -> Outcome:
    if place == draft.base:
        return Outcome("kept", "the more detailed sentence", (0,))
    left = f"other words for what is said, or left out: {draft.left}" if draft.left else ""
    if draft.added:
        return Outcome("merged", "; ".join(_present(f"adds: {draft.added}", left)), (0,))
    why = left or "says nothing that the text does not say"
    return Outcome("redundant", why, (0,))


def _present(*texts: str) -> Iterator[str]:
    return (text for text in texts if text)

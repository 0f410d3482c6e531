"""Sentences that belong into one union, and those that had better stay apart.

A group of reports of one event holds sentences that share a subject and little else. Forced into
one, they make a sentence nobody wants to read. So a sentence joins another only where they share
enough, the wording reads naturally, and no name or number gets lost; else it stays on its own.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from tatian.text import WovenToken
from tatian.text.content import concept, is_content, is_telling, saying
from tatian.text.provenance import render
from tatian.union.candidates import Candidate
from tatian.union.disagreement import find_contradictions
from tatian.union.disagreement_denials import opposed
from tatian.union.fitness import Content, consolidation, content_of
from tatian.union.metrics import estimate
from tatian.union.models import Contradiction, Merged, Outcome, Passage
from tatian.union.models.aligning.disputes import disputed, show_dispute
from tatian.union.models.copying import copy_tokens
from tatian.union.models.edit.support import supported
from tatian.union.models.finishing import finished, side_by_side
from tatian.union.models.multi import most_alike_first
from tatian.union.models.multi_checks import likeness
from tatian.union.models.multi_woven import Woven
from tatian.union.models.same_day import tells_two_times

LIKELY = 0.6
"""The chance of having something to consolidate from which two sentences are merged."""
SHARED = 0.35
"""The share of the shorter sentence's content that both must have."""
NATURAL = -1.25
"""The naturalness from which a wording is trusted: log-probability a stretch of words."""
TRIED = 6
"""Wordings that are looked at, best first."""
MISSING, REPEATED = 1.5, 1.0
"""Words that may seem to be missing, or to be said twice."""
COMPANY = 3
"""Members of a draft that a passage is compared with."""
MOST = 12
"""Unions tried for one group: of hundreds of sentences, the most alike come first."""
LONGEST = 55
"""Words of a sentence that others may still join."""

Fits = Callable[[Passage, Passage], float]


class PairMerger(Protocol):
    """Offers wordings of two sentences as one."""

    def propose(self, passages: Sequence[Passage]) -> list[Candidate]:
        """At least one candidate, best first."""
        ...


class _Draft(Struct):
    """One sentence of the result while it grows."""

    tokens: tuple[WovenToken, ...]
    members: list[int]
    why: dict[int, Outcome]


class Apart:
    """Lets a merger of pairs write several sentences for any number of passages."""

    def __init__(
        self, merger: PairMerger, fits: Fits | None = None, natural: float = NATURAL
    ) -> None:
        self.merger = merger
        self.fits = fits or _chance()
        """How likely two sentences share something to consolidate."""
        self.natural = natural
        self._left = MOST

    def merge(self, passages: Sequence[Passage]) -> Merged:
        """Merge what belongs together; every passage is in some sentence."""
        contradictions = find_contradictions(passages)
        concepts = [_said(copy_tokens(passage)) for passage in passages]
        drafts: list[_Draft] = []
        self._left = MOST
        for index in most_alike_first(passages):
            draft = self._company(drafts, passages, concepts, index)
            if draft is None or not self._join(draft, passages, index, contradictions):
                alone = Outcome("kept", "the sentence others may join")
                drafts.append(_Draft(copy_tokens(passages[index]), [index], {index: alone}))
        outcomes = {
            index: Outcome(draft.why[index].fate, draft.why[index].why, (number,))
            for number, draft in enumerate(drafts)
            for index in draft.members
        }
        sentences = [
            finished(draft.tokens, [passages[index] for index in draft.members]) for draft in drafts
        ]
        return Merged(
            tuple(_with_disputes(sentences, passages, contradictions)),
            tuple(outcomes[index] for index in range(len(passages))),
            contradictions,
        )

    def _company(
        self,
        drafts: Sequence[_Draft],
        passages: Sequence[Passage],
        concepts: Sequence[frozenset[str]],
        index: int,
    ) -> _Draft | None:
        """The draft that a passage fits best, if it fits any."""
        best, most = None, LIKELY
        for draft in drafts:
            if likeness(_said(draft.tokens), concepts[index]) < SHARED:
                continue
            company = draft.members[:COMPANY]
            chance = max(self.fits(passages[member], passages[index]) for member in company)
            if chance >= most:
                best, most = draft, chance
        return best

    def _join(
        self,
        draft: _Draft,
        passages: Sequence[Passage],
        index: int,
        contradictions: Sequence[Contradiction],
    ) -> bool:
        """Take a passage into a draft; says whether that can be done well."""
        passage = passages[index]
        own = copy_tokens(passage)
        contested = disputed(passage, contradictions, draft.tokens)
        wanted = {t.text for t in own if t.sources[0].start not in contested}
        agreed = [t.text for t in own if t.sources[0].start not in contested]
        denies = opposed(agreed, [t.text for t in draft.tokens])
        if not _unsaid(own, draft.tokens, wanted) and not denies:
            draft.tokens = supported(draft.tokens, [draft.tokens, own])
            draft.members.append(index)
            why = "says nothing that the text does not say"
            draft.why[index] = Outcome("redundant", why)
            return True
        pinned = contested and (_said(own) - _said(draft.tokens)) & saying()
        if len(draft.tokens) > LONGEST or self._left == 0 or pinned:
            return False
        self._left -= 1
        woven = Woven(draft.tokens, passage, len(draft.members))
        for candidate in self.merger.propose([woven.passage, passage])[:TRIED]:
            tokens = woven.traced(candidate.tokens)
            wanted_too = wanted | {token.text for token in draft.tokens}
            lost = _lost((*draft.tokens, *own), tokens, wanted_too)
            whole = _is_whole((woven.passage.text, passage.text), render(candidate.tokens))
            both = [passages[member] for member in (*draft.members, index)]
            timed = not tells_two_times(finished(tokens, both))
            words = [t.text for t in tokens]
            turned = opposed(agreed, words) or (
                not contested and opposed([t.text for t in draft.tokens], words)
            )
            sound = not side_by_side(tokens) and not turned
            if candidate.natural >= self.natural and not lost and whole and timed and sound:
                added = _unsaid(own, draft.tokens, wanted)
                draft.tokens = supported(tokens, [draft.tokens, own])
                draft.members.append(index)
                draft.why[index] = Outcome("merged", f"adds: {' '.join(added)}")
                return True
        return False


def _with_disputes(
    sentences: Sequence[tuple[WovenToken, ...]],
    passages: Sequence[Passage],
    contradictions: Sequence[Contradiction],
) -> Iterator[tuple[WovenToken, ...]]:
    """Each sentence with what others say otherwise, also those that are told apart from it.

    A dispute is shown once, where it is first met, however many accounts are on either side.
    """
    open_ = list(contradictions)
    for tokens in sentences:
        for dispute in tuple(open_):
            if dispute not in open_:
                continue
            shown: Sequence[WovenToken] = tokens
            for passage in passages:
                shown = show_dispute(shown, passage, [dispute])
            if len(shown) > len(tokens):
                tokens = tuple(shown)
                open_ = [one for one in open_ if _about(one) != _about(dispute)]
        yield tokens


def _about(dispute: Contradiction) -> tuple[str, frozenset[str]]:
    """What is disputed, whoever says so."""
    return dispute.kind, frozenset(claim.text.lower() for claim in dispute.claims)


def _said(tokens: Sequence[WovenToken]) -> frozenset[str]:
    return frozenset(concept(token.text) for token in tokens if is_content(token.text))


def _unsaid(own: Sequence[WovenToken], told: Sequence[WovenToken], wanted: set[str]) -> list[str]:
    """The content words that only `own` has."""
    said = _said(told)
    return [
        token.text
        for token in own
        if token.text in wanted and is_content(token.text) and concept(token.text) not in said
    ]


def _lost(before: Sequence[WovenToken], after: Sequence[WovenToken], wanted: set[str]) -> list[str]:
    """Names and numbers that were there before and are not any more."""
    said = {token.text.lower() for token in after}
    concepts = _said(after)
    return [
        token.text
        for index, token in enumerate(before)
        if token.text in wanted
        and is_telling(token.text)
        and is_content(token.text)
        and token.text.lower() not in said
        and concept(token.text) not in concepts
        and index > 0
    ]


def _is_whole(sentences: Sequence[str], union: str) -> bool:
    """Whether a union seems to say everything once."""
    expected = estimate(sentences, union).expected
    return expected.missing <= MISSING and expected.repeated <= REPEATED


def _chance() -> Fits:
    """By the words and names that two passages share; each passage is looked at once."""
    known: dict[tuple[str, int], Content] = {}

    def content(passage: Passage) -> Content:
        key = (passage.document.id, passage.span.start)
        if key not in known:
            known[key] = content_of(passage)
        return known[key]

    def chance(first: Passage, second: Passage) -> float:
        return consolidation(content(first).overlap(content(second)))

    return chance

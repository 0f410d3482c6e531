"""TagMe (Ferragina and Scaiella 2012): pages elected by the votes of the text's other pages.

As published: votes by the relatedness of Milne and Witten weighted by commonness, disambiguation by
threshold, pruning by the average of link probability and coherence. As in the mention benchmark
(§4): longest phrases, no nesting.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from tatian.knowledge.base import Base, KnowledgeBase, open_base
from tatian.knowledge.entities import Candidate
from tatian.mentions.models.choices import LinkChoice, most_common, with_choices
from tatian.mentions.spots import spots
from tatian.text import Document

_WINDOW_ANCHORS = 60
"""Number of consecutive anchors that vote for one another, since TagMe is for short texts."""


class _Anchor(Struct, frozen=True):
    start: int
    end: int
    link_probability: float
    pages: tuple[Candidate, ...]


class TagMe:
    """Pages elected by the text's other pages, pruned by coherence (TagMe as published)."""

    def __init__(
        self,
        kb: Base | None = None,
        *,
        commonness: float = 0.02,
        near_best: float = 0.3,
        threshold: float = 0.1,
        titles: int = 1,
    ) -> None:
        self.base = open_base(kb)
        self.commonness = commonness
        """τ: minimum commonness of a page that is considered for a term."""
        self.near_best = near_best
        """ε: maximum relative gap to the most votes within which commonness decides."""
        self.threshold = threshold
        """ρ: minimum average of a link's link probability and coherence."""
        self.titles = titles
        """Maximum number of pages of a link, of those near the best."""

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers."""
        return with_choices(document, self.choose(document.text), "tatian/tagme")

    def choose(self, text: str) -> list[LinkChoice]:
        """Return the anchors of `text` with their elected pages, if these are coherent."""
        anchors = []
        for spot in spots(text, self.base.dictionary):
            senses = self.base.senses(spot.term)
            if pages := tuple(sense for sense in senses if sense.prior >= self.commonness):
                linked = self.base.link_probability(spot.term)
                anchors.append(_Anchor(spot.start, spot.end, linked, pages))
        choices: list[LinkChoice] = []
        for first in range(0, len(anchors), _WINDOW_ANCHORS):
            window = anchors[first : first + _WINDOW_ANCHORS]
            chosen = [self._elect(index, window) for index in range(len(window))]
            for anchor, pages in zip(window, chosen, strict=True):
                others = [other[0] for other in chosen if other[0].id != pages[0].id]
                confidence = (anchor.link_probability + _coherence(self.base, pages[0], others)) / 2
                if confidence >= self.threshold:
                    choices.append(LinkChoice(anchor.start, anchor.end, pages, confidence))
        return choices

    def _elect(self, index: int, anchors: Sequence[_Anchor]) -> tuple[Candidate, ...]:
        pages = anchors[index].pages
        if len(pages) == 1:
            return pages
        voters = [anchor for place, anchor in enumerate(anchors) if place != index]
        votes = [sum(_vote(self.base, anchor, page) for anchor in voters) for page in pages]
        least = max(votes) * (1 - self.near_best)
        near = [page for page, vote in zip(pages, votes, strict=True) if vote >= least]
        return most_common(near, self.titles)


def _vote(base: KnowledgeBase, anchor: _Anchor, page: Candidate) -> float:
    """Return an anchor's vote for a page: the relatedness of its pages, weighted by commonness."""
    related = sum(base.relatedness(other.id, page.id) * other.prior for other in anchor.pages)
    return related / len(anchor.pages)


def _coherence(base: KnowledgeBase, page: Candidate, others: Sequence[Candidate]) -> float:
    if not others:
        return 0.0
    return sum(base.relatedness(page.id, other.id) for other in others) / len(others)

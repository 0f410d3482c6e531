"""Baseline that links each term to its most common page."""

from __future__ import annotations

from tatian.knowledge.base import Base, open_base
from tatian.mentions.models.choices import LinkChoice, most_common, with_choices
from tatian.mentions.spots import spots
from tatian.text import Document


class Prior:
    """Most common page of every term (baseline without context)."""

    def __init__(
        self,
        kb: Base | None = None,
        link_probability: float = 0.0,
        *,
        threshold: float = 0.0,
        titles: int = 1,
    ) -> None:
        self.base = open_base(kb)
        self.link_probability = link_probability
        """Minimum share of a term's occurrences that are links."""
        self.threshold = threshold
        """Minimum share of a term's links that lead to its most common page."""
        self.titles = titles
        """Maximum number of pages of a link, if they are nearly as common."""

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers."""
        return with_choices(document, self.choose(document.text), "tatian/prior")

    def choose(self, text: str) -> list[LinkChoice]:
        """Return the longest terms of `text`, each with its most common page."""
        choices = []
        for spot in spots(text, self.base.dictionary):
            pages = most_common(self.base.senses(spot.term), self.titles)
            linked = self.base.link_probability(spot.term)
            if pages and linked >= self.link_probability and pages[0].prior >= self.threshold:
                choices.append(LinkChoice(spot.start, spot.end, pages, pages[0].prior))
        return choices

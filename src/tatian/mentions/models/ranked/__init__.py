"""The default linker: every phrase and page that could be meant, judged by a trained ranker."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from tatian.assets import PACKAGE
from tatian.knowledge.base import Base, open_base
from tatian.mentions.models.choices import LinkChoice, with_choices
from tatian.mentions.models.ranked.options import Linkable
from tatian.mentions.models.ranked.passages import Pair, passages
from tatian.text import SENTENCES, WORDS, Document, Link, Span
from tatian.trees import Trees

__all__ = ["RankedLinker"]


THRESHOLD = 0.2
"""The best F1 on development data is near it: the likeliest page may still be unlikely."""
WEIGHTS = PACKAGE / "mentions" / "weights" / "linker.npz"


class RankedLinker:
    """A trained ranker over prior, relatedness, meaning, syntax and names (the default)."""

    licence = "data for research and non-commercial use: see LICENSE.md of the weights"

    def __init__(
        self,
        kb: Base | None = None,
        *,
        threshold: float = THRESHOLD,
        titles: int = 1,
        encoder: bool = True,
    ) -> None:
        self.base = open_base(kb)
        self.threshold = threshold
        """Links less likely than this are not made."""
        self.titles = titles
        """How many pages a link may have, if they are nearly as likely.

        Without `encoder`, tags and names that a document lacks stay unknown, and so does meaning.
        """
        self._encoder = encoder

    def detect(self, document: Document) -> Document:
        """Add the `mentions` and `links` layers, by the `topic` of its metadata if it has one."""
        analysed = self._analysed(document)
        topic = document.metadata.topic or ""
        return with_choices(analysed, self.choose(analysed, topic), "tatian/ranked")

    def choose(self, document: Document, topic: str = "") -> list[LinkChoice]:
        """The likeliest links of an analysed document, none of which overlap."""
        found: list[LinkChoice] = []
        cased = _has_names_in_capitals(document.text)
        for pairs, matrix in passages(document, self.base, topic, vectors=self._encoder):
            likely = _trees().probability(matrix).tolist()
            if cased:
                likely = [
                    0.0 if _lacks_capitals(document.text, *pair) else one
                    for pair, one in zip(pairs, likely, strict=True)
                ]
            found += choose(pairs, likely, self.threshold, self.titles)
        return found

    def link(self, document: Document, spans: Sequence[Span]) -> list[Link | None]:
        """The likeliest pages of given phrases, however unlikely; None where the base has none."""
        wanted = {(span.start, span.end) for span in spans}
        found: dict[tuple[int, int], LinkChoice] = {}
        for pairs, matrix in passages(
            self._analysed(document),
            self.base,
            document.metadata.topic or "",
            vectors=self._encoder,
            given=spans,
        ):
            asked = [
                index for index, (one, _) in enumerate(pairs) if (one.start, one.end) in wanted
            ]
            likely = _trees().probability(matrix[asked]).tolist()
            for place, ranked in _by_place([pairs[index] for index in asked], likely).items():
                found[place] = _choice(place, ranked, self.titles)
        chosen = (found.get((span.start, span.end)) for span in spans)
        return [_link(one) if one else None for one in chosen]

    def _analysed(self, document: Document) -> Document:
        if document.has(SENTENCES) and (document.has(WORDS) or not self._encoder):
            return document
        from tatian.analysis.api import analyze
        from tatian.analysis.segments import RuleAnalyser

        return analyze(document) if self._encoder else RuleAnalyser().analyze(document)


Ranking = list[tuple[float, int, Linkable]]
"""The pages of one place: likelihood, number of the page, phrase; the likeliest first."""


def choose(
    pairs: Sequence[Pair], likely: Sequence[float], threshold: float, titles: int = 1
) -> list[LinkChoice]:
    """The likeliest pages of the likeliest phrases, from the surest down, without overlaps."""
    by_place = _by_place(pairs, likely)
    surest = sorted(by_place.items(), key=lambda one: (-one[1][0][0], one[1][0][1], one[0]))
    taken: list[LinkChoice] = []
    covered: set[int] = set()
    for place, ranked in surest:
        if ranked[0][0] < threshold:
            break
        if covered.isdisjoint(range(*place)):
            covered.update(range(*place))
            taken.append(_choice(place, ranked, titles))
    return sorted(taken, key=lambda one: one.start)


def _has_names_in_capitals(text: str) -> bool:
    """Whether capitals say something: some words have one, and some do not."""
    words = text.split()
    return sum(word[:1].isupper() for word in words) > 1 and any(map(str.islower, words))


def _lacks_capitals(text: str, phrase: Linkable, page: int) -> bool:
    """Whether a person, place or organisation would be written small: "nice" is not Nice."""
    return phrase.pages[page].kind != "concept" and text[phrase.start : phrase.end].islower()


def _by_place(pairs: Sequence[Pair], likely: Sequence[float]) -> dict[tuple[int, int], Ranking]:
    found: dict[tuple[int, int], Ranking] = {}
    for (phrase, index), score in zip(pairs, likely, strict=True):
        found.setdefault((phrase.start, phrase.end), []).append((score, index, phrase))
    for ranked in found.values():
        ranked.sort(key=lambda one: (-one[0], one[1]))
    return found


def _choice(place: tuple[int, int], ranked: Ranking, titles: int) -> LinkChoice:
    """The best pages of one place: the likeliest, and those at least half as likely."""
    best = ranked[0][0]
    near = [one for one in ranked[:titles] if one[0] >= best / 2]
    return LinkChoice(*place, tuple(phrase.pages[index] for _, index, phrase in near), best)


def _link(choice: LinkChoice) -> Link:
    titles = tuple(page.title for page in choice.candidates)
    return Link(choice.start, choice.end, titles, choice.score)


@cache
def _trees() -> Trees:
    return Trees.load(WEIGHTS)

"""The sentences of all accounts, and what makes two of them report the same thing."""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, log

from msgspec import Struct

from tatian.text import CHAINS, LINKS, NAMES, Document, Link, Span
from tatian.text.content import concepts, concepts_of, saying
from tatian.text.dates import dateline
from tatian.text.lexicon import PRONOUNS

_SURE = 0.3
"""Links that are less likely are no evidence."""
_SAID = 0.1
"""What "said" counts for."""
_NAME = 0.5
"""What a shared name counts for, beside any other shared word."""


class Unit(Struct, frozen=True):
    """One sentence of one account."""

    account: int
    index: int
    """Its place among the account's sentences."""
    sentence: Span
    body: Span
    """The sentence without its dateline."""
    concepts: frozenset[str]
    pages: dict[str, frozenset[str]] = {}
    """The Wikipedia pages that its phrases are linked to, each with the phrases' concepts."""
    headline: bool = False
    opens_paragraph: bool = False

    @property
    def key(self) -> tuple[int, int]:
        """What identifies the sentence among all accounts."""
        return self.account, self.index


def units_of(account: int, document: Document) -> list[Unit]:
    """The document's sentences, with headline and dateline recognised."""
    names = _names_behind_pronouns(document)
    linked = _linked(document)
    opening = dateline(document.text)
    units = []
    position = 0
    for index, sentence in enumerate(document.sentences):
        body = Span(sentence.start, sentence.end)
        if opening and body.contains(Span(opening.start("place"), opening.end())):
            body = Span(opening.end(), sentence.end)
        own = {c for c in concepts_of(document, body) if c is not None}
        own.update(names.get(index, ()))
        units.append(
            Unit(
                account=account,
                index=index,
                sentence=Span(sentence.start, sentence.end),
                body=body,
                concepts=frozenset(own),
                pages=_pages(document, [link for link in linked if body.contains(link)]),
                headline=index == 0 and _is_headline(document, sentence),
                opens_paragraph="\n" in document.text[position : sentence.start].strip(" \t")
                or index == 0,
            )
        )
        position = sentence.end
    return units


def _linked(document: Document) -> list[Link]:
    """The links that are sure enough to tell what a sentence is about."""
    links = document.get(LINKS) if document.has(LINKS) else ()
    return [one for one in links if one.titles and (one.score is None or one.score >= _SURE)]


def _pages(document: Document, links: Iterable[Link]) -> dict[str, frozenset[str]]:
    found: dict[str, frozenset[str]] = {}
    for link in links:
        words = frozenset(concepts(token.text for token in document.tokens_in(link)))
        found[link.titles[0]] = found.get(link.titles[0], frozenset()) | words
    return found


def _is_headline(document: Document, sentence: Span) -> bool:
    """A first line of its own without a full stop."""
    rest = document.text[sentence.end :]
    ends = sentence.of(document.text).endswith((".", "?", "!", '"', "”"))
    return not ends and rest.lstrip(" \t\r").startswith("\n")


def _names_behind_pronouns(document: Document) -> dict[int, set[str]]:
    """For each sentence with a "he", the words of the names its pronouns stand for."""
    found: dict[int, set[str]] = {}
    for chain in document.get(CHAINS):
        called = [mention.of(document.text) for mention in chain.mentions]
        names = [name for name in called if name.lower() not in PRONOUNS and name[:1].isupper()]
        if not names:
            continue
        words = concepts(max(names, key=len).split())
        for mention, name in zip(chain.mentions, called, strict=True):
            if name.lower() in PRONOUNS:
                place = bisect_right(document.sentences, mention.start, key=lambda s: s.start) - 1
                found.setdefault(place, set()).update(words)
    return found


class Weights:
    """How much each concept tells, by how few sentences of the bundle have it."""

    def __init__(self, units: Sequence[Unit], names: frozenset[str] = frozenset()) -> None:
        counts = Counter(concept for unit in units for concept in unit.concepts)
        self._names = names
        self._weights = {
            concept: _SAID
            if concept in saying()
            else log(1 + len(units) / (1 + count)) * (_NAME if concept in names else 1.0)
            for concept, count in counts.items()
        }
        self._new = log(1 + len(units))
        self._totals: dict[tuple[int, int], float] = {}

    def __call__(self, concept: str) -> float:
        return self._weights.get(concept, self._new)

    def sum(self, concepts: Iterable[str]) -> float:
        """The weight of several concepts together, the same whatever their order."""
        return fsum(map(self, concepts))

    def _total(self, unit: Unit) -> float:
        if unit.key not in self._totals:
            self._totals[unit.key] = self.sum(unit.concepts)
        return self._totals[unit.key]

    def similarity(self, first: Unit, second: Unit) -> float:
        """0 to 1: how much of the lighter sentence, and of both together, is shared.

        Two phrases that are linked to one page share what the lighter of them tells, whatever
        their words ("proximity" and "distance").
        """
        shared = first.concepts & second.concepts
        other_words = self._same_pages(first, second)
        telling = shared - saying()
        if len(telling) + len(other_words) < 2 or (telling <= self._names and not other_words):
            return 0.0
        weight = self.sum(shared) + fsum(other_words)
        one, two = self._total(first), self._total(second)
        return weight / min(one, two) * 0.5 + weight / (one + two)

    def _same_pages(self, first: Unit, second: Unit) -> list[float]:
        """What phrases of different words with the same page tell; names say who, not what."""
        found = []
        for title in sorted(first.pages.keys() & second.pages.keys()):
            one, two = first.pages[title], second.pages[title]
            named = one <= self._names or two <= self._names
            apart = one.isdisjoint(second.concepts) and two.isdisjoint(first.concepts)
            if apart and not named:
                found.append(min(self.sum(one), self.sum(two)))
        return found


def name_concepts(documents: Iterable[Document]) -> frozenset[str]:
    """Concepts that are parts of names: sharing them says who, not what."""
    return frozenset(
        found
        for document in documents
        for name in document.get(NAMES)
        for found in concepts(token.text for token in document.tokens_in(name))
    )


def flatten(accounts: Sequence[Sequence[Unit]]) -> list[Unit]:
    """All units, account by account."""
    return [unit for units in accounts for unit in units]

"""A parsed passage: words, tree, concepts and names by index in the sentence."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import cached_property

from tatian.analysis.trees import Dependencies
from tatian.text import NAMES, WORDS, SourcedToken, Word
from tatian.text.content import concepts_of
from tatian.text.documents import Passage, copy_tokens
from tatian.text.lexicon import MONTHS, NEGATIONS, RELATIVE_DATES, WEEKDAYS

FINAL = frozenset(". ? ! … ...".split())
RELATIVES = frozenset(("who", "which", "that"))
Name = tuple[int, int, str]
"""First place, end, and type."""

_TIMES = frozenset(
    "morning afternoon evening night noon midnight dawn hour hours minute minutes day days week "
    "weeks weekend month months year years decade decades century a.m. p.m. am pm o'clock ago now "
    "early late later earlier".split()
)
_HYPHENS = frozenset(("-", "‐", "‑", "/"))
_MAX_DEPTH = 120
"""Maximum depth of a tree that is accepted as a sentence."""


class Parsed(Dependencies):
    """One sentence with its tree; places are token indices from 0."""

    def __init__(self, passage: Passage, words: list[Word], first: int) -> None:
        super().__init__(words, _heads(words, first))
        self.passage = passage
        self.tokens = copy_tokens(passage)
        self.lower = [token.text.lower() for token in self.tokens]
        self.concepts = concepts_of(passage.document, passage.span)
        self.relations = [
            "parataxis"
            if word.relation == "root" and head >= 0
            else word.relation.partition(":")[0]
            for word, head in zip(words, self.heads, strict=True)
        ]
        self.root = self.heads.index(-1)
        self._extents: dict[int, tuple[int, int]] = {}

    def __len__(self) -> int:
        return len(self.tokens)

    def feature(self, place: int, name: str) -> str:
        """Return a morphological feature of a word; empty if it has none."""
        return self.words[place].features.get(name, "")

    def relation(self, place: int) -> str:
        return self.relations[place]

    def extent(self, place: int) -> tuple[int, int]:
        """Return the range of the word and its dependents, without punctuation at the edges."""
        if place not in self._extents:
            covered = sorted(self.subtree(place))
            inner = [p for p in covered if self.tag(p) != "PUNCT"] or covered
            self._extents[place] = inner[0], inner[-1] + 1
        return self._extents[place]

    def ancestors(self, place: int) -> Iterator[int]:
        """Yield the word's head, that word's head, and so on up to the root."""
        place = self.heads[place]
        while place >= 0:
            yield place
            place = self.heads[place]

    @cached_property
    def end(self) -> int:
        """End of the sentence before its final stop."""
        return body_end(self.tokens)

    @cached_property
    def content(self) -> list[bool]:
        """True for each content word."""
        return [
            concept is not None and self.tag(place) not in {"PUNCT", "AUX"}
            for place, concept in enumerate(self.concepts)
        ]

    @cached_property
    def names(self) -> list[Name]:
        """Names in the sentence."""
        document, span = self.passage.document, self.passage.span
        if not document.has(NAMES):
            return []
        start = self.place_of
        end = {token.sources[0].end: place + 1 for place, token in enumerate(self.tokens)}
        return [
            (start[name.start], end[name.end], name.type)
            for name in document.inside(NAMES, span)
            if name.start in start and name.end in end
        ]

    @cached_property
    def place_of(self) -> dict[int, int]:
        """Maps each word's offset in the document to its index."""
        return {token.sources[0].start: place for place, token in enumerate(self.tokens)}

    @cached_property
    def _named(self) -> dict[int, Name]:
        return {place: name for name in self.names for place in range(name[0], name[1])}

    def name_at(self, place: int) -> Name | None:
        """Return the name that the word belongs to, or None."""
        return self._named.get(place)

    @cached_property
    def compounds(self) -> list[tuple[int, int]]:
        """Ranges of words joined by hyphens, which are moved together: first index, end."""
        ranges: list[tuple[int, int]] = []
        place = 1
        while place < len(self.tokens) - 1:
            start = place - 1
            while place < len(self.tokens) - 1 and self._joins(place):
                place += 2
            if place > start + 1:
                ranges.append((start, place))
            place += 1
        return ranges

    def _joins(self, place: int) -> bool:
        after = self.tokens[place + 1]
        return self.lower[place] in _HYPHENS and not self.tokens[place].space and not after.space

    @cached_property
    def _hyphened(self) -> dict[int, tuple[int, int]]:
        return {place: pair for pair in self.compounds for place in range(*pair)}

    def compound_at(self, place: int) -> tuple[int, int]:
        """Return the range of the hyphenated word at a place, else the place alone."""
        return self._hyphened.get(place, (place, place + 1))

    def owners(self, place: int) -> list[int]:
        """Return the possessors among the word's dependents."""
        return [c for c in self.children[place] if self.words[c].relation == "nmod:poss"]

    def marker(self, place: int) -> str:
        """Return the preposition or conjunction that introduces the word's phrase."""
        markers = self.under(place, "case", "mark")
        return self.lower[markers[0]] if markers else ""

    def temporal(self, place: int) -> bool:
        """Return True if the word's phrase is a time expression."""
        if self.words[place].relation.endswith((":tmod", ":unmarked")):
            return True
        word = self.lower[place]
        if word in _TIMES or word in WEEKDAYS or word in MONTHS or word in RELATIVE_DATES:
            return True
        return word.isdigit() and len(word) == 4 and word[:2] in {"18", "19", "20"}

    def predicate(self, place: int) -> bool:
        """Return True if the word heads a clause."""
        return self.tag(place) in {"VERB", "AUX"} or bool(self.under(place, "cop", "nsubj"))

    def finite(self, place: int) -> bool:
        """Return True if the clause that the word heads has a finite verb."""
        verbs = [place, *self.under(place, "aux", "cop")]
        return any(self.feature(verb, "VerbForm") == "Fin" for verb in verbs)

    def negated(self, place: int) -> bool:
        """Return True if a negation depends on the word itself."""
        return any(self.lower[child] in NEGATIONS for child in self.children[place])


def body_end(tokens: Sequence[SourcedToken]) -> int:
    """Return the end of a sentence before its final stop."""
    end = len(tokens)
    while end and tokens[end - 1].text in FINAL:
        end -= 1
    return end


def parsed(passage: Passage) -> Parsed | None:
    """Return the passage with its tree; None if it was not parsed."""
    document = passage.document
    if not document.has(WORDS):
        return None
    inside = document.tokens_in(passage.span)
    if not inside:
        return None
    first = bisect_left(document.tokens, inside[0].start, key=lambda token: token.start)
    by_token = {word.token: word for word in document.get(WORDS)}
    words = [by_token[p] for p in range(first, first + len(inside)) if p in by_token]
    if len(words) != len(inside) or not any(word.relation for word in words):
        return None
    sentence = Parsed(passage, words, first)
    deepest = max(sum(1 for _ in sentence.ancestors(place)) for place in range(len(sentence)))
    return sentence if deepest <= _MAX_DEPTH else None


def _heads(words: list[Word], first: int) -> list[int]:
    """Return heads by place with one root; further words without a head depend on the first."""
    inside = range(len(words))
    heads = [
        word.head - first if word.head >= 0 and word.head - first in inside else -1
        for word in words
    ]
    roots = [place for place, head in enumerate(heads) if head < 0]
    for place in roots[1:]:
        heads[place] = roots[0]
    return heads
